//! Labels whose values are known before the first request, so that no request can add a series.

pub trait Label: Copy + 'static {
    const NAME: &'static str;
    /// Every value with the text of it, in the order of [`Label::index`].
    const ALL: &'static [&'static str];

    /// The place of this value in [`Label::ALL`].
    fn index(self) -> usize;
}

/// Defines an enum whose variants are the values of a label.
macro_rules! label {
    ($(#[$doc:meta])* $label:ident $name:literal { $($(#[$value_doc:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $label {
            $($(#[$value_doc])* $value,)+
        }

        impl $crate::metrics::label::Label for $label {
            const NAME: &'static str = $name;
            const ALL: &'static [&'static str] = &[$($text),+];

            fn index(self) -> usize {
                self as usize
            }
        }
    };
}

pub(super) use label;
