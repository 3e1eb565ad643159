//! `portalgen dev`: a portal while it is being made. All but [`session`] and the panel is a server without what it serves, which is
//! a [`Content`](content::Content), so nothing there knows bundler, engine or routes.
//!
//! ```text
//! browser ── TCP ──▶ server ── access ── path ──▶ Content::answer
//!                                  └── proxy ──▶ backends
//!            socket ◀──────── Clients ◀── broadcast, in order, of one generation after the other
//!                      socket ──────────────────▶ Content::received
//! disk ── events ──▶ watch ── what really differs ──▶ News
//! ```
//!
//! - [`access`] decides from what a request says of itself whether it may be answered at all, and [`path`] which paths can be
//!   asked for. Both are functions on values, and come before any look-up.
//! - [`server`] listens on the loopback addresses of this machine, speaks HTTP, and calls the content on threads that may
//!   block. A client that is broken or slow costs itself its connection, and nobody else anything. Its `proxy` passes requests on to
//!   other servers.
//! - [`network`] holds who is answered and what is passed on, which `routes.toml` may change while the server runs. [`lan`] finds the
//!   addresses of this machine, [`qr`] draws one, and [`certificate`] keeps what `https` needs.
//! - [`socket`] keeps the pages that are connected, and sends to all of them.
//! - [`session`] is what is served: the portal as the sources are now. [`client`] is the script by which pages follow it.
//! - `panel` is where editors change titles, descriptions and redirects in the browser.
//! - [`watch`] is told what a build depends on, and tells what of that has changed.
//!
//! Begin with [`content`] for the server, and with [`session`] for the portal.

pub mod access;
pub mod certificate;
pub mod client;
pub mod content;
pub mod lan;
mod messages;
pub mod network;
mod panel;
pub mod path;
mod problems;
pub mod qr;
pub mod server;
pub mod session;
pub mod socket;
mod stack;
pub mod watch;
