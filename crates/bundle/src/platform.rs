//! What code is made for, as far as that decides about what it is made from.

/// Where the code will run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// In a visitor's browser.
    Browser,
    /// In the embedded engine, while the site is built.
    Prerender,
    /// In Node.js, whose own modules are external.
    Node,
    /// Anywhere: nothing is taken for granted.
    Neutral,
}

/// Which of a package's builds is taken, and what `process.env.NODE_ENV` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Small and fast.
    #[default]
    Production,
    /// With React's warnings.
    Development,
}

impl Mode {
    pub(crate) fn is_development(self) -> bool {
        self == Self::Development
    }

    /// The value of `process.env.NODE_ENV`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Development => "development",
        }
    }
}

/// What the engine that prerenders makes of a regular expression literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegexSupport {
    /// Its parser takes the literal.
    Literal,
    /// Its parser does not, and browsers may: the constructor has to be called, which makes the expression or throws
    /// where it is used.
    Constructor,
    /// No engine takes it, for this reason.
    Invalid(String),
}

/// Judges regular expression literals. swc does not read patterns, and one that is invalid would keep a whole chunk from
/// running.
#[derive(Clone, Copy, Debug)]
pub struct RegexJudge {
    /// Tells it from others. What it says is kept under this name, see [`Options::scans`](crate::Options::scans).
    pub name: &'static str,
    /// Judges one by its pattern and its flags.
    pub judge: fn(pattern: &str, flags: &str) -> RegexSupport,
}

impl RegexJudge {
    /// Finds nothing wrong with any.
    pub const LENIENT: Self = Self { name: "lenient", judge: |_, _| RegexSupport::Literal };
}
