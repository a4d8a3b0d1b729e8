//! The values of message variables.

use fluent_bundle::FluentValue;

/// A value for a variable of a message. Templates pass references, so references implement it too.
pub trait Argument<'a> {
    /// The Fluent value; a number selects plural forms.
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
