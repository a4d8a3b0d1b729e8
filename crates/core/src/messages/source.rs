//! The message ids of a message file, and the variables of each message.

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Message, Pattern, PatternElement};
use fluent_syntax::parser;
use std::collections::{BTreeMap, BTreeSet};

pub(super) type Variables<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The messages of a file that parses: their ids, and the variables of each, directly or through the messages that it
/// references.
pub(super) fn entries(source: &str) -> Variables<'_> {
    let mut variables = Variables::new();
    let mut references = Variables::new();
    for entry in parser::parse_runtime(source).unwrap_or_else(|(resource, _)| resource).body {
        let Entry::Message(message) = entry else { continue };
        let used = Used::by(&message);
        variables.entry(message.id.name).or_default().extend(used.variables);
        references.entry(message.id.name).or_default().extend(used.messages);
    }
    while propagate(&mut variables, &references) {}
    variables
}

/// Adds to each message the variables of those that it references; returns whether that changed anything.
fn propagate<'a>(variables: &mut Variables<'a>, references: &Variables<'a>) -> bool {
    let mut changed = false;
    for (id, others) in references {
        let inherited: BTreeSet<&str> =
            others.iter().filter_map(|other| variables.get(other)).flatten().copied().collect();
        let own = variables.entry(id).or_default();
        let before = own.len();
        own.extend(inherited);
        changed |= own.len() > before;
    }
    changed
}

/// What a message names itself. The variables of a term are none of it: a term sees its own arguments only.
#[derive(Default)]
struct Used<'a> {
    variables: Vec<&'a str>,
    messages: Vec<&'a str>,
}

impl<'a> Used<'a> {
    fn by(message: &Message<&'a str>) -> Self {
        let mut used = Self::default();
        let attributes = message.attributes.iter().map(|attribute| &attribute.value);
        for pattern in message.value.iter().chain(attributes) {
            used.pattern(pattern);
        }
        used
    }

    fn pattern(&mut self, pattern: &Pattern<&'a str>) {
        for element in &pattern.elements {
            if let PatternElement::Placeable { expression } = element {
                self.expression(expression);
            }
        }
    }

    fn expression(&mut self, expression: &Expression<&'a str>) {
        match expression {
            Expression::Inline(inline) => self.inline(inline),
            Expression::Select { selector, variants } => {
                self.inline(selector);
                for variant in variants {
                    self.pattern(&variant.value);
                }
            }
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&'a str>) {
        match inline {
            InlineExpression::VariableReference { id } => self.variables.push(id.name),
            InlineExpression::MessageReference { id, .. } => self.messages.push(id.name),
            InlineExpression::FunctionReference { arguments, .. }
            | InlineExpression::TermReference { arguments: Some(arguments), .. } => {
                for argument in &arguments.positional {
                    self.inline(argument);
                }
            }
            InlineExpression::Placeable { expression } => self.expression(expression),
            InlineExpression::TermReference { arguments: None, .. }
            | InlineExpression::StringLiteral { .. }
            | InlineExpression::NumberLiteral { .. } => {}
        }
    }
}
