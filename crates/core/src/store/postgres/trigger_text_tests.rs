use super::MadeObjects;
use crate::store::object_diff::texts_of;

const TEXT: &str = "-- A comment; with a semicolon.
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Kept.
    INSERT INTO changes VALUES (1);
END $$;
CREATE TRIGGER one AFTER UPDATE OF a ON users FOR EACH ROW WHEN (OLD.a IS DISTINCT FROM NEW.a)
EXECUTE FUNCTION note();
CREATE TRIGGER two AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION note();
DROP TRIGGER two ON users;
";

#[test]
fn triggers_and_functions_are_read_from_statements() {
    let made = MadeObjects::by(&[TEXT]);
    assert_eq!(made.triggers.keys().collect::<Vec<_>>(), ["one"]);
    let one = &made.triggers["one"];
    assert_eq!((one.table.as_str(), one.function.as_str()), ("users", "note"));
    assert!(one.statement.starts_with("CREATE TRIGGER one AFTER") && one.statement.ends_with("note()"));
    assert_eq!(made.functions["note"], "\nBEGIN\n    -- Kept.\n    INSERT INTO changes VALUES (1);\nEND ");
}

#[test]
fn every_trigger_of_the_schema_has_its_table_and_function() {
    let taken: Vec<i64> = crate::store::migrate::STEPS.iter().map(|step| step.0).collect();
    let texts = texts_of(&taken, |step| step.3);
    let made = MadeObjects::by(&texts);
    let text = texts.concat();
    let (created, dropped) = (text.matches("\nCREATE TRIGGER ").count(), text.matches("\nDROP TRIGGER ").count());
    assert_eq!(made.triggers.len(), created - dropped);
    let is_whole = |it: &super::Trigger| !it.table.is_empty() && made.functions.contains_key(&it.function);
    assert!(made.triggers.values().all(is_whole), "{made:?}");
}
