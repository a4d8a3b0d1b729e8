//! Enums that list their values, and those whose variants have fixed names, which are stored or sent.

/// Declares an enum with the list of its values.
#[macro_export]
macro_rules! listed {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident { $($(#[$variant_meta:meta])* $variant:ident,)+ }) => {
        $(#[$meta])*
        $vis enum $enum {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $enum {
            /// Every value, in the order of their declaration.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];
        }
    };
}

/// Declares such an enum; each variant stands once, with its name. A name is never changed: databases and applications
/// have it.
#[macro_export]
macro_rules! names {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident { $($(#[$variant_meta:meta])* $variant:ident = $name:literal,)+ }) => {
        $crate::listed! {
            $(#[$meta])*
            $vis enum $enum {
                $($(#[$variant_meta])* $variant,)+
            }
        }

        impl $enum {
            /// The name as it is stored and sent.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }
    };
}

pub use {listed, names};
