//! The texts of all modules, how they name each other, and where in them a stack points.

use std::{collections::BTreeMap, sync::Arc};

use rquickjs::{Ctx, Error, Exception, Result as JsResult};

use super::{
    failure::{Failure, Frame},
    globals,
};

/// The modules of a program, wherever their texts are kept.
pub trait Texts: Send + Sync {
    /// The text of the ES module with this name, a path such as `assets/index-abc.js`. Modules import each other by specifiers
    /// relative to it.
    fn text(&self, name: &str) -> Option<&str>;
}

impl Texts for BTreeMap<String, String> {
    fn text(&self, name: &str) -> Option<&str> {
        self.get(name).map(String::as_str)
    }
}

/// The modules of a program and those of the engine. Clones are the same library.
#[derive(Clone)]
pub(super) struct Library(Arc<dyn Texts>);

impl Library {
    pub(super) fn new(program: Arc<dyn Texts>) -> Self {
        Self(program)
    }

    /// The text of a module.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        if is_of_engine(name) { globals::text(name) } else { self.0.text(name) }
    }

    /// The text of one of the program's modules.
    pub(super) fn text_of_program(&self, name: &str) -> Option<&str> {
        self.0.text(name).filter(|_| !is_of_engine(name))
    }

    /// The name of the module that `specifier` means in the module `base`, or why there is none. Rust itself imports with an
    /// empty base.
    pub(super) fn resolve(&self, ctx: &Ctx<'_>, base: &str, specifier: &str) -> JsResult<String> {
        self.find(base, specifier).ok_or_else(|| thrown(ctx, &Failure::missing_module(specifier, base)))
    }

    /// The name of the module that `specifier` means in the module `base`.
    pub(super) fn find(&self, base: &str, specifier: &str) -> Option<String> {
        let name = if base.is_empty() { Some(specifier.to_owned()) } else { join(base, specifier) };
        let in_reach = |name: &String| base.is_empty() || is_of_engine(name) == is_of_engine(base);
        name.filter(|name| in_reach(name) && self.text(name).is_some())
    }

    /// The frames of a stack as the engine writes it, without those outside the program's modules. Frames in those of the engine
    /// mean nothing to users.
    pub(super) fn frames(&self, stack: &str) -> Vec<Frame> {
        stack.lines().filter_map(|line| self.frame(line.trim().strip_prefix("at ")?)).collect()
    }

    /// `function (script:line:column)`, or only `script:line:column` for a syntax error.
    fn frame(&self, text: &str) -> Option<Frame> {
        let (function, position) = match text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
            Some((function, position)) => (Some(function), position),
            None => (None, text),
        };
        let (rest, column) = position.rsplit_once(':')?;
        let (script, line) = rest.rsplit_once(':')?;
        let (line, byte_column): (u32, usize) = (line.parse().ok()?, column.parse().ok()?);
        let code = self.text_of_program(script)?;
        let text = code.split('\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
        if byte_column == 1 && function != Some("<eval>") && text.len() > LONG_LINE {
            return None;
        }
        let function = function.filter(|name| !name.starts_with('<')).map(str::to_owned);
        Some(Frame { function, script: script.to_owned(), line, column: utf16_column(text, byte_column) })
    }
}

/// Whether a module is one of the engine's own.
pub(super) fn is_of_engine(name: &str) -> bool {
    name.starts_with(globals::FOLDER)
}

/// A failure as an exception that scripts can catch.
pub(super) fn thrown(ctx: &Ctx<'_>, failure: &Failure) -> Error {
    match Exception::from_message(ctx.clone(), failure.message.english()) {
        Ok(exception) => exception.throw(),
        Err(error) => error,
    }
}

/// Resolves a relative specifier; none for a bare one and for one that climbs too high.
fn join(base: &str, specifier: &str) -> Option<String> {
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return None;
    }
    let mut segments: Vec<&str> = base.split('/').collect();
    segments.pop();
    for segment in specifier.split('/') {
        match segment {
            "." => {}
            ".." => drop(segments.pop()?),
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

/// The engine gives column 1 to code in functions that neither call nor read anything. On a line this long, of
/// minified code, that would point anywhere.
const LONG_LINE: usize = 200;

/// The engine counts a column in bytes of UTF-8 and from 1.
fn utf16_column(line: &str, byte_column: usize) -> u32 {
    let before = &line[..line.floor_char_boundary(byte_column.saturating_sub(1).min(line.len()))];
    u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
}
