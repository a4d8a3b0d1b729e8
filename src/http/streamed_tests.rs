#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use http_body_util::BodyExt;

async fn read(chunks: Vec<Chunk>) -> Result<Bytes, axum::Error> {
    let (sender, receiver) = mpsc::channel(1);
    let sending = tokio::spawn(async move {
        for chunk in chunks {
            sender.send(chunk).await.unwrap();
        }
    });
    let read = Body::new(ChunkBody { chunks: receiver }).collect().await.map(http_body_util::Collected::to_bytes);
    sending.await.unwrap();
    read
}

#[tokio::test]
async fn chunks_are_sent_in_their_order() {
    let chunks = vec![Ok(Bytes::from("one ")), Ok(Bytes::new()), Ok(Bytes::from("two"))];
    assert_eq!(read(chunks).await.unwrap(), Bytes::from("one two"));
}

#[tokio::test]
async fn broken_file_breaks_the_body() {
    assert!(read(vec![Ok(Bytes::from("one ")), Err(FileBroken)]).await.is_err());
}
