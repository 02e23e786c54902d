//! speedscope's file format: <https://www.speedscope.app/file-format-schema.json>.

use super::{Profile, json};

/// The file's text.
pub(super) fn write(profile: &Profile, title: &str) -> String {
    let mut out = String::from("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":");
    json::string(&mut out, "asterism");
    out.push_str(",\"name\":");
    json::string(&mut out, title);
    out.push_str(",\"activeProfileIndex\":0,\"shared\":{\"frames\":");
    json::list(&mut out, profile.functions(), |out, function| {
        out.push_str("{\"name\":");
        json::string(out, &function.name);
        if !function.file.is_empty() {
            out.push_str(",\"file\":");
            json::string(out, &function.file);
        }
        if function.line > 0 {
            out.push_str(",\"line\":");
            json::number(out, function.line);
        }
        out.push('}');
    });
    let period = profile.period.as_nanos() as u64;
    out.push_str("},\"profiles\":");
    json::list(&mut out, &profile.threads, |out, thread| {
        let total: u64 = thread.samples.iter().map(|&(_, weight)| u64::from(weight)).sum();
        out.push_str("{\"type\":\"sampled\",\"name\":");
        json::string(out, &thread.name);
        out.push_str(",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":");
        json::number(out, total * period);
        out.push_str(",\"samples\":");
        json::list(out, &thread.samples, |out, &(stack, _)| {
            json::list(out, &profile.stacks()[stack as usize], |out, place| json::number(out, place.function));
        });
        out.push_str(",\"weights\":");
        json::list(out, &thread.samples, |out, &(_, weight)| json::number(out, u64::from(weight) * period));
        out.push('}');
    });
    out.push_str("}\n");
    out
}
