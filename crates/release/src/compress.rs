//! Compressed forms of files, beside them, for servers that send those as they are.
//!
//! What a server compresses while it answers, it compresses quickly and again for everybody; what is made here is as small
//! as it gets, and made once.

use std::{collections::BTreeMap, io::Write as _};

use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, write::GzEncoder};
use rayon::prelude::*;

use portalgen_base::{
    store::{Key, Results},
    timing::Stage,
};
use portalgen_portal::HostingPlatform;

use crate::output::{Output, OutputSet};

/// A way of compressing, as HTTP knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    /// The one that every client understands.
    Gzip,
    /// The smallest.
    Brotli,
    /// Small, and the quickest to unpack.
    Zstandard,
}

/// What files must be for it to be worth while: below it, what a response costs besides its body counts more.
const SMALLEST: usize = 512;

/// How long the name of a file may be on most systems, in bytes, and how long what is put behind it.
const LONGEST_NAME: usize = 255;
const LONGEST_SUFFIX: usize = ".zst".len();

/// How far back a reference may reach, as a power of two: what browsers grant.
const WIDEST_WINDOW: u32 = 22;
const NARROWEST_WINDOW: u32 = 10;
/// By how many bytes a window is narrower than its power of two.
const WINDOW_GAP: usize = 16;
const ZSTANDARD_LEVEL: i32 = 19;

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 3] = [Self::Gzip, Self::Brotli, Self::Zstandard];

    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Brotli => "br",
            Self::Zstandard => "zstd",
        }
    }

    /// What the name of a compressed file ends with, behind the name of the file itself.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Gzip => ".gz",
            Self::Brotli => ".br",
            Self::Zstandard => ".zst",
        }
    }

    /// What `bytes` are when they are compressed. The same bytes give the same result, on any day.
    pub fn compress(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Gzip => gzip(bytes),
            Self::Brotli => brotli(bytes),
            // Fails only where its memory does.
            Self::Zstandard => zstd::bulk::compress(bytes, ZSTANDARD_LEVEL).unwrap_or_default(),
        }
    }

    /// The encodings that servers of a platform send from files.
    fn of(platform: HostingPlatform) -> &'static [Self] {
        match platform {
            // Debian has modules for these two.
            HostingPlatform::Nginx => &[Self::Gzip, Self::Brotli],
            HostingPlatform::Caddy => &Self::ALL,
            // They compress by themselves, and would serve such files as files of their own.
            HostingPlatform::Cloudflare
            | HostingPlatform::Netlify
            | HostingPlatform::Vercel
            | HostingPlatform::GithubPages
            | HostingPlatform::S3Cloudfront => &[],
        }
    }
}

/// How small gzip makes each script and style sheet, by output path.
pub fn gzip_sizes(output: &OutputSet, cache: &Results) -> BTreeMap<String, u64> {
    let files: Vec<_> = output.iter().filter(|(path, _)| path.ends_with(".js") || path.ends_with(".css")).collect();
    let stage = Stage::current();
    let size = |bytes: &[u8]| stage.charge(|| compressed(bytes, Encoding::Gzip, cache)).len() as u64;
    files.into_par_iter().map(|(path, file)| (path.clone(), size(&file.content.read()))).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    // A window that is wider than the file finds nothing more, and takes memory and time to set up.
    let needed = (bytes.len() + WINDOW_GAP).max(1).next_power_of_two().ilog2();
    let window = needed.clamp(NARROWEST_WINDOW, WIDEST_WINDOW).cast_signed();
    let parameters =
        BrotliEncoderParams { quality: 11, lgwin: window, size_hint: bytes.len(), ..BrotliEncoderParams::default() };
    let mut compressed = Vec::new();
    let _ = brotli::BrotliCompress(&mut &*bytes, &mut compressed, &parameters);
    compressed
}

/// Whether a file is another one, which is there, in compressed form. No visitor asks for it.
pub(crate) fn is_form(path: &str, is_there: impl Fn(&str) -> bool) -> bool {
    original(path).is_some_and(is_there)
}

/// The output path of the file that this one is a compressed form of, if its name is that of one.
pub(crate) fn original(path: &str) -> Option<&str> {
    Encoding::ALL.into_iter().find_map(|encoding| path.strip_suffix(encoding.suffix()))
}

