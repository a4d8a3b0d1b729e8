use super::{Reply, SmtpFailure, SmtpOutcome, Stage};

fn refused(stage: Stage, code: u16) -> SmtpOutcome {
    SmtpOutcome::Refused(stage, Reply { code, text: String::new() })
}

#[test]
fn each_outcome_has_a_known_class() {
    let stages = [Stage::Session, Stage::Auth, Stage::Sender, Stage::Mail];
    let failures = [
        SmtpFailure::Name,
        SmtpFailure::Connect,
        SmtpFailure::Tls,
        SmtpFailure::StartTls,
        SmtpFailure::Auth,
        SmtpFailure::Timeout,
        SmtpFailure::Closed,
        SmtpFailure::LostAfterData,
        SmtpFailure::Interrupted,
        SmtpFailure::Internal,
    ];
    let refusals = stages.iter().flat_map(|stage| [refused(*stage, 451), refused(*stage, 550)]);
    let unanswered = failures.iter().map(|failure| SmtpOutcome::Unanswered(*failure, String::new()));
    for outcome in refusals.chain(unanswered).chain([SmtpOutcome::Expired, SmtpOutcome::Unsendable(String::new())]) {
        assert!(SmtpOutcome::CLASSES.contains(&outcome.class()), "{outcome:?}");
    }
}

#[test]
fn rejections_by_stage_have_separate_classes() {
    let classes = [Stage::Session, Stage::Auth, Stage::Sender, Stage::Mail].map(|stage| refused(stage, 550).class());
    assert_eq!(classes, ["session", "login", "sender", "refused"]);
    assert_eq!(refused(Stage::Auth, 454).class(), "deferred");
}
