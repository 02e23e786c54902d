//! What ways can begin with: fills in the bytes that splits, switches and spans look at before they go on.

use asterism_support::encoding::{Encoding, Kind};

use crate::program::{ByteSet, CharSet, High, Inst, Lead, Pc, Program, ScopeKind, Switch, Unit};

/// Instructions looked at for one way.
const MOST: usize = 200;

/// The bytes that characters of a set begin with.
pub fn set_bytes(program: &Program, set: &CharSet) -> ByteSet {
    let mut bytes = set.low;
    if program.ascii || program.encoding.is_single_byte() {
        return bytes;
    }
    if program.encoding.min_len() > 1 {
        return ByteSet::ALL;
    }
    match (&set.high, program.encoding.kind()) {
        (High::None, _) => {}
        (High::Some(ranges), Kind::Utf8) => {
            for &(first, last) in ranges.iter() {
                for byte in utf8_lead(first)..=utf8_lead(last) {
                    bytes.insert(byte);
                }
            }
        }
        _ => (128..=255).for_each(|b| bytes.insert(b)),
    }
    bytes
}

fn utf8_lead(code: u32) -> u8 {
    match code {
        0..0x80 => code as u8,
        0x80..0x800 => 0xc0 | (code >> 6) as u8,
        0x800..0x1_0000 => 0xe0 | (code >> 12) as u8,
        0x1_0000..0x11_0000 => 0xf0 | (code >> 18) as u8,
        _ => 0xff,
    }
}

fn unit_bytes(program: &Program, unit: Unit) -> ByteSet {
    match unit {
        Unit::Any => ByteSet::ALL,
        Unit::NotNewline => not_newline(program.encoding),
        Unit::Set(set) => set_bytes(program, &program.sets[set as usize]),
    }
}

fn not_newline(encoding: Encoding) -> ByteSet {
    let mut bytes = ByteSet::ALL;
    if encoding.min_len() == 1 {
        bytes.0[0] &= !(1 << 10);
    }
    bytes
}

/// Look-aheads in each other that are looked into.
const DEEPEST: usize = 4;

/// What the way at `pc` can begin with.
pub fn lead(program: &Program, pc: Pc) -> Lead {
    lead_within(program, pc, 0)
}

fn lead_within(program: &Program, pc: Pc, depth: usize) -> Lead {
    let mut lead = Lead { bytes: ByteSet::default(), empty: false };
    let mut open = vec![pc];
    let mut seen: Vec<Pc> = Vec::new();
    let mut entered: Vec<u32> = Vec::new();
    while let Some(mut pc) = open.pop() {
        loop {
            if seen.contains(&pc) {
                break;
            }
            seen.push(pc);
            if seen.len() > MOST {
                return Lead::ANY;
            }
            match program.code[pc as usize] {
                Inst::Fail => break,
                Inst::Byte(b) => {
                    lead.bytes.insert(b);
                    break;
                }
                Inst::Bytes(begin, _) => {
                    lead.bytes.insert(program.bytes[begin as usize]);
                    break;
                }
                Inst::Set(set) => {
                    lead.bytes.union(&set_bytes(program, &program.sets[set as usize]));
                    break;
                }
                Inst::Any => {
                    lead.bytes = ByteSet::ALL;
                    break;
                }
                Inst::NotNewline => {
                    lead.bytes.union(&not_newline(program.encoding));
                    break;
                }
                Inst::Span(span) => {
                    let span = &program.spans[span as usize];
                    lead.bytes.union(&unit_bytes(program, span.unit));
                    if span.min > 0 {
                        break;
                    }
                    pc += 1;
                }
                Inst::Jump(to) => pc = to,
                Inst::Split(split) => {
                    let split = &program.splits[split as usize];
                    open.push(split.second);
                    pc = split.first;
                }
                Inst::Switch(switch) => {
                    // Before the table is made there is one list of all ways.
                    open.extend(program.switches[switch as usize].lists.iter().flatten());
                    break;
                }
                Inst::Open(_) | Inst::Close(_) | Inst::Anchor(_) | Inst::Keep | Inst::EmptyBegin(_) => pc += 1,
                Inst::Scope(scope) => {
                    if program.scopes[scope as usize].kind == ScopeKind::Atomic {
                        entered.push(scope);
                        pc += 1;
                    } else {
                        let scope = &program.scopes[scope as usize];
                        if scope.kind == ScopeKind::Look && scope.behind == 0 && depth < DEEPEST {
                            // What comes next must be what is looked for.
                            let ahead = lead_within(program, pc + 1, depth + 1);
                            if !ahead.empty {
                                lead.bytes.union(&ahead.bytes);
                                break;
                            }
                        }
                        pc = scope.next;
                    }
                }
                Inst::ScopeEnd(scope) => {
                    // From within it does not matter what follows: the scope has matched.
                    if !entered.contains(&scope) {
                        return Lead::ANY;
                    }
                    pc = program.scopes[scope as usize].next;
                }
                Inst::CountBegin(_) => pc += 1,
                Inst::Count(count) => {
                    let count = &program.counts[count as usize];
                    open.push(count.exit);
                    pc += 1;
                }
                Inst::EmptyEnd(check) => {
                    open.push(program.empties[check as usize].exit);
                    pc += 1;
                }
                Inst::Match
                | Inst::Back(_)
                | Inst::Call(_)
                | Inst::Return
                | Inst::OpenNested(_)
                | Inst::CloseNested(_)
                | Inst::AbsentBegin
                | Inst::Absent(_)
                | Inst::AbsentEnd
                | Inst::Condition(..) => return Lead::ANY,
            }
        }
    }
    lead
}

/// Fills in what is known when all is compiled.
pub fn fill(program: &mut Program) {
    for i in 0..program.splits.len() {
        let (first, second) = (program.splits[i].first, program.splits[i].second);
        program.splits[i].first_bytes = lead(program, first);
        program.splits[i].second_bytes = lead(program, second);
    }
    for pc in 0..program.code.len() {
        if let Inst::Span(index) = program.code[pc] {
            let next = lead(program, pc as Pc + 1);
            let bytes = unit_bytes(program, program.spans[index as usize].unit);
            let span = &mut program.spans[index as usize];
            span.next = next;
            span.apart = !next.empty && next.bytes.is_disjoint(&bytes);
        }
    }
    let tables: Vec<Switch> = (0..program.switches.len()).map(|i| table(program, i)).collect();
    program.switches = tables;
}

/// The table of a switch, whose ways are in its first list.
fn table(program: &Program, index: usize) -> Switch {
    let switch = &program.switches[index];
    let ways = &switch.lists[0];
    let leads: Vec<Lead> = ways.iter().map(|pc| lead(program, *pc)).collect();
    let mut by_byte = Box::new([0u16; 257]);
    let mut lists: Vec<Box<[Pc]>> = Vec::new();
    for byte in 0..=256usize {
        let next = u8::try_from(byte).ok();
        let list: Vec<Pc> = ways.iter().zip(&leads).filter(|(_, l)| l.allows(next.as_ref())).map(|(w, _)| *w).collect();
        let known = lists.iter().position(|l| **l == list[..]);
        let place = known.unwrap_or_else(|| {
            lists.push(list.into());
            lists.len() - 1
        });
        by_byte[byte] = place as u16;
    }
    Switch { by_byte, lists, memo: switch.memo }
}
