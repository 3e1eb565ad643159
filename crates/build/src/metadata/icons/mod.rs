//! Icons in every size and form that tabs, lists and home screens ask for, from one image.
//!
//! | File | For |
//! | --- | --- |
//! | `favicon.ico` | browsers that ask for it by that name, and search results |
//! | `assets/icon-….svg` | tabs, at any size; where the source is an SVG |
//! | `assets/apple-touch-icon-….png` | home screens of iOS, which paint what is transparent black |
//! | `assets/icon-192-….png`, `assets/icon-512-….png` | home screens and start menus |
//! | `assets/icon-maskable-….png` | Android, which cuts icons into a shape of its own |
//!
//! All but the first are named after their content, so that hosts and browsers may keep them for ever.

mod circles;
mod drawing;
mod limits;
mod source;
mod svg;

use std::{
    path::Path,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use image::{
    ExtendedColorType, ImageEncoder as _, Rgba, RgbaImage,
    codecs::{
        ico::{IcoEncoder, IcoFrame},
        png::{CompressionType, FilterType, PngEncoder},
    },
};

use serde::{Deserialize, Serialize};

use portalgen_base::{diagnostic::Diagnostic, source::Sources, store::Results, timing::Stage};
use portalgen_bundle::Asset;
use portalgen_portal::{Color, IconSource};

use self::{drawing::Drawing, source::Image};
use super::common::{SiteFile, site_section};

/// What was made of an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Icons {
    /// `favicon.ico`.
    pub(super) favicon: SiteFile,
    /// The source itself, if it can be drawn at any size.
    pub(super) vector: Option<Asset>,
    /// The icon of home screens that want no transparency.
    pub(super) touch: Asset,
    pub(super) of_home_screens: Vec<HomeIcon>,
    assets: Vec<Asset>,
}

/// An icon of a web manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HomeIcon {
    /// Its output path.
    pub(super) path: String,
    /// Its width and its height, in pixels.
    pub(super) size: u32,
    /// Whether it may be cut into any shape.
    pub(super) is_maskable: bool,
}

/// Parsers of drawings recurse with the nesting of their input.
const STACK: usize = 64 << 20;
/// How long a drawing may take, on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_mins(1);

/// The output path that browsers ask for without being told.
const FAVICON: &str = "favicon.ico";
const FAVICON_SIZES: [u32; 3] = [16, 32, 48];
const TOUCH_SIZE: u32 = 180;
const HOME_SIZES: [u32; 2] = [192, 512];
const MASKABLE_SIZE: u32 = 512;
/// The part of a maskable icon that the image takes. Only a circle of four fifths of the width is safe from being cut
/// off, and at this size it holds the image with its corners rounded as usual.
const MASKABLE_PART: u32 = 320;

impl Icons {
    /// Makes all icons of a portal, unless they are known; `root` is the folder that names of files in messages are relative to.
    ///
    /// # Errors
    /// The image cannot be read, is not square, is too small or too large, holds what cannot be drawn, or takes too much time
    /// or memory.
    pub fn make(
        sources: &dyn Sources,
        root: &Path,
        source: &IconSource,
        background: Option<Color>,
        known: &Results,
    ) -> Result<Self, Vec<Diagnostic>> {
        let image = Image::read(sources, root, source).map_err(|error| vec![error])?;
        let key = image.key(background);
        if let Some(icons) = known.get(key).and_then(|bytes| postcard::from_bytes(&bytes).ok()) {
            return Ok(icons);
        }
        let icons = Self::draw(image, background)?;
        if let Ok(bytes) = postcard::to_stdvec(&icons) {
            known.put(key, bytes);
        }
        Ok(icons)
    }

    fn draw(image: Image, background: Option<Color>) -> Result<Self, Vec<Diagnostic>> {
        let image = Arc::new(image);
        let (sender, receiver) = mpsc::channel();
        let drawn = Arc::clone(&image);
        let stage = Stage::current();
        let draw = move || {
            let icons = drawn.drawing().map(|(drawing, vector)| Self::of(&drawing, vector, background));
            // Nobody waits for it any more where it took too long.
            let _ = sender.send(icons);
        };
        let work = move || stage.charge(draw);
        // What it takes was estimated, but by people who may be wrong, and nothing can stop the renderer: it is left alone.
        let started = thread::Builder::new().name("icons".to_owned()).stack_size(STACK).spawn(work);
        let result = started.ok().and_then(|_| receiver.recv_timeout(PATIENCE).ok());
        result.unwrap_or_else(|| Err(vec![image.unfinished()]))
    }

