#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const HTML: &str = "<b><!--brand-->Acme &#38; Co<!--/brand--></b>";

/// The head of a PNG of this size, and as many bytes.
fn png(width: u32, height: u32, bytes: usize) -> Logo {
    let head =
        [b"\x89PNG\r\n\x1a\n", b"\0\0\0\x0dIHDR".as_slice(), &width.to_be_bytes(), &height.to_be_bytes()].concat();
    Logo::from_bytes([head, vec![0; bytes]].concat()).unwrap()
}

fn brand(logo: Option<Logo>) -> Brand {
    Brand { name: "Acme & Co".to_owned(), logo, ..Brand::default() }
}

#[test]
fn logo_stands_beside_the_name() {
    let logo = MailLogo::of(&brand(Some(png(64, 64, 100)))).unwrap();
    let html = logo.put_into(HTML).unwrap();
    assert!(
        html.starts_with("<b><img src=\"cid:logo-light\" width=\"32\" alt=\"\"")
            && html.ends_with("> Acme &#38; Co</b>")
    );
    assert_eq!(logo.parts().count(), 1);
}

#[test]
fn logo_that_has_the_name_stands_in_its_place() {
    let html =
        MailLogo::of(&Brand { show_name: false, ..brand(Some(png(64, 64, 100))) }).unwrap().put_into(HTML).unwrap();
    assert!(html.contains("alt=\"Acme &#38; Co\"") && html.ends_with("\"></b>"), "{html}");
}

#[test]
fn dark_emails_have_the_dark_logo() {
    let both = |scheme| Brand { logo_dark: Some(png(80, 64, 100)), scheme, ..brand(Some(png(64, 64, 100))) };
    let logo = MailLogo::of(&both(ColorScheme::Auto)).unwrap();
    let html = logo.put_into(HTML).unwrap();
    assert!(html.contains("class=\"logo-light\"") && html.contains("class=\"logo-dark\""), "{html}");
    assert_eq!(logo.parts().count(), 2);
    let dark = MailLogo::of(&both(ColorScheme::Dark)).unwrap();
    assert_eq!((dark.light.width, dark.parts().count()), (40, 1));
}

#[test]
fn what_mail_programs_cannot_show_or_is_large_is_left_out() {
    let svg = Logo::from_bytes(b"<svg viewBox=\"0 0 2 1\"/>".to_vec()).unwrap();
    for logo in [None, Some(svg), Some(png(64, 64, MAX_BYTES))] {
        assert!(MailLogo::of(&brand(logo)).is_none());
    }
    assert!(MailLogo::of(&brand(Some(png(64, 64, 9)))).unwrap().put_into("<b>Acme</b>").is_none());
}
