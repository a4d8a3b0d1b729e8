//! What a browser of the harness is told: a bug there would make tests without JavaScript and on narrow windows pass for
//! no reason.

use crate::harness::{Answer, Browser, Look, Receiver};

browser![looks_are_what_pages_see];

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<meta name=viewport content=width=device-width>\
    <style>p{color:rgb(1,1,1)}@media(prefers-color-scheme:dark){p{color:rgb(2,2,2)}}</style>\
    <p>still</p><script>document.querySelector('p').textContent = 'moved'</script>";

async fn looks_are_what_pages_see() {
    let server = Receiver::start().await;
    server.answer_always(Answer::Raw(PAGE.as_bytes().to_vec()));
    let phone = Browser::open(Look::PHONE.dark()).await;
    phone.go(&server.url()).await;
    assert_eq!(phone.text().await, "moved");
    let seen = "return [innerWidth, innerHeight, getComputedStyle(document.querySelector('p')).color]";
    let seen = phone.page.execute(seen, vec![]).await.unwrap();
    assert_eq!(seen, serde_json::json!([320, 640, "rgb(2, 2, 2)"]));
    let still = Browser::open(Look::DESKTOP.without_javascript()).await;
    still.go(&server.url()).await;
    assert_eq!(still.text().await, "still");
}
