#![expect(clippy::panic, clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

struct Secrets;

impl SecretSource for Secrets {
    fn file(&self, path: &str) -> Result<Zeroizing<String>, String> {
        match path {
            "absent" => Err("absent cannot be read".to_owned()),
            path => Ok(Zeroizing::new(format!("secret of {path}\n"))),
        }
    }

    fn variable(&self, name: &str) -> Result<Zeroizing<String>, String> {
        Ok(Zeroizing::new(format!("secret of {name}")))
    }
}

fn refused(text: &str) -> String {
    match parse(text, &Secrets) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn providers_are_read_in_their_order_with_their_secrets() {
    let text = r#"
        [[provider]]
        name = "google"
        client_id = "one"
        client_secret_file = "google.secret"

        [[provider]]
        name = "corp"
        kind = "oidc"
        issuer = "https://id.example.com/"
        client_id = "two"
        client_secret_env = "CORP"
        label = "Example Corp"
        email = "trusted"
        signup = "off"
    "#;
    let read = parse(text, &Secrets).unwrap();
    let names: Vec<_> = read.iter().map(|whole| whole.name().as_str()).collect();
    assert_eq!(names, ["google", "corp"]);
    let corp = &read[1].provider;
    assert_eq!(
        (corp.issuer.as_str(), corp.label.as_str(), corp.signup),
        ("https://id.example.com/", "Example Corp", false)
    );
    assert!(parse("", &Secrets).unwrap().is_empty());
}

#[test]
fn mistakes_are_named_with_line_and_field() {
    let client = "client_id = \"a\"\nclient_secret_env = \"A\"\n";
    let google = format!("[[provider]]\nname = \"google\"\n{client}");
    let cases = [
        ("[[provider]]\nname = google".to_owned(), "line 2: "),
        ("[provider]\nname = \"google\"".to_owned(), "line 1: provider: write it as [[provider]]"),
        ("providers = []".to_owned(), "line 1: providers: only [[provider]] can stand here"),
        (format!("[[provider]]\n{client}"), "line 1: name: is required"),
        ("[[provider]]\nname = \"Google\"".to_owned(), "line 2: name: "),
        (format!("{google}{google}"), "line 6: name: another provider of the file has it"),
        (format!("{google}signup = false"), "line 5: signup: is a text in quotation marks"),
        (format!("{google}client_secret = \"x\""), "line 5: client_secret: no secret stands in this file"),
        (format!("{google}secret = \"x\""), "line 5: secret: is no field of a provider"),
        (format!("{google}client_secret_file = \"x\""), "line 5: client_secret_file: a provider has one secret"),
        ("[[provider]]\nname = \"google\"\nclient_id = \"a\"\n".to_owned(), "line 1: client_secret_file: is required"),
        (
            format!("{google}\n[[provider]]\nname = \"corp\"\nkind = \"google\"\n{client}"),
            "line 9: client_id: the provider",
        ),
        (format!("{google}email = \"trusted\""), "line 5: email: cannot be trusted for the kind google"),
        (
            "[[provider]]\nname = \"google\"\nclient_id = \"a\"\nclient_secret_file = \"absent\"".to_owned(),
            "line 4: client_secret_file: absent cannot be read",
        ),
    ];
    for (text, expected) in cases {
        let error = refused(&text);
        assert!(error.starts_with(expected), "{text}\n{error}");
        assert!(!error.contains("secret of"), "{error}");
    }
}
