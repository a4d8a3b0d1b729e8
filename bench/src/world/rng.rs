//! Reproducible random numbers from a seed.

use crate::people::mix;

pub struct Rng(u64);

impl Rng {
    /// The same seed generates the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    pub fn number(&mut self) -> u64 {
        self.0 = mix(self.0);
        self.0
    }

    /// A number below `below`, which must not be zero.
    pub fn below(&mut self, below: usize) -> usize {
        let below = u64::try_from(below).unwrap_or(u64::MAX);
        usize::try_from(self.number() % below).unwrap_or_default()
    }

    /// A number in 0..1.
    pub fn fraction(&mut self) -> f64 {
        let high = u32::try_from(self.number() >> 32).unwrap_or_default();
        f64::from(high) / (f64::from(u32::MAX) + 1.0)
    }

    /// One of the choices, with a probability in proportion to its weight.
    pub fn weighted<T: Copy>(&mut self, choices: &[(T, usize)]) -> Option<T> {
        let total = choices.iter().map(|(_, weight)| weight).sum::<usize>().max(1);
        let mut remaining = self.below(total);
        for (choice, weight) in choices {
            match remaining.checked_sub(*weight) {
                Some(rest) => remaining = rest,
                None => return Some(*choice),
            }
        }
        None
    }
}
