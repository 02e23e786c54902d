# The parser's events of Ripper: which, in which order, with which values, and where the scanner is then.
begin
  require "ripper"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

class Log < Ripper
  attr_reader :lines

  PARSER_EVENTS.each do |event|
    define_method(:"on_#{event}") do |*values|
      note("#{event}(#{values.map { |v| show(v) }.join(", ")})")
      event
    end
  end

  SCANNER_EVENTS.each do |event|
    define_method(:"on_#{event}") do |text|
      note("#{event} #{text.inspect}") unless %i[sp ignored_nl].include?(event)
      text
    end
  end

  def show(value)
    case value
    when Array then "[#{value.map { |v| show(v) }.join(", ")}]"
    when Symbol then value.to_s
    else value.inspect
    end
  end

  def note(what) = (@lines ||= []) << "#{lineno}:#{column} #{what}"
end

def log(source)
  parser = Log.new(source)
  parser.parse
  puts parser.lines.join("; ")
end

def t
  p yield
rescue ScriptError, StandardError => e
  puts "#{e.class}: #{e.message}"
end

log("a.b(1) { |x| x }\n")
# => 1:0 ident "a"; 1:1 period "."; 1:2 vcall("a"); 1:2 ident "b"; 1:3 lparen "("; 1:4 int "1"; 1:5 rparen ")"; 1:6 args_new(); 1:6 args_add(args_new, "1"); 1:6 args_add_block(args_add, false); 1:6 arg_paren(args_add_block); 1:6 call(vcall, ".", "b"); 1:6 method_add_arg(call, arg_paren); 1:7 lbrace "{"; 1:9 op "|"; 1:10 ident "x"; 1:11 op "|"; 1:12 params(["x"], nil, nil, nil, nil, nil, nil); 1:12 block_var(params, false); 1:13 ident "x"; 1:15 rbrace "}"; 1:16 var_ref("x"); 1:16 stmts_new(); 1:16 stmts_add(stmts_new, var_ref); 1:16 brace_block(block_var, stmts_add); 1:16 method_add_block(method_add_arg, brace_block); 1:16 nl "\n"; 1:17 stmts_new(); 1:17 stmts_add(stmts_new, method_add_block); 1:17 program(stmts_add)
log("x = y rescue z\n")
# => 1:0 ident "x"; 1:2 op "="; 1:3 var_field("x"); 1:4 ident "y"; 1:6 kw "rescue"; 1:12 vcall("y"); 1:13 ident "z"; 1:14 nl "\n"; 1:15 vcall("z"); 1:15 rescue_mod(vcall, vcall); 1:15 assign(var_field, rescue_mod); 1:15 stmts_new(); 1:15 stmts_add(stmts_new, assign); 1:15 program(stmts_add)
log("a # c\n  # d\n\nb\n")
# => 1:0 ident "a"; 1:2 comment "# c\n"; 2:2 comment "# d\n"; 2:6 vcall("a"); 2:6 stmts_new(); 2:6 stmts_add(stmts_new, vcall); 4:0 ident "b"; 4:1 nl "\n"; 4:2 vcall("b"); 4:2 stmts_add(stmts_add, vcall); 4:2 program(stmts_add)
log("p(<<~A, 2)\n  b\#{c}\n   d\nA\n")
# => 1:0 ident "p"; 1:1 lparen "("; 1:2 heredoc_beg "<<~A"; 1:11 string_content(); 2:0 tstring_content "  b"; 2:3 string_add(string_content, "  b"); 2:3 embexpr_beg "\#{"; 2:5 ident "c"; 2:6 embexpr_end "}"; 2:7 vcall("c"); 2:7 stmts_new(); 2:7 stmts_add(stmts_new, vcall); 2:7 string_embexpr(stmts_add); 2:7 string_add(string_add, string_embexpr); 2:7 tstring_content "\n"; 2:8 string_add(string_add, "\n"); 3:0 tstring_content "   d\n"; 3:5 string_add(string_add, "   d\n"); 4:0 heredoc_end "A\n"; 1:6 heredoc_dedent(string_add, 2); 1:6 string_literal(heredoc_dedent); 1:6 comma ","; 1:7 args_new(); 1:7 args_add(args_new, string_literal); 1:8 int "2"; 1:9 rparen ")"; 1:10 args_add(args_add, "2"); 1:10 args_add_block(args_add, false); 1:10 arg_paren(args_add_block); 1:10 fcall("p"); 1:10 method_add_arg(fcall, arg_paren); 1:10 nl "\n"; 1:11 stmts_new(); 1:11 stmts_add(stmts_new, method_add_arg); 1:11 program(stmts_add)
log("def m(a, b = 1, *c, d:, **e, &f) = a\n")
# => 1:0 kw "def"; 1:4 ident "m"; 1:5 lparen "("; 1:6 ident "a"; 1:7 comma ","; 1:9 ident "b"; 1:11 op "="; 1:13 int "1"; 1:14 comma ","; 1:16 op "*"; 1:17 ident "c"; 1:18 rest_param("c"); 1:18 comma ","; 1:20 label "d:"; 1:22 comma ","; 1:24 op "**"; 1:26 ident "e"; 1:27 kwrest_param("e"); 1:27 comma ","; 1:29 op "&"; 1:30 ident "f"; 1:31 blockarg("f"); 1:31 params(["a"], [["b", "1"]], rest_param, nil, [["d:", false]], kwrest_param, blockarg); 1:31 rparen ")"; 1:32 paren(params); 1:33 op "="; 1:35 ident "a"; 1:36 nl "\n"; 1:37 var_ref("a"); 1:37 bodystmt(var_ref, nil, nil, nil); 1:37 def("m", paren, bodystmt); 1:37 stmts_new(); 1:37 stmts_add(stmts_new, def); 1:37 program(stmts_add)
log("a, (b, *c), d = *e, 1\n")
# => 1:0 ident "a"; 1:1 comma ","; 1:2 var_field("a"); 1:2 mlhs_new(); 1:2 mlhs_add(mlhs_new, var_field); 1:3 lparen "("; 1:4 ident "b"; 1:5 comma ","; 1:6 var_field("b"); 1:6 mlhs_new(); 1:6 mlhs_add(mlhs_new, var_field); 1:7 op "*"; 1:8 ident "c"; 1:9 rparen ")"; 1:10 var_field("c"); 1:10 mlhs_add_star(mlhs_add, var_field); 1:10 mlhs_paren(mlhs_add_star); 1:10 comma ","; 1:11 mlhs_add(mlhs_add, mlhs_paren); 1:12 ident "d"; 1:14 op "="; 1:15 var_field("d"); 1:15 mlhs_add(mlhs_add, var_field); 1:16 op "*"; 1:17 ident "e"; 1:18 comma ","; 1:19 vcall("e"); 1:19 args_new(); 1:19 args_add_star(args_new, vcall); 1:20 int "1"; 1:21 nl "\n"; 1:22 mrhs_new_from_args(args_add_star); 1:22 mrhs_add(mrhs_new_from_args, "1"); 1:22 massign(mlhs_add, mrhs_add); 1:22 stmts_new(); 1:22 stmts_add(stmts_new, massign); 1:22 program(stmts_add)
log("a.b += 1; c[0] ||= 2\n")
# => 1:0 ident "a"; 1:1 period "."; 1:2 vcall("a"); 1:2 ident "b"; 1:4 op "+="; 1:7 int "1"; 1:8 semicolon ";"; 1:9 field(vcall, ".", "b"); 1:9 opassign(field, "+=", "1"); 1:9 stmts_new(); 1:9 stmts_add(stmts_new, opassign); 1:10 ident "c"; 1:11 lbracket "["; 1:12 vcall("c"); 1:12 int "0"; 1:13 rbracket "]"; 1:14 args_new(); 1:14 args_add(args_new, "0"); 1:14 args_add_block(args_add, false); 1:15 op "||="; 1:19 int "2"; 1:20 nl "\n"; 1:21 aref_field(vcall, args_add_block); 1:21 opassign(aref_field, "||=", "2"); 1:21 stmts_add(stmts_add, opassign); 1:21 program(stmts_add)
log("foo a do end.bar { }\n")
# => 1:0 ident "foo"; 1:4 ident "a"; 1:6 kw "do"; 1:8 vcall("a"); 1:8 args_new(); 1:8 args_add(args_new, vcall); 1:8 args_add_block(args_add, false); 1:8 command("foo", args_add_block); 1:9 kw "end"; 1:12 stmts_new(); 1:12 void_stmt(); 1:12 stmts_add(stmts_new, void_stmt); 1:12 bodystmt(stmts_add, nil, nil, nil); 1:12 do_block(nil, bodystmt); 1:12 method_add_block(command, do_block); 1:12 period "."; 1:13 ident "bar"; 1:17 lbrace "{"; 1:19 rbrace "}"; 1:20 stmts_new(); 1:20 void_stmt(); 1:20 stmts_add(stmts_new, void_stmt); 1:20 brace_block(nil, stmts_add); 1:20 command_call(method_add_block, ".", "bar", nil); 1:20 method_add_block(command_call, brace_block); 1:20 nl "\n"; 1:21 stmts_new(); 1:21 stmts_add(stmts_new, method_add_block); 1:21 program(stmts_add)
log("case a\nin [b, *] then 1\nin {c: Integer => d} then 3\nelse 2\nend\n")
# => 1:0 kw "case"; 1:5 ident "a"; 1:6 nl "\n"; 1:7 vcall("a"); 2:0 kw "in"; 2:3 lbracket "["; 2:4 ident "b"; 2:5 var_field("b"); 2:5 comma ","; 2:7 op "*"; 2:8 rbracket "]"; 2:9 var_field(nil); 2:9 aryptn(nil, [var_field], var_field, nil); 2:10 kw "then"; 2:15 int "1"; 2:16 nl "\n"; 2:17 stmts_new(); 2:17 stmts_add(stmts_new, "1"); 3:0 kw "in"; 3:3 lbrace "{"; 3:4 label "c:"; 3:7 const "Integer"; 3:14 var_ref("Integer"); 3:15 op "=>"; 3:18 ident "d"; 3:19 var_field("d"); 3:19 binary(var_ref, =>, var_field); 3:19 rbrace "}"; 3:20 hshptn(nil, [["c:", binary]], nil); 3:21 kw "then"; 3:26 int "3"; 3:27 nl "\n"; 3:28 stmts_new(); 3:28 stmts_add(stmts_new, "3"); 4:0 kw "else"; 4:5 int "2"; 4:6 nl "\n"; 4:7 stmts_new(); 4:7 stmts_add(stmts_new, "2"); 5:0 kw "end"; 5:3 else(stmts_add); 5:3 in(hshptn, stmts_add, else); 5:3 in(aryptn, stmts_add, in); 5:3 case(vcall, in); 5:3 nl "\n"; 5:4 stmts_new(); 5:4 stmts_add(stmts_new, case); 5:4 program(stmts_add)
log("if a; b elsif c then d end\n")
# => 1:0 kw "if"; 1:3 ident "a"; 1:4 semicolon ";"; 1:5 vcall("a"); 1:6 ident "b"; 1:8 kw "elsif"; 1:13 vcall("b"); 1:13 stmts_new(); 1:13 stmts_add(stmts_new, vcall); 1:14 ident "c"; 1:16 kw "then"; 1:20 vcall("c"); 1:21 ident "d"; 1:23 kw "end"; 1:26 vcall("d"); 1:26 stmts_new(); 1:26 stmts_add(stmts_new, vcall); 1:26 elsif(vcall, stmts_add, nil); 1:26 if(vcall, stmts_add, elsif); 1:26 nl "\n"; 1:27 stmts_new(); 1:27 stmts_add(stmts_new, if); 1:27 program(stmts_add)
log("begin; a; rescue B => c; d; else e; ensure f; end\n")
# => 1:0 kw "begin"; 1:5 semicolon ";"; 1:6 stmts_new(); 1:6 void_stmt(); 1:6 stmts_add(stmts_new, void_stmt); 1:7 ident "a"; 1:8 semicolon ";"; 1:9 vcall("a"); 1:9 stmts_add(stmts_add, vcall); 1:10 kw "rescue"; 1:17 const "B"; 1:19 op "=>"; 1:21 var_ref("B"); 1:22 ident "c"; 1:23 semicolon ";"; 1:24 var_field("c"); 1:25 ident "d"; 1:26 semicolon ";"; 1:27 vcall("d"); 1:27 stmts_new(); 1:27 stmts_add(stmts_new, vcall); 1:28 kw "else"; 1:32 rescue([var_ref], var_field, stmts_add, nil); 1:33 ident "e"; 1:34 semicolon ";"; 1:35 vcall("e"); 1:35 stmts_new(); 1:35 stmts_add(stmts_new, vcall); 1:36 kw "ensure"; 1:43 ident "f"; 1:44 semicolon ";"; 1:45 vcall("f"); 1:45 stmts_new(); 1:45 stmts_add(stmts_new, vcall); 1:46 kw "end"; 1:49 ensure(stmts_add); 1:49 bodystmt(stmts_add, rescue, stmts_add, ensure); 1:49 begin(bodystmt); 1:49 nl "\n"; 1:50 stmts_new(); 1:50 stmts_add(stmts_new, begin); 1:50 program(stmts_add)
log("%w[a b]; %I[a\#{b} c]; :\"d\"; /e/x\n")
# => 1:0 qwords_beg "%w["; 1:3 tstring_content "a"; 1:4 qwords_new(); 1:4 words_sep " "; 1:5 tstring_content "b"; 1:6 qwords_add(qwords_new, "a"); 1:6 tstring_end "]"; 1:7 qwords_add(qwords_add, "b"); 1:7 array(qwords_add); 1:7 semicolon ";"; 1:8 stmts_new(); 1:8 stmts_add(stmts_new, array); 1:9 symbols_beg "%I["; 1:12 tstring_content "a"; 1:13 symbols_new(); 1:13 word_new(); 1:13 word_add(word_new, "a"); 1:13 embexpr_beg "\#{"; 1:15 ident "b"; 1:16 embexpr_end "}"; 1:17 vcall("b"); 1:17 stmts_new(); 1:17 stmts_add(stmts_new, vcall); 1:17 string_embexpr(stmts_add); 1:17 word_add(word_add, string_embexpr); 1:17 words_sep " "; 1:18 tstring_content "c"; 1:19 symbols_add(symbols_new, word_add); 1:19 word_new(); 1:19 word_add(word_new, "c"); 1:19 tstring_end "]"; 1:20 symbols_add(symbols_add, word_add); 1:20 array(symbols_add); 1:20 semicolon ";"; 1:21 stmts_add(stmts_add, array); 1:22 symbeg ":\""; 1:24 tstring_content "d"; 1:25 string_content(); 1:25 string_add(string_content, "d"); 1:25 tstring_end "\""; 1:26 dyna_symbol(string_add); 1:26 semicolon ";"; 1:27 stmts_add(stmts_add, dyna_symbol); 1:28 regexp_beg "/"; 1:29 regexp_new(); 1:29 tstring_content "e"; 1:30 regexp_add(regexp_new, "e"); 1:30 regexp_end "/x"; 1:32 regexp_literal(regexp_add, "/x"); 1:32 nl "\n"; 1:33 stmts_add(stmts_add, regexp_literal); 1:33 program(stmts_add)
log("# -*- warn-indent: false -*-\nfoo -1\n")
# => 1:19 magic_comment("warn_indent", "false"); 1:0 comment "# -*- warn-indent: false -*-\n"; 2:0 ident "foo"; 2:4 arg_ambiguous("-"); 2:4 op "-"; 2:5 int "1"; 2:6 nl "\n"; 2:7 unary(-@, "1"); 2:7 args_new(); 2:7 args_add(args_new, unary); 2:7 args_add_block(args_add, false); 2:7 command("foo", args_add_block); 2:7 stmts_new(); 2:7 stmts_add(stmts_new, command); 2:7 program(stmts_add)
log("class A < B; end\n")
# => 1:0 kw "class"; 1:6 const "A"; 1:8 op "<"; 1:9 const_ref("A"); 1:10 const "B"; 1:11 semicolon ";"; 1:12 var_ref("B"); 1:13 kw "end"; 1:16 stmts_new(); 1:16 void_stmt(); 1:16 stmts_add(stmts_new, void_stmt); 1:16 bodystmt(stmts_add, nil, nil, nil); 1:16 class(const_ref, var_ref, bodystmt); 1:16 nl "\n"; 1:17 stmts_new(); 1:17 stmts_add(stmts_new, class); 1:17 program(stmts_add)
t { Ripper.sexp("foo bar: 1, **c, &d") }
# => [:program, [[:command, [:@ident, "foo", [1, 0]], [:args_add_block, [[:bare_assoc_hash, [[:assoc_new, [:@label, "bar:", [1, 4]], [:@int, "1", [1, 9]]], [:assoc_splat, [:vcall, [:@ident, "c", [1, 14]]]]]]], [:vcall, [:@ident, "d", [1, 18]]]]]]]
t { Ripper.sexp_raw("->(a) { a ? b : c }") }
# => [:program, [:stmts_add, [:stmts_new], [:lambda, [:paren, [:params, [[:@ident, "a", [1, 3]]], nil, nil, nil, nil, nil, nil]], [:stmts_add, [:stmts_new], [:ifop, [:var_ref, [:@ident, "a", [1, 8]]], [:vcall, [:@ident, "b", [1, 12]]], [:vcall, [:@ident, "c", [1, 16]]]]]]]]
t { Ripper.sexp("def m; X = 1; end") } # => nil
t { Ripper.sexp("1 +") } # => nil
t { Ripper.sexp("a; __END__\nb") }
# => [:program, [[:vcall, [:@ident, "a", [1, 0]]], [:vcall, [:@ident, "__END__", [1, 3]]], [:vcall, [:@ident, "b", [2, 0]]]]]

