use super::*;

#[test]
fn connections_are_bounded_by_memory_and_site() {
    assert_eq!(max_of_memory(512 * 1024 * 1024), 1872);
    assert_eq!(max_of_memory(16 * 1024 * 1024), LEAST_OF_ALL);
    assert_eq!(max_of_site(8000), 1000);
    assert_eq!(max_of_site(100), LEAST_OF_SITE);
    assert_eq!((max_of_strangers(100, true), max_of_strangers(100, false)), (50, 100));
    assert!(max_of_all() > 0);
}
