use super::*;
use tokio::time::advance;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// When a body is given up that brings this number of bytes after each interval.
async fn given_up_after(bytes: usize, interval: Duration) -> Duration {
    let (mut deadline, began) = (ArrivalDeadline::begin(), Instant::now());
    while Instant::now() + interval < deadline.due() {
        advance(interval).await;
        deadline.bring(bytes);
    }
    deadline.due() - began
}

#[tokio::test(start_paused = true)]
async fn body_that_does_not_come_is_given_up_after_three_seconds() {
    assert_eq!(given_up_after(0, millis(100)).await, millis(3000));
    let (mut deadline, began) = (ArrivalDeadline::begin(), Instant::now());
    // What came at once does not pay for a longer pause.
    deadline.bring(60_000);
    assert_eq!(deadline.due() - began, millis(3000));
}

#[tokio::test(start_paused = true)]
async fn body_below_the_least_rate_is_given_up() {
    let slow = given_up_after(80, millis(100)).await;
    assert!((millis(14_000)..=millis(15_000)).contains(&slow), "{slow:?}");
    let slower = given_up_after(50, millis(100)).await;
    assert!((millis(5000)..=millis(6000)).contains(&slower), "{slower:?}");
}

#[tokio::test(start_paused = true)]
async fn phone_with_pauses_is_waited_for() {
    let mut deadline = ArrivalDeadline::begin();
    let mut sent = 0;
    while sent < 64 * 1024 {
        // A pause of two seconds before the first byte, and after every 25 kB.
        let pause = if sent % 25_000 == 0 { millis(2000) } else { millis(100) };
        assert!(Instant::now() + pause < deadline.due(), "given up after {sent} bytes");
        advance(pause).await;
        deadline.bring(500);
        sent += 500;
    }
}

#[tokio::test(start_paused = true)]
async fn no_body_takes_longer_than_its_time() {
    assert_eq!(given_up_after(100, millis(100)).await, MAX_TIME);
}
