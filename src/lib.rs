//! The program: commands, what they print, and new portals. What they do is in the crates below.

pub mod cli;
pub mod init;
