//! Sets of numbers of which most hold few of many.

use std::ops::Range;

/// A set of numbers, as large as what it holds: of a portal with many pages, a bit for each pair of a page and a module would
/// be more than everything else.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NumberSet {
    /// Ascending.
    numbers: Vec<u32>,
}

impl NumberSet {
    /// Adds a number, quickly if it is larger than the others.
    pub(crate) fn insert(&mut self, number: usize) {
        let number = short(number);
        match self.numbers.last() {
            Some(last) if *last >= number => {
                if let Err(place) = self.numbers.binary_search(&number) {
                    self.numbers.insert(place, number);
                }
            }
            _ => self.numbers.push(number),
        }
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.numbers.binary_search(&short(number)).is_ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.numbers.iter().map(|number| *number as usize)
    }

    pub(crate) fn minimum(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The one number that it holds, if it is one.
    pub(crate) fn only(&self) -> Option<usize> {
        self.minimum().filter(|_| self.numbers.len() == 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// How many numbers of a range it holds.
    pub(crate) fn count_in(&self, range: &Range<usize>) -> usize {
        let before = |end: usize| self.numbers.partition_point(|number| (*number as usize) < end);
        before(range.end).saturating_sub(before(range.start))
    }

    /// The numbers that this set and another one hold.
    pub(crate) fn intersection<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        self.iter().filter(|number| other.contains(*number))
    }

    /// The numbers that another set does not hold.
    pub(crate) fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        self.iter().filter(|number| !other.contains(*number))
    }

    pub(crate) fn is_disjoint(&self, other: &Self) -> bool {
        self.intersection(other).next().is_none()
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }
}

impl FromIterator<usize> for NumberSet {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        let mut numbers: Vec<u32> = numbers.into_iter().map(short).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.shrink_to_fit();
        Self { numbers }
    }
}

/// More than four thousand million modules do not fit into memory.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> NumberSet {
        numbers.iter().copied().collect()
    }

    #[test]
    fn numbers_are_there_once_and_in_order() {
        let mut numbers = set(&[5, 1, 5]);
        for number in [3, 9, 1, 9] {
            numbers.insert(number);
        }
        assert_eq!(numbers.iter().collect::<Vec<_>>(), [1, 3, 5, 9]);
        assert_eq!((numbers.len(), numbers.minimum(), numbers.only()), (4, Some(1), None));
        assert!(numbers.contains(3) && !numbers.contains(4) && !numbers.is_empty());
        assert_eq!(numbers.count_in(&(3..9)), 2);
        assert_eq!(numbers.count_in(&(6..9)), 0);
        assert_eq!((set(&[7]).only(), set(&[]).minimum()), (Some(7), None));
    }

    #[test]
    fn two_sets_are_compared() {
        let (first, second) = (set(&[1, 3, 5]), set(&[3, 4]));
        assert_eq!(first.intersection(&second).collect::<Vec<_>>(), [3]);
        assert_eq!(first.difference(&second).collect::<Vec<_>>(), [1, 5]);
        assert_eq!(first.union(&second), set(&[1, 3, 4, 5]));
        assert!(!first.is_disjoint(&second) && first.is_disjoint(&set(&[2, 4])));
    }
}
