//! Chance that can be repeated: everything follows from a seed.

use crate::people::mix;

/// A generator of numbers.
pub struct Dice(u64);

impl Dice {
    /// The same seed throws the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = mix(self.0);
        self.0
    }

    /// A number below `below`, which must not be zero.
    pub fn below(&mut self, below: usize) -> usize {
        let below = u64::try_from(below).unwrap_or(u64::MAX);
        usize::try_from(self.number() % below).unwrap_or_default()
    }

    /// A number from 0 to below 1.
    pub fn share(&mut self) -> f64 {
        let high = u32::try_from(self.number() >> 32).unwrap_or_default();
        f64::from(high) / (f64::from(u32::MAX) + 1.0)
    }

    /// One of these, each as likely as its weight says.
    pub fn weighted<T: Copy>(&mut self, choices: &[(T, usize)]) -> Option<T> {
        let total = choices.iter().map(|(_, weight)| weight).sum::<usize>().max(1);
        let mut left = self.below(total);
        for (choice, weight) in choices {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return Some(*choice),
            }
        }
        None
    }
}
