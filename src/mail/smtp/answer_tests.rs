use super::{Fault, Outcome, Reply, Stage};

fn refused(stage: Stage, code: u16) -> Outcome {
    Outcome::Refused(stage, Reply { code, text: String::new() })
}

#[test]
fn each_outcome_has_a_class_that_is_counted() {
    let stages = [Stage::Session, Stage::LogIn, Stage::Sender, Stage::Mail];
    let faults = [
        Fault::Name,
        Fault::Connect,
        Fault::Tls,
        Fault::StartTls,
        Fault::LogIn,
        Fault::Timeout,
        Fault::Closed,
        Fault::LostAfterData,
        Fault::Interrupted,
        Fault::Internal,
    ];
    let refusals = stages.iter().flat_map(|stage| [refused(*stage, 451), refused(*stage, 550)]);
    let unanswered = faults.iter().map(|fault| Outcome::Unanswered(*fault, String::new()));
    for outcome in refusals.chain(unanswered).chain([Outcome::Expired, Outcome::Unsendable(String::new())]) {
        assert!(Outcome::CLASSES.contains(&outcome.class()), "{outcome:?}");
    }
}

#[test]
fn what_the_operator_can_mend_is_told_apart() {
    let classes = [Stage::Session, Stage::LogIn, Stage::Sender, Stage::Mail].map(|stage| refused(stage, 550).class());
    assert_eq!(classes, ["session", "login", "sender", "refused"]);
    assert_eq!(refused(Stage::LogIn, 454).class(), "deferred");
}
