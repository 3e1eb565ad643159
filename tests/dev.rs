//! `portalgen dev`: what is served follows the sources.

mod edits;
mod serving;
mod tolerance;
