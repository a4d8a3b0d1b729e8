//! What can fill a gap of a sentence.

use fluent_bundle::FluentValue;

/// What can fill a gap of a sentence; templates pass references, so a reference fills it as well.
pub trait Argument<'a> {
    /// The value as the message files know it: a number decides plural forms.
    fn value(&self) -> FluentValue<'a>;
}

impl<'a> Argument<'a> for &'a str {
    fn value(&self) -> FluentValue<'a> {
        FluentValue::from(*self)
    }
}

impl<'a> Argument<'a> for String {
    fn value(&self) -> FluentValue<'a> {
        FluentValue::from(self.clone())
    }
}

impl<'a, T: Argument<'a>> Argument<'a> for &T {
    fn value(&self) -> FluentValue<'a> {
        (**self).value()
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl<'a> Argument<'a> for $number {
            fn value(&self) -> FluentValue<'a> {
                FluentValue::from(*self)
            }
        }
    )*};
}

numbers!(usize, u64, u32, u16, i64);
