//! Tests of `cargo xtask handlers`.

use super::calling;

#[test]
fn a_call_through_the_table_is_found_and_a_jump_is_none() {
    let disassembly = "\
0000000000001000 <_ZN11asterism_vm6interp8dispatch3run17h0000000000000001E>:
    1000:\tcall   *0x2913dc(%rip)        # 8986c0
    1006:\tjmp    *(%rcx,%rax,8)

0000000000001010 <_ZN11asterism_vm6interp8dispatch3run17h0000000000000002E>:
    1010:\tpush   %rbx
    1011:\tcall   *(%rcx,%rax,8)
    1014:\tcall   *0x8(%rcx,%rax,8)

0000000000001020 <_ZN11asterism_vm6interp8dispatch8dispatch17h0000000000000003E>:
    1020:\tcall   *(%rcx,%rax,8)
";
    let (count, found) = calling(disassembly);
    assert_eq!(count, 2);
    assert_eq!(found, ["_ZN11asterism_vm6interp8dispatch3run17h0000000000000002E"]);
}
