//! A portal that is built: the set of files, what is known of it, and what becomes of it. It knows neither the bundler nor the
//! engine, so a folder that was built elsewhere can be planned, previewed and checked as well.
//!
//! ```text
//! output    OutputSet     output path -> bytes, kind and producer: everything that will be published
//! manifest  Manifest      the build in one value that outlives it, stored as a note in the output folder
//! hosting   HostFiles     redirects, headers and settings for each platform, and what each then answers
//! publish   dist/         the only code that writes
//! ```
//!
//! - Before publishing: [`compress`] makes compressed forms, [`earlier_build`] finds assets of the build before that are to stay,
//!   [`ledger`] has every address that was ever published, and [`plan`] says what a build would change.
//! - Before building: [`edit`] changes texts of `routes.toml`, if the portal can be built afterwards.
//! - Judging: [`html`] reads finished HTML as browsers do, [`static_server`] is what any static server makes of a path, and
//!   [`headers`] is what every response says.
//! - Afterwards: [`preview`] serves the folder as a host would, and [`deploy_check`] compares a portal that is live with its manifest.
//!
//! Begin with [`manifest`]: hosting, previews, plans, live checks and the next build all work from it.

pub mod compress;
pub mod content_hash;
pub mod deploy_check;
pub mod earlier_build;
pub mod edit;
pub mod headers;
pub mod hosting;
pub mod html;
pub mod ledger;
pub mod manifest;
pub mod output;
pub mod plan;
pub mod preview;
pub mod publish;
pub mod static_server;
