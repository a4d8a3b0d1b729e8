//! Separates test code from product code.

use syn::{Attribute, File, ImplItem, Item, Meta, TraitItem};

/// Whether one of the attributes compiles an item for tests only: `#[test]`, `#[cfg(test)]` or `#[cfg(all(test, …))]`.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => list.parse_args().is_ok_and(|meta| needs_test(&meta)),
        _ => false,
    })
}

fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated)
            .is_ok_and(|conditions| conditions.iter().any(needs_test)),
        _ => false,
    }
}

/// Removes the test code from a file, down to the items of modules, `impl` blocks and traits, and returns the items
/// that were removed. Test code among the statements of a function stays.
pub(crate) fn split_off(file: &mut File) -> Vec<Item> {
    if is_for_tests(&file.attrs) {
        return std::mem::take(&mut file.items);
    }
    split_items(&mut file.items)
}

fn split_items(items: &mut Vec<Item>) -> Vec<Item> {
    let mut tests: Vec<Item> = items.extract_if(.., |item| is_for_tests(attributes(item))).collect();
    for item in items {
        match item {
            Item::Mod(module) => {
                let nested = module.content.as_mut().map(|(_, items)| split_items(items));
                tests.extend(nested.into_iter().flatten());
            }
            Item::Impl(block) => block.items.retain(|item| !is_for_tests(impl_attributes(item))),
            Item::Trait(item) => item.items.retain(|item| !is_for_tests(trait_attributes(item))),
            _ => {}
        }
    }
    tests
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn impl_attributes(item: &ImplItem) -> &[Attribute] {
    match item {
        ImplItem::Const(item) => &item.attrs,
        ImplItem::Fn(item) => &item.attrs,
        ImplItem::Type(item) => &item.attrs,
        _ => &[],
    }
}

fn trait_attributes(item: &TraitItem) -> &[Attribute] {
    match item {
        TraitItem::Const(item) => &item.attrs,
        TraitItem::Fn(item) => &item.attrs,
        TraitItem::Type(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::panic, reason = "a test may fail loudly")]

    use super::*;
    use syn::parse_quote;

    #[test]
    fn test_items_are_removed_at_every_depth() {
        let mut file: File = parse_quote! {
            fn product() {}
            #[cfg(test)]
            mod tests;
            #[cfg(all(test, unix))]
            fn on_unix() {}
            mod inner {
                #[test]
                fn check() {}
                impl Thing {
                    #[cfg(test)]
                    fn sample() {}
                    fn real() {}
                }
            }
        };
        assert_eq!(split_off(&mut file).len(), 3);
        let [Item::Fn(_), Item::Mod(inner)] = file.items.as_slice() else { panic!("two items should be left") };
        let Some((_, items)) = &inner.content else { panic!("the module should have a body") };
        assert!(matches!(items.as_slice(), [Item::Impl(block)] if block.items.len() == 1));
    }

    #[test]
    fn cfg_not_test_is_product_code() {
        assert!(!is_for_tests(&[parse_quote!(#[cfg(not(test))])]));
        assert!(!is_for_tests(&[parse_quote!(#[cfg(any(test, feature = "x"))])]));
    }
}
