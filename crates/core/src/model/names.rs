//! Enums whose variants have fixed names, which are stored or sent.

/// Declares such an enum; each variant stands once, with its name. A name is never changed: databases and applications
/// have it.
#[macro_export]
macro_rules! names {
    ($(#[$meta:meta])* pub enum $enum:ident { $($(#[$variant_meta:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$meta])*
        pub enum $enum {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $enum {
            /// Every value, in the order of their declaration.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

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

pub use names;
