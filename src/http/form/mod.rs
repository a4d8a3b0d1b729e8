//! Forms and queries. A handler reads the fields of a form only through [`Form`], which is made from a request whose CSRF
//! token and origin were verified for its route, and which the page sent that this viewer was shown:
//!
//! ```
//! use doorward::http::form::{FormFields, ShownTo, Submitted};
//! # #[derive(Default, serde::Deserialize)]
//! # struct Rename { name: String }
//! # impl FormFields for Rename { const SHOWN_AGAIN: &'static [&'static str] = &["name"]; }
//! fn name(submitted: Submitted<Rename>) -> Option<String> {
//!     submitted.verified(ShownTo::Anyone).ok().map(|form| form.name.clone())
//! }
//! ```
//!
//! A handler cannot forget to say for whom it acts:
//!
//! ```compile_fail,E0061
//! use doorward::http::form::{FormFields, Submitted};
//! # #[derive(Default, serde::Deserialize)]
//! # struct Rename { name: String }
//! # impl FormFields for Rename { const SHOWN_AGAIN: &'static [&'static str] = &["name"]; }
//! fn name(submitted: Submitted<Rename>) -> Option<String> {
//!     submitted.verified().ok().map(|form| form.name.clone())
//! }
//! ```
//!
//! What was not verified has no fields to act on:
//!
//! ```compile_fail,E0609
//! use doorward::http::form::{FormFields, ShownTo, Submitted};
//! # #[derive(Default, serde::Deserialize)]
//! # struct Rename { name: String }
//! # impl FormFields for Rename { const SHOWN_AGAIN: &'static [&'static str] = &["name"]; }
//! fn name(submitted: Submitted<Rename>) -> Option<String> {
//!     submitted.verified(ShownTo::Anyone).err().map(|unverified| unverified.name.clone())
//! }
//! ```
//!
//! Nor can other code construct such a form:
//!
//! ```compile_fail,E0451
//! use doorward::http::form::{Form, NoFields};
//! fn forged(values: NoFields) -> Form<NoFields> {
//!     Form { values, typed: Default::default() }
//! }
//! ```

mod arrival;
mod deserializer;
mod errors;
mod fields;
mod page_field;
mod submitted;
mod typed;

pub use errors::FormErrors;
pub use fields::{Fields, FormError, Query, has_too_many_fields, parse, query, read_bytes};
pub use page_field::{PageSeal, ShownTo};
pub use submitted::{Form, FormFields, FromAnywhere, NoFields, PostedForm, Submitted};
pub use typed::{FILL_IN, Typed};
