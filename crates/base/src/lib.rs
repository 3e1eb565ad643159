//! Vocabulary that every part of portalgen shares. It knows no stage and no other crate.
//!
//! Begin with [`diagnostic`]: a [`Diagnostic`](diagnostic::Diagnostic) is what a stage has to say about an input, with its place,
//! related places and hints. What it says is a [`Text`](text::Text), a sentence in every language at once, written with
//! [`text!`](text::text); how much it weighs follows from the [rule](rules) that it names.
//!
//! Inputs are read through [`Sources`](source::Sources): a [`Disk`](source::Disk) that refuses what does not belong to the
//! project, or memory in tests; [`Watched`](source::Watched) notes what was asked for. Results of slow work outlive a build in a [`Store`](store::Store).
//!
//! What a build makes and needs again before it ends is a [`Blob`](blob::Blob), on disk if it is too much for memory.
//!
//! The rest is small: [`problems`] of several steps, [`invisible`] that cannot be seen, what the [`system`] refuses, [`date`]s, [`media`] types by file ending, [`packages`] that every
//! portal needs, [`sizes`] as people read them, and the [`timing`] of stages.

pub mod blob;
pub mod date;
pub mod diagnostic;
pub mod invisible;
pub mod media;
pub mod packages;
pub mod problems;
pub mod rules;
pub mod sizes;
pub mod source;
pub mod store;
pub mod system;
pub mod text;
pub mod timing;
