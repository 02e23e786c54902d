//! Tests of how programs are found in pages.

use super::blocks;

#[test]
fn ruby_blocks_keep_their_line_numbers_and_others_are_left_out() {
    let page = "# Page\n\n```ruby\nputs 1 # => 1\n```\n\n```rust\nfn main() {}\n```\n```ruby\nputs 2\nputs 3\n```\n";
    assert_eq!(blocks(page), ["\n\n\nputs 1 # => 1\n", "\n\n\n\n\n\n\n\n\n\nputs 2\nputs 3\n"]);
}
