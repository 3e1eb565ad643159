//! portalgen turns `routes.toml` and a folder of React pages into a static portal.
//!
//! A build is a chain of functions, each from the value before it to the next one; [`build`] is that chain.
//!
//! ```text
//! routes.toml --config--> Portal        every mistake at once, with file, line, column and a hint
//! site/ ------bundle----> Bundle        chunks, style sheets and assets named by content; once for the browser,
//!                                       once for the engine
//!             prerender-> [RenderedPage]  React run in the embedded engine
//! templates/ --shell----> documents     pages, stubs, 404
//!             manifest -> Manifest      what was made, for those who deploy it, preview it, or build the next one
//!             metadata -> files, heads  sitemap, icons and what else search engines, networks and home screens read
//!             hosting --> HostFiles     redirects, headers and settings for the platforms
//!             output ---> OutputSet     output path -> bytes
//!             check ----> [Diagnostic]  the finished documents, judged by rules
//!             publish --> dist/         the only code that writes
//! ```
//!
//! Stages read through [`source::Sources`] and return values. Only [`publish`] writes; only [`cli`] prints, reads the
//! environment and starts other programs.

pub mod answer;
mod budget;
pub mod build;
pub mod bundle;
pub mod cache;
mod characters;
pub mod check;
pub mod cli;
pub mod compress;
pub mod config;
pub mod date;
pub mod diagnostic;
mod document;
pub mod edit;
pub mod headers;
pub mod history;
mod hoisted;
pub mod hosting;
pub mod init;
pub mod ledger;
pub mod live;
pub mod manifest;
pub mod media;
pub mod metadata;
pub mod output;
mod packages;
pub mod plan;
pub mod prerender;
pub mod preview;
pub mod previous;
pub mod public;
pub mod publish;
pub mod rules;
mod runtime;
pub mod shell;
mod sizes;
pub mod source;
pub mod text;
pub mod timing;
pub mod titles;
