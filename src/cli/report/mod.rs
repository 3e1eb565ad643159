//! How diagnostics look: to people in a terminal, to programs, and to reviewers of a change.

mod excerpt;
mod github;
mod human;
mod json;
mod look;
mod parts;

pub use self::{github::github, human::human, json::json, look::Look};
