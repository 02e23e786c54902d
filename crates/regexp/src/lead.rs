//! What ways can begin with: fills in the bytes that splits, switches and spans look at before they go on.

use asterism_support::encoding::{Encoding, Kind};

use crate::program::{ByteSet, CharSet, High, Inst, Lead, Pc, Program, ScopeKind, Switch, Unit};
use crate::set::{MAX_CODE, Range};

/// Instructions looked at for one way.
const MOST: usize = 300;

/// The bytes that characters of a set begin with.
pub fn set_bytes(program: &Program, set: &CharSet) -> ByteSet {
    let mut bytes = set.low;
    if program.ascii || program.encoding.is_single_byte() {
        return bytes;
    }
    if program.encoding.min_len() > 1 {
        return ByteSet::ALL;
    }
    let ranges: &[Range] = match &set.high {
        High::None => return bytes,
        High::Some(ranges) => ranges,
        High::Shared(ranges) => ranges,
        High::All => &[(0x80, MAX_CODE)],
    };
    if program.encoding.kind() == Kind::Utf8 {
        for &(first, last) in ranges {
            bytes.insert_range(utf8_lead(first.max(0x80)), utf8_lead(last));
        }
    } else {
        bytes.insert_range(0x80, 0xff);
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
    let mut steps = 0;
    while let Some(mut pc) = open.pop() {
        // Whatever comes back to a place comes back to one that was jumped to.
        let mut jumped = true;
        loop {
            if jumped {
                if seen.contains(&pc) {
                    break;
                }
                seen.push(pc);
                jumped = false;
            }
            steps += 1;
            if steps > MOST {
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
                Inst::Jump(to) => (pc, jumped) = (to, true),
                Inst::Split(split) => {
                    let split = &program.splits[split as usize];
                    open.push(split.second);
                    (pc, jumped) = (split.first, true);
                }
                Inst::Switch(switch) => {
                    open.extend(&program.switches[switch as usize].ways);
                    break;
                }
                // It is noted that it ended, though what follows fails: /(t*?|.\1)t/.
                Inst::Close(_) if program.asked => return Lead::ANY,
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
                | Inst::OpenAnew(_)
                | Inst::OpenKept(_)
                | Inst::CloseKept(_)
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
    program.switches = tables.into();
}

/// The table of a switch whose ways are known.
fn table(program: &Program, index: usize) -> Switch {
    let switch = &program.switches[index];
    let leads: Vec<Lead> = switch.ways.iter().map(|pc| lead(program, *pc)).collect();
    let mut lists = Lists { all: &switch.ways, ways: Vec::new(), places: Vec::new(), masks: Vec::new() };
    let (by_byte, at_end) = if leads.len() <= 64 {
        // The ways that each byte allows, as bits, and the bytes that allow any.
        let (mut masks, mut some) = ([0u64; 256], ByteSet::default());
        let mut always = 0;
        for (i, lead) in leads.iter().enumerate() {
            if lead.empty {
                always |= 1 << i;
            } else {
                lead.bytes.iter().for_each(|byte| masks[usize::from(byte)] |= 1 << i);
                some.union(&lead.bytes);
            }
        }
        // Most bytes allow what the one before them does.
        let mut before = (always, lists.few(always));
        let at_end = before.1;
        let mut by_byte = vec![at_end as u8; 256];
        for byte in some.iter() {
            let mask = masks[usize::from(byte)] | always;
            if before.0 != mask {
                before = (mask, lists.few(mask));
            }
            by_byte[usize::from(byte)] = before.1 as u8;
        }
        (by_byte.into(), at_end)
    } else {
        let by_byte = (0..=255u8).map(|byte| lists.many(&leads, Some(byte)) as u8).collect();
        (by_byte, lists.many(&leads, None))
    };
    let at_end = lists.places[at_end];
    Switch { by_byte, lists: lists.places.into(), at_end, ways: lists.ways.into(), memo: switch.memo }
}

/// Lists of ways, each of which is there once.
struct Lists<'a> {
    all: &'a [Pc],
    ways: Vec<Pc>,
    places: Vec<(u32, u32)>,
    /// Which ways each list has, as bits, if there are no more ways than those.
    masks: Vec<u64>,
}

impl Lists<'_> {
    /// The list of the ways whose bits are set.
    fn few(&mut self, mask: u64) -> usize {
        if let Some(known) = self.masks.iter().rposition(|m| *m == mask) {
            return known;
        }
        let begin = self.ways.len();
        self.masks.push(mask);
        self.ways.extend(self.all.iter().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|(_, way)| *way));
        self.places.push((begin as u32, self.ways.len() as u32));
        self.places.len() - 1
    }

    /// The list of the ways that `next` allows.
    fn many(&mut self, leads: &[Lead], next: Option<u8>) -> usize {
        let allowed = leads.iter().map(|lead| lead.allows(next.as_ref()));
        let begin = self.ways.len();
        self.ways.extend(self.all.iter().zip(allowed).filter(|(_, is)| *is).map(|(way, _)| *way));
        let (known, new) = self.ways.split_at(begin);
        if let Some(i) = self.places.iter().rposition(|p| known[p.0 as usize..p.1 as usize] == *new) {
            self.ways.truncate(begin);
            return i;
        }
        self.places.push((begin as u32, self.ways.len() as u32));
        self.places.len() - 1
    }
}
