#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn kept(memory: &HashMemory) -> Vec<usize> {
    memory.free().iter().map(Vec::len).collect()
}

#[test]
fn sequential_hashes_reuse_buffer() {
    let memory = HashMemory::new(8, 2);
    let place = |blocks: &mut [Block]| blocks.as_ptr().addr();
    let first = memory.with_blocks(8, place).unwrap();
    for _ in 0..100 {
        assert_eq!(memory.with_blocks(8, place).unwrap(), first);
    }
    assert_eq!(kept(&memory), [8]);
}

#[test]
fn concurrent_hashes_use_separate_buffers() {
    let memory = HashMemory::new(8, 2);
    let apart = memory.with_blocks(8, |one| memory.with_blocks(8, |other| one.as_ptr() != other.as_ptr()).unwrap());
    assert!(apart.unwrap());
    assert_eq!(kept(&memory), [8, 8]);
}

#[test]
fn oversized_buffer_is_freed() {
    let memory = HashMemory::new(8, 2);
    assert_eq!(memory.with_blocks(64, |blocks| blocks.len()), Ok(64));
    assert_eq!(kept(&memory), [0; 0]);
    assert!(memory.with_blocks(usize::MAX / 2048, |_| ()).is_err());
}

#[test]
fn excess_buffers_are_freed() {
    let memory = HashMemory::new(8, 1);
    memory.with_blocks(8, |_| memory.with_blocks(8, |_| ()).unwrap()).unwrap();
    assert_eq!(kept(&memory), [8]);
}
