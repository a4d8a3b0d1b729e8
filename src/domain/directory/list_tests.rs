use super::*;
use crate::model::time::Time;
use uuid::Uuid;

fn place(number: &u128) -> ListPlace {
    ListPlace { at: Time::from_micros(0), id: Uuid::from_u128(*number) }
}

#[test]
fn one_row_more_than_limit_tells_of_next_part() {
    let range = ListRange::first(2);
    assert_eq!(range.rows(), 3);
    for (rows, data, next) in [
        (vec![], vec![], None),
        (vec![9, 8], vec![9, 8], None),
        // After the last thing that is shown, which was not the last that was read.
        (vec![9, 8, 7], vec![9, 8], Some(place(&8))),
    ] {
        let listing = range.listing(rows, place, |row| row);
        assert_eq!((listing.data, listing.next), (data, next));
    }
}

#[tokio::test]
async fn all_of_a_list_is_read_part_by_part() {
    let things: Vec<u128> = (1..=1001).rev().collect();
    let parts = std::cell::Cell::new(0);
    let read = all(async |range: ListRange| {
        parts.set(parts.get() + 1);
        let rest = things.iter().copied().filter(|thing| Uuid::from_u128(*thing) < range.after.id);
        let rows = rest.take(usize::try_from(range.rows()).unwrap_or_default()).collect();
        Ok::<_, std::convert::Infallible>(range.listing(rows, place, |row| row))
    });
    assert_eq!((read.await.as_ref(), parts.get()), (Ok(&things), 3));
}
