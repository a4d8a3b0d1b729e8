//! Every state of every page.

use super::inspection::inspect;
use super::language::Language;
use crate::samples::states;

browser![every_card_in_english, every_wide_page_in_english, every_state_in_german_and_from_right_to_left];

async fn every_card_in_english() {
    look_in_english(true).await;
}

async fn every_wide_page_in_english() {
    look_in_english(false).await;
}

/// Two halves, so that two browsers share the longest part of the work.
async fn look_in_english(at_cards: bool) {
    let mut samples = states(Language::English.texts());
    samples.retain(|sample| sample.html.contains("<body class=\"centred\">") == at_cards);
    inspect([(Language::English, samples)]).await;
}

async fn every_state_in_german_and_from_right_to_left() {
    inspect([Language::German, Language::RightToLeft].map(|language| (language, states(language.texts())))).await;
}
