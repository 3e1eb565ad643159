//! What keeps a store small: packs are merged, and results go that were not used for long.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Name,
    pack::{self, Pack, Place},
    sealed,
    shelf::{DAY, Item, Shelf, age},
};

/// How large a store may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The size of all results, in bytes: half of it for one version of the program, and half for all others.
    pub bytes: u64,
    /// The number of results of one version.
    pub entries: usize,
    /// How long a result is kept that nothing asks for.
    pub age: Duration,
    /// The number of builds.
    pub builds: usize,
    /// Their size, in bytes.
    pub build_bytes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            bytes: 512 << 20,
            entries: 400_000,
            age: Duration::from_hours(30 * 24),
            builds: 32,
            build_bytes: 256 << 20,
        }
    }
}

/// The file that says when results were used last, of those that were used after the day they were made on.
pub(super) const USES: &str = "uses";
/// With more packs than that, the small ones are merged.
const MOST_PACKS: usize = 8;
/// How many packs, the largest, a merge leaves alone.
const LEFT_ALONE: usize = 3;
/// To how much of a bound is cut what goes beyond it: the next build should not be beyond it again.
const CUT: (u64, u64) = (3, 4);
const DAY_IN_HOURS: u32 = 24;
/// The size of a note on a use: kind, key and hour.
const RECORD: usize = 1 + 16 + 4;

/// What upkeep works on.
pub(super) struct Work<'a> {
    pub(super) results: &'a Shelf,
    pub(super) identity: u128,
    pub(super) bounds: Bounds,
    /// What the process has used.
    pub(super) used: &'a FxHashSet<Name>,
    /// Whether an entry is damaged.
    pub(super) is_damaged: bool,
}

/// Notes what was used, merges packs and keeps to the bounds, each where it is due.
pub(super) fn run(work: &Work<'_>) {
    let packs = pack::open_all(work.results, work.identity);
    let uses = note_uses(work, &packs);
    remove_others(work);
    let own: u64 = packs.iter().map(|pack| pack.length).sum();
    let count: usize = packs.iter().map(Pack::count).sum();
    // The other half is for other versions.
    let room = Room { bytes: work.bounds.bytes / 2, entries: work.bounds.entries };
    if work.is_damaged || own > room.bytes || count > room.entries {
        merge(work, &packs.iter().collect::<Vec<_>>(), &uses, room);
    } else if packs.len() > MOST_PACKS {
        let mut small: Vec<&Pack> = packs.iter().collect();
        small.sort_by_key(|pack| pack.length);
        small.truncate(packs.len() - LEFT_ALONE);
        merge(work, &small, &uses, room);
    }
    work.results.clear_unfinished();
}

/// When results were used last, in hours since 1970.
type Uses = FxHashMap<Name, u32>;

/// Writes down what was used, to the day.
fn note_uses(work: &Work<'_>, packs: &[Pack]) -> Uses {
    let entries = || packs.iter().flat_map(Pack::entries);
    if entries().all(|(_, place)| !is_old(place.hour)) {
        return Uses::default();
    }
    let known = read_uses(work);
    let now = pack::hour();
    let mut is_changed = false;
    let mut current = BTreeMap::new();
    for (name, place) in entries() {
        let last = known.get(&name).copied().unwrap_or(place.hour);
        let is_new = work.used.contains(&name) && is_old(last);
        is_changed |= is_new;
        if is_new || last != place.hour {
            current.insert(name, if is_new { now } else { last });
        }
    }
    if is_changed {
        let records = current.iter().flat_map(|(name, hour)| record(*name, *hour));
        let records: Vec<u8> = records.collect();
        let length = records.len() as u64;
        let _ = sealed::write(work.results, USES, work.identity, length, |out| out.write_all(&records));
    }
    current.into_iter().collect()
}

/// Whether it is worth noting that what was used in that hour is used again.
pub(super) fn is_old(hour: u32) -> bool {
    pack::hour().abs_diff(hour) >= DAY_IN_HOURS
}

fn record((kind, key): Name, hour: u32) -> Vec<u8> {
    [&[kind][..], &key.to_le_bytes(), &hour.to_le_bytes()].concat()
}

fn read_uses(work: &Work<'_>) -> Uses {
    let content = sealed::read(work.results, USES, work.identity).unwrap_or_default();
    let record = |record: &[u8]| {
        let (kind, rest) = record.split_first()?;
        let (key, hour) = rest.split_first_chunk()?;
        Some(((*kind, u128::from_le_bytes(*key)), u32::from_le_bytes(hour.try_into().ok()?)))
    };
    content.chunks_exact(RECORD).filter_map(record).collect()
}

