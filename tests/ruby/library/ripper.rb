# The scanner's events of Ripper, below the installed library's Ruby part.
begin
  require "ripper"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def lex(source)
  puts(Ripper.lex(source).map { |(line, column), event, text, state| "#{line}:#{column} #{event[3..]} #{text.inspect} #{state}" })
end

def t
  p yield
rescue ScriptError, StandardError => e
  puts "#{e.class}: #{e.message}"
end

lex("def m(a) nil end\n")
# => 1:0 kw "def" FNAME
# => 1:3 sp " " FNAME
# => 1:4 ident "m" ENDFN
# => 1:5 lparen "(" BEG|LABEL
# => 1:6 ident "a" ARG
# => 1:7 rparen ")" ENDFN
# => 1:8 sp " " BEG
# => 1:9 kw "nil" END
# => 1:12 sp " " END
# => 1:13 kw "end" END
# => 1:16 nl "\n" BEG
lex("p(<<A, <<~B) # c\nx\#{1}y\nA\n  b\n   c\nB\n:z\n")
# => 1:0 ident "p" CMDARG
# => 1:1 lparen "(" BEG|LABEL
# => 1:2 heredoc_beg "<<A" BEG|LABEL
# => 1:5 comma "," BEG|LABEL
# => 1:6 sp " " BEG|LABEL
# => 1:7 heredoc_beg "<<~B" BEG|LABEL
# => 1:11 rparen ")" ENDFN
# => 1:12 sp " " ENDFN
# => 1:13 comment "# c\n" ENDFN
# => 2:0 tstring_content "x" BEG|LABEL
# => 2:1 embexpr_beg "\#{" BEG|LABEL
# => 2:3 int "1" END
# => 2:4 embexpr_end "}" END
# => 2:5 tstring_content "y\n" BEG|LABEL
# => 3:0 heredoc_end "A\n" BEG|LABEL
# => 4:0 ignored_sp "  " BEG|LABEL
# => 4:2 tstring_content "b\n" BEG|LABEL
# => 5:0 ignored_sp "  " BEG|LABEL
# => 5:2 tstring_content " c\n" BEG|LABEL
# => 6:0 heredoc_end "B\n" BEG|LABEL
# => 7:0 symbeg ":" FNAME
# => 7:1 ident "z" ENDFN
# => 7:2 nl "\n" BEG

# Nothing of the source gets lost.
source = File.readlines(__FILE__).first(12).join
t { Ripper.tokenize(source).join == source } # => true
t { Ripper.tokenize("a \\\n  b\r\n%w[a\n b] =begin") } # => ["a", " ", "\\\n", "  ", "b", "\r\n", "%w[", "a", "\n", " ", "b", "]", " ", "=", "begin"]
t { Ripper.tokenize("x\n__END__\nrest") } # => ["x", "\n", "__END__\n"]
t { Ripper.slice("foo(1, 2)", "lparen $(int)", 1) } # => "1"

class Names < Ripper
  attr_reader :names
  def on_ident(name) = (@names ||= []) << [name, lineno, column, Ripper.lex_state_name(state), token]
  def on_heredoc_dedent(_, width) = (@names << width)
  def on_parse_error(_) = @names << error?
end
names = Names.new("a b\n<<~A\n    c\n   \#{d}\n\nA\n", "file", 7)
t { [names.lineno, names.column, names.state, names.filename, names.encoding] } # => [nil, nil, nil, "file", #<Encoding:UTF-8>]
t { names.parse } # => nil
t { names.names } # => [["a", 7, 0, "CMDARG", "a"], ["b", 7, 2, "ARG", "b"], ["d", 10, 5, "CMDARG", "d"], 3]
t { names.error? } # => false
wrong = Names.new("a )")
wrong.parse
t { [wrong.names[1], wrong.error?, wrong.parse] } # => [false, true, nil]
t { Ripper.lex("a", "-", nil)[0][0] } # => [1, 0]
t { Ripper.new("a\n__END__\n").tap(&:parse).end_seen? } # => true
t { Ripper.dedent_string(text = +"\t x", 8) } # => 1
t { Ripper.lex_state_name(Ripper::EXPR_BEG | Ripper::EXPR_LABEL) } # => "BEG|LABEL"
t { Ripper.new(3) } # => TypeError: no implicit conversion of Integer into String
t { Ripper.allocate.parse } # => ArgumentError: method called for uninitialized object
t { Ripper.lex("\u3042 = 1".encode("EUC-JP"))[0][2].encoding } # => #<Encoding:EUC-JP>
t { Ripper.lex("x = '\xFF'").map { |_, _, text| text }.join.valid_encoding? } # => false

t { Ripper.tokenize("a <<b") } # => ["a", " ", "<<b"]
t { Ripper.tokenize("a \0b") } # => ["a", " "]
t { Ripper.lex("1\n\t")[-1][2..].map(&:to_s) } # => ["\t", "END"]

# In several threads and fibers at once.
want = Ripper.tokenize(source)
t { 4.times.map { Thread.new { Ripper.tokenize(source) } }.all? { |thread| thread.value == want } } # => true
t { Fiber.new { Ripper.tokenize("[" * 60).size }.resume } # => 60
