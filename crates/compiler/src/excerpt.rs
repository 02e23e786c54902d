//! How syntax errors are shown: a headline, then the lines with errors, marked, each with up to two lines
//! of context before and behind, in the layout that CRuby users know.

use ruby_prism::ParseResult;

use crate::errors::CompileError;

/// Lines longer than what is marked by this many bytes, or marked that far to the right, are cut.
const CUT: usize = 30;

/// Most errors that are shown: beyond that nobody reads on, and a source may consist of errors.
const MOST_SHOWN: usize = 100;

struct Shown {
    line: i32,
    /// Bytes of the line that are marked.
    start: usize,
    end: usize,
    order: usize,
    message: String,
}

struct Source<'s> {
    /// With their newlines; the last one may be empty.
    lines: Vec<&'s [u8]>,
    first: i32,
    width: usize,
}

impl<'s> Source<'s> {
    fn line(&self, number: i32) -> &'s [u8] {
        let index = i64::from(number) - i64::from(self.first);
        usize::try_from(index).ok().and_then(|n| self.lines.get(n).copied()).unwrap_or_default()
    }

    fn show(&self, out: &mut String, prefix: &str, number: i32, start: usize, end: usize) {
        let width = self.width;
        out.push_str(&format!("{prefix}{number:>width$} | "));
        let line = self.line(number);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let cut = end != 0 && line.len() >= end + CUT;
        let mut to = if cut { end + CUT } else { text.len() };
        // Not in the middle of a character.
        while cut && to > 0 && line.get(to).is_some_and(|b| b & 0xc0 == 0x80) {
            to -= 1;
        }
        let from = if start >= CUT {
            out.push_str("... ");
            start.min(to)
        } else {
            0
        };
        let text = String::from_utf8_lossy(&line[from..to.min(line.len())]);
        out.push_str(text.strip_suffix('\n').unwrap_or(&text));
        out.push_str(if cut { " ...\n" } else { "\n" });
    }

    /// The line that points at an error. `shown_from`: where the first error of the same line starts.
    fn mark(&self, out: &mut String, error: &Shown, shown_from: usize) {
        out.push_str(&format!("  {} | ", " ".repeat(self.width)));
        let line = self.line(error.line);
        let mut column = 0;
        if shown_from >= CUT {
            out.push_str("    ");
            column = shown_from;
        }
        let step = |column: usize| column + char_width(line.get(column..).unwrap_or_default());
        while column < error.start {
            out.push(' ');
            column = step(column);
        }
        out.push('^');
        column = step(column);
        while column < error.end {
            out.push('~');
            column = step(column);
        }
        out.push_str(&format!(" {}\n", error.message));
    }
}

fn char_width(bytes: &[u8]) -> usize {
    let width = match bytes.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => 1,
    };
    width.min(bytes.len()).max(1)
}

/// The error for a source with syntax errors.
pub(crate) fn syntax_error(result: &ParseResult<'_>, source: &[u8], first: i32) -> Option<CompileError> {
    let mut lines: Vec<&[u8]> = source.split_inclusive(|&b| b == b'\n').collect();
    if source.last().is_none_or(|&b| b == b'\n') {
        lines.push(b"");
    }
    let mut source = Source { lines, first, width: 1 };
    let count = result.errors().count();
    let mut errors: Vec<Shown> = result
        .errors()
        .take(10 * MOST_SHOWN)
        .enumerate()
        .map(|(order, error)| {
            let at = error.location();
            let line = at.start_line();
            let start = at.start_column() as usize;
            let end = if at.end_line() == line {
                at.end_column() as usize
            } else {
                source.line(line).len().saturating_sub(1)
            };
            let message = String::from_utf8_lossy(error.message()).into_owned();
            Shown { line, start, end: if end == start { end + 1 } else { end }, order, message }
        })
        .collect();
    let headline = errors.first()?.line;
    let plural = if count == 1 { "" } else { "s" };
    let mut message = format!("syntax error{plural} found\n");
    let readable = errors.iter().all(|e| std::str::from_utf8(source.line(e.line)).is_ok());
    if !readable {
        // The terminal could not show the lines.
        let all: Vec<String> = errors.iter().map(|e| format!("{}: {}", e.line, e.message)).collect();
        message.push_str(&all.join("\n"));
        return Some(CompileError::Syntax { line: headline, message });
    }
    errors.sort_by(|a, b| (a.line, a.start).cmp(&(b.line, b.start)).then(b.order.cmp(&a.order)));
    errors.truncate(MOST_SHOWN);
    excerpt(&mut message, &mut source, &errors);
    Some(CompileError::Syntax { line: headline, message })
}

fn digits(line: i32) -> usize {
    let line = i64::from(line);
    // One column more for the sign.
    let line = if line < 0 { -line * 10 } else { line };
    line.to_string().len()
}

fn excerpt(out: &mut String, source: &mut Source<'_>, errors: &[Shown]) {
    let (Some(top), Some(bottom)) = (errors.first(), errors.last()) else {
        return;
    };
    source.width = digits(top.line).max(digits(bottom.line)).min(5);
    // The line behind the last one; an empty last line does not count.
    let count = source.lines.len() - usize::from(source.lines.last().is_some_and(|l| l.is_empty()));
    let end = i32::try_from(count).unwrap_or(i32::MAX).saturating_add(source.first);
    let mut last = source.first.saturating_sub(1);
    let mut shown_from = 0;
    for (n, error) in errors.iter().enumerate() {
        let gap = error.line.saturating_sub(last);
        if n > 0 && gap > 3 {
            out.push_str(&format!("  {}\n", "~".repeat((source.width + 4).min(8))));
        }
        if gap > 2 {
            source.show(out, "  ", error.line - 2, 0, 0);
        }
        if gap > 1 {
            source.show(out, "  ", error.line - 1, 0, 0);
        }
        if n == 0 || error.line != last {
            shown_from = error.start;
            let widest = errors[n..].iter().take_while(|e| e.line == error.line).map(|e| e.end).max();
            source.show(out, "> ", error.line, error.start, widest.unwrap_or(error.end));
        }
        source.mark(out, error, shown_from);
        last = error.line;
        let next = errors.get(n + 1).map_or(end, |e| e.line);
        for _ in 0..2 {
            if next.saturating_sub(last) > 1 {
                last += 1;
                source.show(out, "  ", last, 0, 0);
            }
        }
    }
}