/// Removes results of other programs that were not used for long, the oldest first where there are too many. Those of the
/// one that was used last have always room enough, so two programs used by turns leave each other's alone.
fn remove_others(work: &Work<'_>) {
    let shelves = work.results.beside().into_iter().filter(|shelf| !shelf.is(work.results));
    let mut others: Vec<(SystemTime, u64, Shelf)> = shelves
        .map(|shelf| {
            let items = shelf.items();
            let time = items.iter().map(|item| item.time).max().unwrap_or(SystemTime::UNIX_EPOCH);
            (time, items.iter().map(|item| item.length).sum(), shelf)
        })
        .collect();
    others.sort_by_key(|(time, ..)| std::cmp::Reverse(*time));
    let room = work.bounds.bytes / 2;
    let mut total = 0;
    for (time, bytes, shelf) in others {
        if age(time) > work.bounds.age || total + bytes > room {
            shelf.remove_all();
        } else {
            total += bytes;
        }
    }
}

/// How much there may be of a program's results.
#[derive(Clone, Copy)]
struct Room {
    bytes: u64,
    entries: usize,
}

/// Writes one pack in place of several: each result once, without those that are damaged or too old, and the latest used
/// ones where there are too many.
fn merge(work: &Work<'_>, packs: &[&Pack], uses: &Uses, room: Room) {
    let all = packs.iter().flat_map(|pack| pack.entries().map(move |(name, place)| (name, (*pack, place))));
    let all: BTreeMap<Name, (&Pack, Place)> = all.collect();
    let (oldest, now) = (u32::try_from(work.bounds.age.as_secs() / 3600).unwrap_or(u32::MAX), pack::hour());
    let last = |name: &Name, place: &Place| uses.get(name).copied().unwrap_or(place.hour);
    let mut kept: Vec<(u32, Name, &Pack, Place)> =
        all.into_iter().map(|(name, (pack, place))| (last(&name, &place), name, pack, place)).collect();
    kept.retain(|(last, name, ..)| work.used.contains(name) || now.abs_diff(*last) <= oldest);
    cut(&mut kept, work.used, room);
    let entries = kept.iter().filter_map(|(last, name, pack, place)| {
        let bytes = pack.read(*name, place)?;
        Some((*name, *last, bytes.into()))
    });
    let written = if kept.is_empty() { Ok(String::new()) } else { pack::write(work.results, work.identity, entries) };
    // Without the new pack, as on a full disk, the old ones are better than nothing.
    if let Ok(name) = written {
        packs.iter().filter(|pack| pack.name != name).for_each(|pack| work.results.remove(&pack.name));
    }
}

/// Drops what was not used for the longest time where there is not enough room.
fn cut(kept: &mut Vec<(u32, Name, &Pack, Place)>, used: &FxHashSet<Name>, room: Room) {
    let total: u64 = kept.iter().map(|(.., place)| place.length()).sum();
    if total <= room.bytes && kept.len() <= room.entries {
        return;
    }
    kept.sort_by_key(|(last, name, ..)| std::cmp::Reverse((used.contains(name), *last, *name)));
    let (most, part) = CUT;
    let (bytes, entries) = (room.bytes / part * most, room.entries as u64 * most / part);
    let mut sum = 0;
    let fits = |(.., place): &&(u32, Name, &Pack, Place)| {
        sum += place.length();
        sum <= bytes
    };
    let count = kept.iter().take(usize::try_from(entries).unwrap_or(usize::MAX)).take_while(fits).count();
    kept.truncate(count);
}

/// Removes the builds that were used longest ago, where there are too many. The `latest` stays.
pub(super) fn bound_builds(builds: &Shelf, bounds: Bounds, latest: &str) {
    let mut items = builds.items();
    // Times are not exact enough to tell which of some that were written at once is the latest.
    items.sort_by_key(|item| std::cmp::Reverse((item.name == latest, item.time)));
    let mut bytes = 0;
    let goes = |(number, item): &(usize, Item)| {
        bytes += item.length;
        *number >= bounds.builds || bytes > bounds.build_bytes && *number > 0 || age(item.time) > bounds.age.max(DAY)
    };
    for (_, item) in items.into_iter().enumerate().filter(goes) {
        builds.remove(&item.name);
    }
    builds.clear_unfinished();
}
