use super::*;

fn list(version: i64) -> Arc<ProviderList> {
    Arc::new(ProviderList { version, rows: Vec::new() })
}

#[test]
fn list_of_another_version_is_read_again() {
    let memory = ProviderMemory::default();
    let started = memory.start_read();
    memory.keep(started, &list(3));
    assert!(memory.current().is_none(), "before the first poll");
    memory.note_poll(3, true);
    assert!(memory.current().is_some());
    memory.note_poll(4, true);
    assert!(memory.current().is_none());
}

#[test]
fn list_of_another_server_is_forgotten_even_if_it_is_being_read() {
    let memory = ProviderMemory::default();
    memory.note_poll(3, true);
    let started = memory.start_read();
    memory.note_poll(3, false);
    memory.keep(started, &list(3));
    assert!(memory.current().is_none());
    memory.keep(memory.start_read(), &list(3));
    assert!(memory.current().is_some());
}
