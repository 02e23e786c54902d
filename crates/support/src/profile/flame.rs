//! A page that draws the samples as a flame graph; it needs nothing but a browser.

use super::{Profile, json};

/// The page around the data.
const PAGE: &str = include_str!("flame.html");

/// The page.
pub(super) fn write(profile: &Profile, title: &str) -> String {
    let mut data = String::from("{\"title\":");
    json::string(&mut data, title);
    data.push_str(",\"period\":");
    json::number(&mut data, profile.period.as_nanos() as u64);
    data.push_str(",\"functions\":");
    json::list(&mut data, profile.functions(), |out, function| {
        out.push('[');
        json::string(out, &function.name);
        out.push(',');
        json::string(out, &function.file);
        out.push(',');
        json::number(out, function.line);
        out.push(']');
    });
    data.push_str(",\"stacks\":");
    json::list(&mut data, profile.stacks(), |out, stack| {
        json::list(out, stack, |out, place| {
            json::number(out, place.function);
            out.push(',');
            json::number(out, place.line);
        });
    });
    data.push_str(",\"threads\":");
    json::list(&mut data, &profile.threads, |out, thread| {
        out.push_str("{\"name\":");
        json::string(out, &thread.name);
        out.push_str(",\"lost\":");
        json::number(out, thread.lost);
        out.push_str(",\"samples\":");
        json::list(out, &thread.samples, |out, &(stack, weight)| {
            json::number(out, stack);
            out.push(',');
            json::number(out, weight);
        });
        out.push('}');
    });
    data.push('}');
    PAGE.replacen("/*DATA*/null", &data, 1)
}
