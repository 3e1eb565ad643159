//! Printing: the syntax tree of a chunk to text, minified or as it is.

use swc_core::{
    common::{
        BytePos, LineCol, SourceMap,
        comments::{Comments, SingleThreadedComments},
        sync::Lrc,
    },
    ecma::{
        ast::{EsVersion, Pass, Program},
        codegen::{
            Config, Emitter,
            text_writer::{JsWriter, WriteJs, omit_trailing_semi},
        },
        transforms::base::fixer::fixer,
    },
};

use super::{closed::Resolved, minify::minify};
use crate::options::{Options, SourceMaps};

/// The text of a chunk, with where each piece of it came from.
pub(crate) struct Printed {
    pub code: String,
    pub mappings: Vec<(BytePos, LineCol)>,
}

/// Prints a chunk. Runs under the chunk's own `Globals`.
pub(super) fn print(
    program: Resolved,
    map: &Lrc<SourceMap>,
    comments: &SingleThreadedComments,
    options: &Options,
) -> Printed {
    let has_positions = options.source_maps != SourceMaps::None;
    let keeps_names = options.mode.is_development();
    Printer { map, comments, is_minified: options.minify, keeps_names, has_positions }.print(program)
}

/// Prints statements whose names are what they are to be. Runs under `Globals` of its own.
pub(crate) fn print_plain(program: Program, map: &Lrc<SourceMap>) -> Printed {
    let comments = SingleThreadedComments::default();
    Printer { map, comments: &comments, is_minified: false, keeps_names: true, has_positions: true }.text(program)
}

struct Printer<'a> {
    map: &'a Lrc<SourceMap>,
    comments: &'a SingleThreadedComments,
    is_minified: bool,
    keeps_names: bool,
    has_positions: bool,
}

impl Printer<'_> {
    fn print(&self, resolved: Resolved) -> Printed {
        let Self { map, comments, is_minified, keeps_names, .. } = *self;
        self.text(if is_minified { minify(resolved, map, comments, keeps_names) } else { resolved.program })
    }

    fn text(&self, mut program: Program) -> Printed {
        let Self { map, comments, is_minified, has_positions, .. } = *self;
        fixer(Some(comments)).process(&mut program);

        let mut code = Vec::new();
        let mut mappings = Vec::new();
        let writer = JsWriter::new(Lrc::clone(map), "\n", &mut code, has_positions.then_some(&mut mappings));
        let writer: Box<dyn WriteJs> =
            if is_minified { Box::new(omit_trailing_semi(writer)) } else { Box::new(writer) };
        let mut emitter = Emitter {
            cfg: Config::default().with_target(EsVersion::latest()).with_minify(is_minified).with_omit_last_semi(true),
            cm: Lrc::clone(map),
            comments: (!is_minified).then_some(comments as &dyn Comments),
            wr: writer,
        };
        // Writing to memory does not fail.
        let written = emitter.emit_program(&program);
        debug_assert!(written.is_ok());
        drop(emitter);
        Printed { code: String::from_utf8_lossy(&code).into_owned(), mappings }
    }
}