/// Adds the compressed forms that servers of the platforms send, of all files that become smaller.
pub fn add(output: &mut OutputSet, platforms: &[HostingPlatform], cache: &Results) {
    let encodings: Vec<Encoding> = Encoding::ALL
        .into_iter()
        .filter(|encoding| platforms.iter().any(|platform| Encoding::of(*platform).contains(encoding)))
        .collect();
    let has_room = |path: &str| path.rsplit('/').next().is_some_and(|name| name.len() + LONGEST_SUFFIX <= LONGEST_NAME);
    let files: Vec<(&String, &Output)> =
        output.iter().filter(|(path, file)| is_compressible(path, file) && has_room(path)).collect();
    let jobs: Vec<_> =
        files.into_iter().flat_map(|file| encodings.iter().map(move |encoding| (file, *encoding))).collect();
    let stage = Stage::current();
    let made: Vec<_> = jobs
        .into_par_iter()
        .filter_map(|((path, file), encoding)| {
            let name = || format!("{path}{}", encoding.suffix());
            let bytes = stage.piece(name, || compressed(&file.content.read(), encoding, cache));
            let is_smaller = bytes.len() < file.content.len();
            is_smaller
                .then(|| (format!("{path}{}", encoding.suffix()), Output { content: bytes.into(), ..file.clone() }))
        })
        .collect();
    for (path, file) in made {
        // Where somebody has put such a file by hand, that is the one to serve.
        let _ = output.insert(path, file.kind, file.content, file.producer);
    }
}

fn compressed(bytes: &[u8], encoding: Encoding, cache: &Results) -> Vec<u8> {
    cache.result(Key::of(&[encoding.name().as_bytes(), bytes]), || encoding.compress(bytes))
}

/// Whether a file is text, or as good as that. What is compressed by its own format only grows.
fn is_compressible(path: &str, file: &Output) -> bool {
    const EXTENSIONS: [&str; 16] = [
        "html",
        "js",
        "mjs",
        "css",
        "json",
        "map",
        "svg",
        "xml",
        "txt",
        "webmanifest",
        "wasm",
        "ico",
        "md",
        "csv",
        "ttf",
        "otf",
    ];
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    file.content.len() >= SMALLEST && EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use std::{io::Read as _, sync::Arc};

    use super::*;
    use crate::output::{OutputKind, Producer};
    use portalgen_base::{
        store::{Kind, Store},
        text::Text,
    };

    fn unpacked(encoding: Encoding, bytes: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        match encoding {
            Encoding::Gzip => drop(flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).expect("gzip")),
            Encoding::Brotli => brotli::BrotliDecompress(&mut &*bytes, &mut plain).expect("brotli"),
            Encoding::Zstandard => plain = zstd::bulk::decompress(bytes, 1 << 20).expect("zstd"),
        }
        plain
    }

    fn output(files: &[(&str, Vec<u8>)]) -> OutputSet {
        let mut output = OutputSet::new();
        for (path, bytes) in files {
            let producer = Producer::new(Text::verbatim("a test"));
            output.insert(*path, OutputKind::Data, bytes.clone(), producer).expect("an output path");
        }
        output
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let around_a_window =
            [1007, 1008, 1009, 65_519, 65_520, 65_521].map(|length| b"abcdefg".repeat(length)[..length].to_vec());
        let usual = [Vec::new(), b"a".to_vec(), "蓝屿".repeat(1000).into_bytes(), (0..=255).collect()];
        for bytes in usual.into_iter().chain(around_a_window) {
            for encoding in Encoding::ALL {
                assert_eq!(unpacked(encoding, &encoding.compress(&bytes)), bytes, "{encoding:?}");
            }
        }
    }

    #[test]
    fn servers_get_what_they_send() {
        let text = b"a line of text\n".repeat(100);
        let files = [
            ("index.html", text.clone()),
            ("small.txt", b"small".to_vec()),
            ("photo.jpg", text.clone()),
            ("app.js", text.clone()),
            ("app.js.br", b"by hand".to_vec()),
        ];
        for (platforms, expected) in [
            (&[][..], &[][..]),
            (&[HostingPlatform::Netlify], &[]),
            (&[HostingPlatform::Nginx], &["app.js.gz", "index.html.br", "index.html.gz"]),
            (
                &[HostingPlatform::Nginx, HostingPlatform::Caddy],
                &["app.js.gz", "app.js.zst", "index.html.br", "index.html.gz", "index.html.zst"],
            ),
        ] {
            let mut output = output(&files);
            add(&mut output, platforms, &Results::in_memory(Kind::Compressed));
            let made: Vec<&str> = output
                .iter()
                .map(|(path, _)| path.as_str())
                .filter(|path| files.iter().all(|(known, _)| known != path))
                .collect();
            assert_eq!(made, expected);
            assert_eq!(output.get("app.js.br").map(|file| file.content.text()), Some("by hand".into()));
        }
    }

    #[test]
    fn what_is_known_is_not_compressed_again() {
        let files = [("index.html", b"a line of text\n".repeat(100))];
        let store = Arc::new(Store::default());
        let cache = store.results(Kind::Compressed);
        let mut first = output(&files);
        add(&mut first, &[HostingPlatform::Caddy], &cache);
        let made = store.count(Kind::Compressed);
        let mut second = output(&files);
        add(&mut second, &[HostingPlatform::Caddy], &cache);
        assert_eq!((made, store.count(Kind::Compressed)), (3, 3));
        assert!(first.iter().eq(second.iter()) && first.len() == 4);
    }
}
