use super::*;
use tokio::time::advance;

fn crowded() -> StoreError {
    StoreError::Database(sqlx::Error::PoolTimedOut)
}

#[tokio::test(start_paused = true)]
async fn server_that_answers_some_is_not_away() {
    let outage = Outage::default();
    for _ in 0..60 {
        outage.failed(&crowded());
        advance(QUIET / 2).await;
        outage.answered();
        advance(QUIET / 4).await;
    }
    assert_eq!((outage.so_far(), outage.refused()), ((false, Duration::ZERO), 60));
    advance(QUIET).await;
    outage.answered();
    assert!(!outage.is_troubled());
}

#[tokio::test(start_paused = true)]
async fn server_that_refuses_all_is_away_until_it_answers() {
    let outage = Outage::default();
    outage.failed(&crowded());
    advance(QUIET).await;
    outage.failed(&crowded());
    advance(Duration::from_secs(30)).await;
    assert_eq!(outage.so_far(), (true, Duration::from_secs(30)));
    outage.answered();
    advance(Duration::from_secs(30)).await;
    assert_eq!(outage.so_far(), (false, Duration::from_secs(30)));
}

#[tokio::test(start_paused = true)]
async fn server_that_is_gone_is_away_at_once() {
    let outage = Outage::default();
    outage.failed(&crowded());
    outage.failed(&StoreError::Away("gone".to_owned()));
    assert!(outage.so_far().0);
}
