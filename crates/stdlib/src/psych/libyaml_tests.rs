//! Events from texts and back.

use super::libyaml::{Emitter, Event, Mark, Parser, Problem};

/// The events of a text that is given in parts of `step` bytes, and where the parser was after each.
fn events(text: &[u8], step: usize) -> Result<Vec<(Event, Mark)>, Problem> {
    let mut parser = Parser::new(0);
    let mut rest = text;
    let mut found = Vec::new();
    loop {
        let (event, _, _) = parser.next(&mut |room| {
            let n = rest.len().min(room.len()).min(step);
            room[..n].copy_from_slice(&rest[..n]);
            rest = &rest[n..];
            Some(n)
        })?;
        let end = event == Event::StreamEnd;
        found.push((event, parser.mark()));
        if end {
            return Ok(found);
        }
    }
}

#[test]
fn the_mark_is_where_the_scanner_is() {
    let found = events(b"---\n- hello\n- world", 1000).unwrap();
    let marks: Vec<_> = found.iter().map(|(_, m)| (m.index, m.line, m.column)).collect();
    let last = (19, 3, 0);
    assert_eq!(marks, [(0, 0, 0), (3, 0, 3), (5, 1, 1), (12, 2, 0), last, last, last, last]);
}

#[test]
fn events_survive_being_written() {
    let text = "%TAG ! tag:x,2000:\n--- !a &b\n- 1\n- 'two'\n- \"\\u00e9\"\n- *b\n- {k: [v, é]}\n- |\n  long\n  er\n...\n--- x\n";
    let before: Vec<Event> = events(text.as_bytes(), 3).unwrap().into_iter().map(|(e, _)| e).collect();
    let mut emitter = Emitter::default();
    for event in &before {
        emitter.emit(event).unwrap();
    }
    let written = emitter.take_output();
    let after: Vec<Event> = events(&written, 1000).unwrap().into_iter().map(|(e, _)| e).collect();
    assert_eq!(before.len(), after.len());
    assert_eq!(before[2], after[2]);
}

#[test]
fn hostile_texts_end_in_problems() {
    for text in ["[!,", "a: ''|\n 0", "{-", "\u{1}", "&", "*", "%YAML 1", "? ? ? [", "\"\\x", "- - -\n -", "!<", "|99"]
    {
        for n in 0..=text.len() {
            let _ = events(&text.as_bytes()[..n], 1);
        }
    }
    let problem = events(b"\xff\xff\xff", 1).unwrap_err();
    assert_eq!(problem.problem.as_deref(), Some(&b"invalid leading UTF-8 octet"[..]));
    let deep = events("[".repeat(100_000).as_bytes(), 4096).unwrap_err();
    assert!(deep.problem.is_some());
}

#[test]
fn a_failed_emitter_stays_failed() {
    let mut emitter = Emitter::default();
    let problem = emitter.emit(&Event::StreamEnd).unwrap_err();
    assert_eq!(problem, b"expected STREAM-START");
    assert_eq!(emitter.emit(&Event::StreamStart(1)), Err(problem));
}
