//! Where the output folder is served.

use portalgen_base::{
    diagnostic::did_you_mean,
    text::{self, text},
};

use super::value::Problem;

/// A platform, or a server, for which files are written that make it serve the portal rightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostingPlatform {
    /// Cloudflare Pages, and Workers with static assets.
    Cloudflare,
    /// Netlify.
    Netlify,
    /// Vercel.
    Vercel,
    /// GitHub Pages.
    GithubPages,
    /// Amazon S3 behind CloudFront.
    S3Cloudfront,
    /// A server with nginx.
    Nginx,
    /// A server with Caddy.
    Caddy,
}

impl HostingPlatform {
    /// All platforms, by the names that `platform` in `[deploy]` has for them.
    pub const NAMES: [(&'static str, Self); 7] = [
        ("cloudflare", Self::Cloudflare),
        ("netlify", Self::Netlify),
        ("vercel", Self::Vercel),
        ("github-pages", Self::GithubPages),
        ("s3-cloudfront", Self::S3Cloudfront),
        ("nginx", Self::Nginx),
        ("caddy", Self::Caddy),
    ];

    /// The name in `routes.toml` and on the command line.
    pub fn name(self) -> &'static str {
        let found = Self::NAMES.into_iter().find(|(_, platform)| *platform == self);
        found.map_or("", |(name, _)| name)
    }

    /// The platform of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, platform)| platform)
    }

    /// Reads a name.
    ///
    /// # Errors
    /// There is no platform of that name.
    pub(crate) fn parse(written: &str) -> Result<Self, Problem> {
        Self::of_name(written).ok_or_else(|| {
            let problem =
                Problem::new(text!("there is no hosting platform `{written}`", "没有 `{written}` 这个托管平台"));
            let names = Self::NAMES.map(|(name, _)| name);
            let all = || {
                let names = names.map(|name| format!("`{name}`"));
                let (english, chinese) = (names.join(", "), names.join("、"));
                text!("choose from {english}", "可以写 {chinese}")
            };
            problem.hint(did_you_mean(written, names).map_or_else(all, text::did_you_mean))
        })
    }
}
