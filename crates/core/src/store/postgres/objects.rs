//! Triggers, rules and views of a PostgreSQL database.

use super::trigger_text::{MadeObjects, Trigger};
use crate::store::Result;
use crate::store::object_diff::{Objects, differences, texts_of};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// The triggers of our schema, each with its definition without its name, and with the function that it calls. Those that
/// PostgreSQL makes for foreign keys are left out.
const TRIGGERS: &str = "SELECT t.tgname::text, c.relname::text, pg_get_triggerdef(t.oid), p.prosrc, \
        t.tgenabled = 'O' AND l.lanname = 'plpgsql' AND NOT p.prosecdef AND p.proconfig IS NULL \
            AND p.pronamespace = c.relnamespace \
    FROM pg_catalog.pg_trigger t \
    JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid \
    JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid \
    JOIN pg_catalog.pg_language l ON l.oid = p.prolang \
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace";
/// Rules, and views but for those of extensions.
const OTHERS: &str = "SELECT r.rulename::text || ' on ' || c.relname FROM pg_catalog.pg_rewrite r \
    JOIN pg_catalog.pg_class c ON c.oid = r.ev_class \
    WHERE r.rulename <> '_RETURN' AND c.relnamespace = current_schema()::regnamespace \
    UNION ALL SELECT c.relname::text FROM pg_catalog.pg_class c \
    WHERE c.relkind IN ('v', 'm') AND c.relnamespace = current_schema()::regnamespace AND NOT EXISTS ( \
        SELECT 1 FROM pg_catalog.pg_depend d \
        WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')";
/// The name under which a trigger of a step is made for a moment, to read how PostgreSQL defines it.
const SPECIMEN: &str = "doorward_specimen";

/// Those that the database's steps did not make. Changes nothing.
pub(super) async fn unexpected_objects(connection: &mut PgConnection, taken: &[i64]) -> Result<Vec<String>> {
    let made = MadeObjects::by(&texts_of(taken, |step| step.3));
    let mut expected = Objects::new();
    for (name, trigger) in &made.triggers {
        let body = made.functions.get(&trigger.function).map_or("", String::as_str);
        let definition = specimen(connection, name, trigger).await?;
        expected.insert(format!("{name} on {}", trigger.table), definition.map_or_else(String::new, |it| it + body));
    }
    let mut found = Objects::new();
    let rows: Vec<(String, String, String, String, bool)> =
        sqlx::query_as(TRIGGERS).fetch_all(&mut *connection).await?;
    for (name, table, definition, body, is_plain) in rows {
        let object = if is_plain { comparable(&definition, &name) + &body } else { "not plain".to_owned() };
        found.insert(format!("{name} on {table}"), object);
    }
    let others: Vec<String> = sqlx::query_scalar(OTHERS).fetch_all(connection).await?;
    found.extend(others.into_iter().map(|name| (name, String::new())));
    Ok(differences(&expected, &found))
}

/// How PostgreSQL defines the trigger of a step; `None` if it cannot be made here.
async fn specimen(connection: &mut PgConnection, name: &str, trigger: &Trigger) -> Result<Option<String>> {
    let mut tx = connection.begin().await?;
    let statement = trigger.statement.replacen(name, SPECIMEN, 1);
    if sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *tx).await.is_err() {
        tx.rollback().await?;
        return Ok(None);
    }
    let definition = "SELECT pg_get_triggerdef(oid) FROM pg_catalog.pg_trigger WHERE tgname = $1";
    let definition: String = sqlx::query_scalar(definition).bind(SPECIMEN).fetch_one(&mut *tx).await?;
    tx.rollback().await?;
    Ok(Some(comparable(&definition, SPECIMEN)))
}

/// A definition to be compared. Without parentheses, as a database that was loaded from a dump has other ones: `(a OR b) OR c`
/// is dumped so, and read as `a OR b OR c`.
fn comparable(definition: &str, name: &str) -> String {
    definition.replacen(name, "", 1).replace(['(', ')'], "")
}
