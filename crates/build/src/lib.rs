//! A build: from the sources of a portal to an [`OutputSet`](portalgen_release::output::OutputSet), judged and not yet
//! published. This is the only crate that knows all the others.
//!
//! ```text
//! routes.toml --portalgen_portal--> Portal        routes, titles, redirects
//! site/ --------portalgen_bundle--> Bundle        once for browsers, once for the engine
//!               portalgen_engine--> RenderedPage  React, run in the embedded engine
//! templates/ ---shell-------------> documents     pages, stubs, 404
//!               metadata----------> files, heads  sitemap, icons and what else search engines and networks read
//! site/public --public_files------> files         byte for byte
//!               check-------------> Diagnostics   the finished documents, judged by rules
//! ```
//!
//! Begin with [`pipeline`], which is that chain. [`runtime`] is the TypeScript around the site's pages, in the browser and in
//! the engine; [`head_elements`] finds what React means for the head of a document; [`budget`] says what became too large, and why.

pub mod budget;
pub mod check;
pub mod head_elements;
pub mod mentions;
pub mod metadata;
pub mod page_files;
pub mod pipeline;
pub mod public_files;
pub mod runtime;
pub mod shell;
