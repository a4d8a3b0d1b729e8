//! Sample data for error pages.

use super::texts::{Sample, Texts, layout, layout_of_viewer, render};
use doorward::http::RequestId;
use doorward::http::views::*;
use std::time::Duration;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    let retry_after = Duration::from_secs(95);
    let page = |problem: Problem| ErrorPage {
        layout: layout(t),
        problem,
        request_id: RequestId::default(),
        retry: problem.retry_after().map(|_| Retry::Page("/auth/account")),
    };
    let known = |problem| ErrorPage { layout: layout_of_viewer(t), ..page(problem) };
    let limited = Problem::TooManyRequests { retry_after };
    let fields = [("email", t.email)];
    let form = |fill_in| Some(Retry::Form(RetryForm { action: "/auth/login", csrf: t.csrf, fields: &fields, fill_in }));
    vec![
        render("error-400", &page(Problem::BadRequest)),
        render("error-403", &page(Problem::NotForScripts)),
        render("error-404", &page(Problem::NotFound)),
        render("error-405", &page(Problem::MethodNotAllowed)),
        render("error-413", &page(Problem::TooLarge)),
        render("error-429", &ErrorPage { retry: form(true), ..page(limited) }),
        render("error-500", &page(Problem::Internal)),
        render("error-503", &page(Problem::Unavailable { retry_after })),
        render("known-404", &known(Problem::NotFound)),
        render("limited-complete", &ErrorPage { retry: form(false), ..known(limited) }),
        render("admin-not-permitted", &known(Problem::NotPermitted)),
    ]
}