class Errors < Ripper
  attr_reader :seen

  %i[alias_error assign_error class_name_error param_error].each do |event|
    define_method(:"on_#{event}") { |*values| (@seen ||= []) << [event, *values].first(3) }
  end

  def on_program(value) = value
  def compile_error(message) = (@seen ||= []) << [:compile_error, message]
end

def errors(source)
  parser = Errors.new(source)
  parser.parse
  p [parser.seen, parser.error?]
end

errors("alias $a $1") # => [[[:alias_error, "can't make alias for the number variables", "$1"]], true]
errors("$1 = 2") # => [[[:assign_error, "Can't set variable $1", "$1"]], true]
errors("self = 2") # => [[[:assign_error, "Can't change the value of self", "self"]], true]
errors("def m(A) end") # => [[[:param_error, "formal argument cannot be a constant", "A"]], true]
errors("class a; end") # => [[[:class_name_error, "class/module name must be CONSTANT", "a"]], true]
errors("p(&)") # => [[[:compile_error, "no anonymous block parameter"]], true]

# What handlers give is what later ones get, and the last one's is what `parse` answers.
class Sum < Ripper
  def on_int(text) = Integer(text)
  def on_binary(left, operator, right) = left.public_send(operator, right)
  def on_stmts_new = nil
  def on_stmts_add(_, value) = value
  def on_program(value) = value
  def on_paren(value) = value
end
t { Sum.new("1 + 2 * (3 + 4)").parse } # => 15

class Stops < Ripper
  def on_vcall(name) = raise(IndexError, name)
end
t { Stops.new("a; b").parse } # => IndexError: a

# In several threads at once, of long sources, of deep ones.
# Where each allocation collects, all of it smaller.
many = GC.stress ? 10 : 5_000
source = "foo(1) { |x| [x, :y] }\n" * (GC.stress ? 2 : 50)
want = Ripper.sexp(source)
t { 4.times.map { Thread.new { Ripper.sexp(source) } }.all? { |thread| thread.value == want } } # => true
t { Ripper.sexp("a = [1]\n" * (4 * many))[1].size == 4 * many } # => true
t { Sum.new("1" + " + 1" * many).parse == many + 1 } # => true
t { Ripper.sexp("(" * (many / 10) + "1" + ")" * (many / 10)).class } # => Array
t { [Ripper.sexp("[" * (10 * many))].flatten.compact.size < 2 } # => true
