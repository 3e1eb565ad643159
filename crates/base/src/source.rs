//! Where inputs come from. Stages read through [`Sources`], so that the same code builds from a disk, from
//! memory in a test, and from an editor's unsaved buffers.

mod disk;
mod hash;
mod memory;
mod moved;
mod names;
mod planned;
mod reach;
mod stamp;
mod trace;
mod tree;
mod watched;
mod workspace;

pub use self::{
    disk::Disk,
    memory::Memory,
    moved::Moved,
    names::{display_name, normalize},
    planned::Planned,
    reach::{Refused, is_of_system},
    stamp::Stamp,
    trace::{Trace, Verdict},
    tree::{Found, Kind, Sources, Unwalkable, explain},
    watched::{Dependencies, Watched},
};
