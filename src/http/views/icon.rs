//! Drawings beside rows and in buttons: lines of our own on a square of 24, in the color of the text.

use askama::filters::HtmlSafe;
use std::fmt;

/// A drawing. Words always stand beside it, so it is hidden from screen readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Alert,
    At,
    Building,
    Computer,
    Download,
    Key,
    Link,
    List,
    Lock,
    Login,
    Logout,
    Mail,
    More,
    Pencil,
    Person,
    Phone,
    Shield,
    Trash,
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Icon::Alert => "M12 4 21 19.5H3zM12 10v4.5M12 17v.1",
            Icon::At => "M16 12a4 4 0 1 0-8 0 4 4 0 0 0 8 0zv1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-3.6 7.2",
            Icon::Building => "M5 20.5v-17h10v17M15 9.5h4v11M3 20.5h18M8.5 8h3M8.5 12h3M8.5 16h3",
            Icon::Computer => {
                "M4.5 4.5h15A1.5 1.5 0 0 1 21 6v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 15V6a1.5 1.5 0 0 1 1.5-1.5zM8 20.5h8M12 16.5v4"
            }
            Icon::Download => "M12 4v11.5M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15",
            Icon::Key => "M8 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.2 12.3 20 3.5M16.5 7l3 3",
            Icon::Link => {
                "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1"
            }
            Icon::List => "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.1M4.5 12h.1M4.5 17.5h.1",
            Icon::Lock => {
                "M6.5 10.5h11A1.5 1.5 0 0 1 19 12v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 19v-7a1.5 1.5 0 0 1 1.5-1.5zM8 10.5V8a4 4 0 0 1 8 0v2.5"
            }
            Icon::Login => "M14 4.5h4A1.5 1.5 0 0 1 19.5 6v12a1.5 1.5 0 0 1-1.5 1.5h-4M10 16l4-4-4-4M14 12H4",
            Icon::Logout => "M10 4.5H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h4M15.5 16l4-4-4-4M19.5 12H10",
            Icon::Mail => {
                "M5 5.5h14A1.5 1.5 0 0 1 20.5 7v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17V7A1.5 1.5 0 0 1 5 5.5zM4 7l8 6 8-6"
            }
            Icon::More => "M5 12h.1M12 12h.1M19 12h.1",
            Icon::Pencil => "M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM13.5 7.5l3 3",
            Icon::Person => "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5",
            Icon::Phone => {
                "M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3zM11 18h2"
            }
            Icon::Shield => "M12 3.5l7 2.5v5.5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6zM9 12l2.2 2.2 4-4.2",
            Icon::Trash => "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13.5h9l1-13.5M10 11v5.5M14 11v5.5",
        }
    }
}

impl fmt::Display for Icon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        write!(
            f,
            "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\" focusable=\"false\"><path d=\"{path}\"/></svg>"
        )
    }
}

/// `Display` writes only what stands here.
impl HtmlSafe for Icon {}
