#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn png(width: u32, height: u32) -> Vec<u8> {
    [PNG_SIGNATURE, b"\0\0\0\x0dIHDR", &width.to_be_bytes(), &height.to_be_bytes(), b"\x08\x06\0\0\0"].concat()
}

fn width(body: impl Into<Vec<u8>>) -> u32 {
    Logo::from_bytes(body.into()).unwrap().width
}

#[test]
fn display_width_follows_the_aspect_ratio() {
    assert_eq!(width(png(64, 64)), 32);
    assert_eq!(width(png(300, 100)), 96);
    assert_eq!(width(png(9000, 10)), 160);
    assert_eq!(width(png(1, 9000)), 1);
    assert_eq!(
        width("<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 100 50\" xmlns=\"http://www.w3.org/2000/svg\"/>"),
        64
    );
    assert_eq!(width("<svg viewBox = '0,0,24,24'></svg>"), 32);
}

#[test]
fn logo_file_is_named_after_its_content() {
    let logo = Logo::from_bytes(png(64, 64)).unwrap();
    assert_eq!(logo.asset.content_type(), "image/png");
    let parts: Vec<&str> = logo.asset.name().split('.').collect();
    assert!(matches!(parts.as_slice(), ["logo", hash, "png"] if hash.len() == 16), "{parts:?}");
}

#[test]
fn invalid_images_are_refused() {
    for (body, why) in [
        ("", "neither an SVG nor a PNG"),
        ("GIF89a", "neither an SVG nor a PNG"),
        ("<html></html>", "neither an SVG nor a PNG"),
        ("<svg width=\"3\">", "no viewBox"),
        ("<svg viewBox=\"0 0 0 0\">", "no viewBox"),
        ("<svg viewBox=\"a b c d\">", "no viewBox"),
        ("<svg viewBox=\"0 0 inf inf\">", "no viewBox"),
        ("<svg viewBox=\"0 0 1e999 1e999\">", "no viewBox"),
    ] {
        assert!(Logo::from_bytes(body.into()).unwrap_err().contains(why), "{body}");
    }
    assert!(Logo::from_bytes(PNG_SIGNATURE.to_vec()).unwrap_err().contains("damaged"));
    assert!(Logo::from_bytes(png(0, 5)).unwrap_err().contains("damaged"));
    assert!(Logo::read(Path::new("no/such/file.svg")).unwrap_err().contains("cannot be read"));
}
