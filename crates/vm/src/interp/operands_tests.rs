//! The parts of an instruction against the encoding of the table.

use asterism_compiler::opcode::Op;

use super::Operands;

#[test]
fn parts_are_those_of_the_encoding() {
    let word = 0xfedc_ba98_7654_3200 | Op::Yield as u64;
    // SAFETY: the word is an instruction's, and outlives the view of it.
    let operands = unsafe { Operands::at(&raw const word) };
    assert!(operands.op() == Op::Yield);
    assert_eq!(operands.x(), (word >> 8) as u8);
    assert_eq!(operands.a(), (word >> 16) as u16);
    assert_eq!(operands.b(), (word >> 32) as u16);
    assert_eq!(operands.c(), (word >> 48) as u16);
    assert_eq!(operands.wide(), (word >> 32) as u32);
    assert_eq!(operands.low(), word as u32);
    assert_eq!(operands.word(), word);
}
