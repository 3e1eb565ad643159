//! What every part of portalgen shares: messages in two languages, places in texts, rules, sources.

pub mod cache;
pub mod characters;
pub mod date;
pub mod diagnostic;
pub mod media;
pub mod packages;
pub mod rules;
pub mod sizes;
pub mod source;
pub mod text;
pub mod timing;
