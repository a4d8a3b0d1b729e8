//! The links to the operator's own pages, at the foot of every email.

use crate::brand::Brand;

/// A link to one of the operator's own pages.
pub(super) struct FootLink<'a> {
    /// The name of its message.
    pub(super) label: &'static str,
    pub(super) url: &'a str,
}

/// The links that the operator has set, in their order.
pub(super) fn foot_links(brand: &Brand) -> Vec<FootLink<'_>> {
    let links = &brand.links;
    let all = [("terms", &links.terms), ("privacy", &links.privacy), ("support", &links.support)];
    all.into_iter().filter_map(|(label, url)| Some(FootLink { label, url: url.as_deref()? })).collect()
}
