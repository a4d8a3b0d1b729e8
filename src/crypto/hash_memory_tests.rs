#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn kept(memory: &HashMemory) -> Vec<usize> {
    memory.free().iter().map(Vec::len).collect()
}

#[test]
fn one_after_the_other_use_the_same_memory() {
    let memory = HashMemory::new(8, 2);
    let place = |blocks: &mut [Block]| blocks.as_ptr().addr();
    let first = memory.lend(8, place).unwrap();
    for _ in 0..100 {
        assert_eq!(memory.lend(8, place).unwrap(), first);
    }
    assert_eq!(kept(&memory), [8]);
}

#[test]
fn those_at_once_have_memory_of_their_own() {
    let memory = HashMemory::new(8, 2);
    let apart = memory.lend(8, |one| memory.lend(8, |other| one.as_ptr() != other.as_ptr()).unwrap());
    assert!(apart.unwrap());
    assert_eq!(kept(&memory), [8, 8]);
}

#[test]
fn what_a_larger_hash_needed_is_given_back() {
    let memory = HashMemory::new(8, 2);
    assert_eq!(memory.lend(64, |blocks| blocks.len()), Ok(64));
    assert_eq!(kept(&memory), [0; 0]);
    assert!(memory.lend(usize::MAX / 2048, |_| ()).is_err());
}

#[test]
fn more_at_once_than_usual_leave_nothing_behind() {
    let memory = HashMemory::new(8, 1);
    memory.lend(8, |_| memory.lend(8, |_| ()).unwrap()).unwrap();
    assert_eq!(kept(&memory), [8]);
}
