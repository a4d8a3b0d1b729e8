use super::*;

fn chart(counts: &[u64]) -> Chart {
    let points = counts.iter().map(|count| (Time::from_micros(0), *count)).collect();
    Chart { id: "logins", title: Key("admin-logins"), points, is_daily: false }
}

#[test]
fn highest_bar_fills_the_chart_and_one_event_is_seen() {
    let heights = |counts: &[u64]| chart(counts).bars().iter().map(|bar| bar.height).collect::<Vec<_>>();
    assert_eq!(heights(&[0, 5, 10]), [0, HEIGHT / 2, HEIGHT]);
    assert_eq!(heights(&[1, 1_000_000]), [1, HEIGHT]);
    assert_eq!(heights(&[0; 24]), [0; 24]);
    assert_eq!(heights(&[u64::MAX, 1]), [HEIGHT, 1]);
    assert!(heights(&[]).is_empty());
}

#[test]
fn bars_stand_side_by_side_within_the_chart() {
    let bars = chart(&[3; 24]).bars();
    assert!(bars.windows(2).all(|two| two[0].x + two[0].width < two[1].x));
    assert!(bars.last().is_some_and(|bar| bar.x + bar.width <= WIDTH));
    assert!(bars.iter().all(|bar| bar.y + bar.height == HEIGHT));
}