    fn of(drawing: &Drawing, vector: Option<Vec<u8>>, background: Option<Color>) -> Self {
        let background = background.unwrap_or(Color::WHITE);
        let name = |name: &str, bytes| Asset::new("assets/", Path::new(name), bytes);
        let vector = vector.map(|text| name("icon.svg", text));
        let touch = name("apple-touch-icon.png", png(&on(background, TOUCH_SIZE, &drawing.square(TOUCH_SIZE))));
        let plain = HOME_SIZES.map(|size| (size, false, name(&format!("icon-{size}.png"), png(&drawing.square(size)))));
        let maskable = on(background, MASKABLE_SIZE, &drawing.square(MASKABLE_PART));
        let maskable = (MASKABLE_SIZE, true, name("icon-maskable.png", png(&maskable)));
        let home: Vec<_> = plain.into_iter().chain([maskable]).collect();
        let of_home_screens = home.iter().map(|(size, is_maskable, asset)| HomeIcon {
            path: asset.file_name.clone(),
            size: *size,
            is_maskable: *is_maskable,
        });
        Self {
            favicon: SiteFile::new(FAVICON, ico(drawing), site_section()),
            of_home_screens: of_home_screens.collect(),
            assets: vector.iter().chain([&touch]).cloned().chain(home.into_iter().map(|(_, _, asset)| asset)).collect(),
            vector,
            touch,
        }
    }

    /// The output path of the one that browsers show in tabs.
    pub fn main(&self) -> &str {
        self.vector.as_ref().map_or(&*self.favicon.path, |vector| &*vector.file_name)
    }

    /// The files that are named after their content.
    pub fn assets(&self) -> &[Asset] {
        &self.assets
    }
}

/// An image in the middle of an opaque square.
fn on(background: Color, size: u32, image: &RgbaImage) -> RgbaImage {
    let [r, g, b] = background.channels;
    let mut square = RgbaImage::from_pixel(size, size, Rgba([r, g, b, u8::MAX]));
    let edge = (size - image.width()) / 2;
    for (x, y, Rgba([r, g, b, opacity])) in image.enumerate_pixels() {
        let Rgba([below_r, below_g, below_b, _]) = *square.get_pixel(edge + x, edge + y);
        let mixed = [(*r, below_r), (*g, below_g), (*b, below_b)].map(|(above, below)| mix(above, below, *opacity));
        square.put_pixel(edge + x, edge + y, Rgba([mixed[0], mixed[1], mixed[2], u8::MAX]));
    }
    square
}

fn mix(above: u8, below: u8, opacity: u8) -> u8 {
    let [above, below, opacity] = [above, below, opacity].map(u16::from);
    u8::try_from((above * opacity + below * (255 - opacity) + 127) / 255).unwrap_or(u8::MAX)
}

/// A file of the image, without opacity where nothing shows through: some home screens take that for a reason to paint
/// something behind it.
fn png(image: &RgbaImage) -> Vec<u8> {
    if image.pixels().any(|pixel| pixel.0[3] < u8::MAX) {
        return encoded(image.dimensions(), image, ExtendedColorType::Rgba8);
    }
    let pixels: Vec<u8> = image.pixels().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]]).collect();
    encoded(image.dimensions(), &pixels, ExtendedColorType::Rgb8)
}

fn ico(drawing: &Drawing) -> Vec<u8> {
    let color = ExtendedColorType::Rgba8;
    let frame = |size| {
        let image = encoded((size, size), &drawing.square(size), color);
        IcoFrame::with_encoded(image, size, size, color).ok()
    };
    let frames: Vec<_> = FAVICON_SIZES.into_iter().filter_map(frame).collect();
    let mut bytes = Vec::new();
    let _ = IcoEncoder::new(&mut bytes).encode_images(&frames);
    bytes
}

/// Nothing but the memory that is written to could fail.
fn encoded((width, height): (u32, u32), pixels: &[u8], color: ExtendedColorType) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive);
    let _ = encoder.write_image(pixels, width, height, color);
    bytes
}
