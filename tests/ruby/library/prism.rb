# prism: the parser's native part below the installed library's nodes.
begin
  require "prism"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def t = (p yield) rescue p($!)

def tree(node) = [node.type, *node.compact_child_nodes.map { |child| tree(child) }]

t { tree(Prism.parse("a = 1; puts(a, *b) { |x, y = 2, *z, k: 3| x + 1 }").value) } # => [:program_node, [:statements_node, [:local_variable_write_node, [:integer_node]], [:call_node, [:arguments_node, [:local_variable_read_node], [:splat_node, [:call_node]]], [:block_node, [:block_parameters_node, [:parameters_node, [:required_parameter_node], [:optional_parameter_node, [:integer_node]], [:rest_parameter_node], [:optional_keyword_parameter_node, [:integer_node]]]], [:statements_node, [:call_node, [:local_variable_read_node], [:arguments_node, [:integer_node]]]]]]]]
t { tree(Prism.parse("case [1, {a: 2}]\nin [Integer => n, {a:}] if n then a\nelse nil\nend").value) } # => [:program_node, [:statements_node, [:case_match_node, [:array_node, [:integer_node], [:hash_node, [:assoc_node, [:symbol_node], [:integer_node]]]], [:in_node, [:if_node, [:local_variable_read_node], [:statements_node, [:array_pattern_node, [:capture_pattern_node, [:constant_read_node], [:local_variable_target_node]], [:hash_pattern_node, [:assoc_node, [:symbol_node], [:implicit_node, [:local_variable_target_node]]]]]]], [:statements_node, [:local_variable_read_node]]], [:else_node, [:statements_node, [:nil_node]]]]]]
t { tree(Prism.parse("while x do y end until z\nunless a then b else c end").value) } # => [:program_node, [:statements_node, [:until_node, [:call_node], [:statements_node, [:while_node, [:call_node], [:statements_node, [:call_node]]]]], [:unless_node, [:call_node], [:statements_node, [:call_node]], [:else_node, [:statements_node, [:call_node]]]]]]
t { tree(Prism.parse(%q(def f(...) = g(...); <<~A + "#{x}y" + :"s#{1}".to_s; /a#{b}/mi; `ls`; 1.5r; 2i)).value) } # => [:program_node, [:statements_node, [:def_node, [:parameters_node, [:forwarding_parameter_node]], [:statements_node, [:call_node, [:arguments_node, [:forwarding_arguments_node]]]]], [:call_node, [:call_node, [:string_node], [:arguments_node, [:interpolated_string_node, [:embedded_statements_node, [:statements_node, [:call_node]]], [:string_node]]]], [:arguments_node, [:call_node, [:interpolated_symbol_node, [:string_node], [:embedded_statements_node, [:statements_node, [:integer_node]]]]]]], [:interpolated_regular_expression_node, [:string_node], [:embedded_statements_node, [:statements_node, [:call_node]]]], [:x_string_node], [:rational_node], [:imaginary_node, [:integer_node]]]]
t { Prism.parse("x = 1 rescue 2").value.statements.body[0].then { |n| [n.name, n.name_loc.slice, n.operator_loc.start_offset, n.location.end_column] } } # => [:x, "x", 2, 14]
t { Prism.parse("while a do b end").value.statements.body[0].then { |n| [n.keyword_loc, n.do_keyword_loc, n.closing_loc].map(&:slice) } } # => ["while", "do", "end"]
t { Prism.parse(":a; :'b'").value.statements.body.map { |n| [n.value_loc.slice, n.unescaped, n.opening_loc.slice] } } # => [["a", "a", ":"], ["b", "b", ":'"]]
t { Prism.parse("a in b").value.statements.body[0].operator_loc.slice } # => "in"
t { Prism.parse("[-1, 0xffff_ffff_ffff_ffff_ffff, 1_0, 1.25e3]").value.statements.body[0].elements.map(&:value) } # => [-1, 1208925819614629174706175, 10, 1250.0]
t { Prism.parse("é = 'ü'; é").value.statements.body.map(&:name) } # => [:é, :é]
t { Prism.parse("# encoding: euc-jp\n'\xA4\xA2'".b).value.statements.body[0].unescaped } # => "\x{A4A2}"
t { Prism.parse("a b\n# c\n=begin\nd\n=end\n").comments.map { |c| [c.class, c.location.start_line, c.slice] } } # => [[Prism::InlineComment, 2, "# c"], [Prism::EmbDocComment, 3, "=begin\nd\n=end\n"]]
t { Prism.parse("# frozen_string_literal: true\n").magic_comments.map { |c| [c.key, c.value] } } # => [["frozen_string_literal", "true"]]
t { Prism.parse("a\n__END__\nb").data_loc.slice } # => "__END__\nb"
t { Prism.parse("foo(").errors.map { |e| [e.type, e.message, e.location.start_offset, e.level] } } # => [[:argument_term_paren, "unexpected end-of-input; expected a `)` to close the arguments", 4, :syntax]]
t { Prism.parse("a = 1\na == 2\n3").warnings.map { |w| [w.type, w.level] } } # => [[:void_statement, :verbose], [:void_statement, :verbose]]
t { Prism.parse("1\n2", line: 10, freeze: true).then { |r| [r.value.statements.body[1].location.start_line, r.frozen?, r.value.frozen?] } } # => [11, true, true]
t { Prism.parse("__FILE__", filepath: "x.rb").value.statements.body[0].filepath } # => "x.rb"
t { Prism.parse("a", scopes: [[:a]]).value.statements.body[0].class } # => Prism::LocalVariableReadNode
t { Prism.parse("'a'", frozen_string_literal: true).value.statements.body[0].frozen? } # => true
t { Prism.parse("it", version: "3.3.0").value.statements.body[0].class } # => Prism::CallNode
t { Prism.lex("a do |x| # c\n%w[a b] end\n").value.map { |token, state| [token.type, token.value, state] } } # => [[:IDENTIFIER, "a", 32], [:KEYWORD_DO, "do", 1], [:PIPE, "|", 1025], [:IDENTIFIER, "x", 16], [:PIPE, "|", 1025], [:COMMENT, "# c\n", 1025], [:PERCENT_LOWER_W, "%w[", 1025], [:STRING_CONTENT, "a", 1025], [:WORDS_SEP, " ", 1025], [:STRING_CONTENT, "b", 1025], [:STRING_END, "]", 2], [:KEYWORD_END, "end", 2], [:NEWLINE, "\n", 1], [:EOF, "\n", 1]]
t { Prism.parse_lex("x").then { |r| [tree(r.value[0]), r.value[1].map { |token, _| token.type }] } } # => [[:program_node, [:statements_node, [:call_node]]], [:IDENTIFIER, :EOF]]
t { Prism.parse_comments("# a\n1").map(&:slice) } # => ["# a"]
t { [Prism.parse_success?("1"), Prism.parse_success?("1 +"), Prism.parse_failure?("(")] } # => [true, false, true]
t { tree(Prism.load("f(1)", Prism.dump("f(1)")).value) } # => [:program_node, [:statements_node, [:call_node, [:arguments_node, [:integer_node]]]]]
t { require "stringio"; (io = StringIO.new("a\n__END__\nb")).then { [tree(Prism.parse_stream(io).value), io.read] } } # => [[:program_node, [:statements_node, [:call_node]]], "b"]
t { [Prism::StringQuery.local?("a"), Prism::StringQuery.constant?("a"), Prism::StringQuery.method_name?("a?")] } # => [true, false, true]
t { Prism::StringQuery.local?("a".encode("UTF-16LE")) } # => #<ArgumentError: Invalid or non ascii-compatible encoding>
t { Prism.parse(1) } # => #<TypeError: wrong argument type Integer (expected String)>
t { Prism.parse("", version: "2.0") } # => #<ArgumentError: invalid version: 2.0>
t { Prism.parse("", command_line: "q") } # => #<ArgumentError: invalid command line flag: 'q'>
t { Prism.parse("", nope: 1) } # => #<ArgumentError: unknown keyword: nope>
t { Prism.parse_file("/nowhere") } # => #<Errno::ENOENT: No such file or directory - /nowhere>
t { Prism.parse("a" + "(" * 20_000).errors.empty? } # => false
