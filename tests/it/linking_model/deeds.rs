//! What people may do, and the orders of it.

/// Something that the stranger or the owner of the address does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// The stranger signs up with the owner's address and a password.
    StrangerSignsUp,
    /// The stranger logs in with a provider that lets anyone claim the address.
    StrangerClaims,
    /// The stranger connects an account at a provider with what their browser is logged in to.
    StrangerConnects,
    /// The stranger asks for a password reset of the owner's address.
    StrangerForgets,
    /// The stranger answers the owner's question, whose state they learned.
    StrangerAnswers,
    /// The stranger presses the owner's button, whose state they learned.
    StrangerAccepts,
    OwnerSignsUp,
    OwnerLogsIn,
    /// The owner logs in with a provider whose word counts.
    OwnerArrives,
    /// The same in another browser.
    OwnerArrivesElsewhere,
    /// The owner logs in with a provider whose word does not count.
    OwnerClaims,
    /// The owner types the last mailed code in the browser that waits for it, and says "mine".
    OwnerVerifies,
    /// The same, and says "not mine".
    OwnerVerifiesAnew,
    /// The owner opens the last mailed link in another browser.
    OwnerOpensLink,
    /// The owner sets a new password by mail, and says "mine".
    OwnerResets,
    /// The same, and says "not mine".
    OwnerResetsAnew,
    /// The owner answers "mine" to the question after a return.
    OwnerSaysMine,
    /// The owner answers "not mine" in the other browser.
    OwnerSaysNotMine,
    /// The owner connects what was offered.
    OwnerAccepts,
}

impl Deed {
    pub const ALL: [Deed; 19] = [
        Deed::StrangerSignsUp,
        Deed::StrangerClaims,
        Deed::StrangerConnects,
        Deed::StrangerForgets,
        Deed::StrangerAnswers,
        Deed::StrangerAccepts,
        Deed::OwnerSignsUp,
        Deed::OwnerLogsIn,
        Deed::OwnerArrives,
        Deed::OwnerArrivesElsewhere,
        Deed::OwnerClaims,
        Deed::OwnerVerifies,
        Deed::OwnerVerifiesAnew,
        Deed::OwnerOpensLink,
        Deed::OwnerResets,
        Deed::OwnerResetsAnew,
        Deed::OwnerSaysMine,
        Deed::OwnerSaysNotMine,
        Deed::OwnerAccepts,
    ];
}

/// Four to twelve steps; in one of four, two deeds at once. Two of three begin with what a stranger prepares, as little
/// happens otherwise.
#[derive(Debug)]
pub struct Orders {
    pub seed: u64,
    pub steps: Vec<Vec<Deed>>,
}

impl Orders {
    pub fn of(seed: u64) -> Self {
        let mut random = SplitMix(seed);
        let length = 4 + random.below(9);
        let step = |random: &mut SplitMix| {
            let count = if random.below(4) == 0 { 2 } else { 1 };
            (0..count).map(|_| Deed::ALL[random.below(Deed::ALL.len())]).collect()
        };
        let mut steps: Vec<Vec<Deed>> = (0..length).map(|_| step(&mut random)).collect();
        match random.below(3) {
            0 => {}
            which => steps[0] = vec![if which == 1 { Deed::StrangerSignsUp } else { Deed::StrangerClaims }],
        }
        Self { seed, steps }
    }
}

/// Steele, Lea and Flood (2014): the same orders on every machine.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap()
    }
}
