# YAML from the installed library, on our parser and emitter.
# Under gc-stress most of it takes minutes: it is on for a round trip only.
stress = GC.stress
GC.stress = false
begin
  require "yaml"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require "date"
require "set"
require "stringio"
require "tempfile"

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

Point = Struct.new(:x, :y)
class Thing
  attr_accessor :a, :b
  def ==(o) = o.class == self.class && o.a == a && o.b == b
end
class Coded
  attr_reader :z
  def initialize(z) = @z = z
  def encode_with(coder) = coder["z"] = @z * 2
  def init_with(coder) = @z = coder["z"] + 1
end
class Trouble < StandardError; end

# Loading
t { YAML.load("a: 1\nb: [x, 2.5, ~, true]\nc:\n  - d: e\n  - 'f'\n") } # => {"a" => 1, "b" => ["x", 2.5, nil, true], "c" => [{"d" => "e"}, "f"]}
t { YAML.load("--- >\n folded\n text\n\n more\n") } # => "folded text\nmore\n"
t { YAML.load("- |\n  a\n   b\n- |-\n  c\n- |+\n  d\n\n- \"e\\u00e9\\n\"\n- 'it''s'\n- plain\n  goes on") } # => ["a\n b\n", "c", "d\n\n", "eé\n", "it's", "plain goes on"]
t { YAML.load("- 0x1F\n- 0o17\n- 017\n- 1_000\n- 1e3\n- .inf\n- -.INF\n- 1:30\n- yes\n- off\n- null\n- '1'\n- 1.0.0") } # => [31, "0o17", 15, 1000, "1e3", Infinity, -Infinity, 5400, true, false, nil, "1", "1.0.0"]
t { YAML.load("a: &x {k: 1}\nb:\n  <<: *x\n  l: 2\n", aliases: true) } # => {"a" => {"k" => 1}, "b" => {"k" => 1, "l" => 2}}
t { YAML.load("a: b\nc: :d\n", symbolize_names: true) } # => {a: "b", c: :d}
t { YAML.load("a: [b]", freeze: true).then { |h| [h.frozen?, h["a"].frozen?, h["a"][0].frozen?] } } # => [true, true, true]
t { YAML.load_stream("--- 1\n--- [2]\n...\n--- {a: 3}\n") } # => [1, [2], {"a" => 3}]
t { [YAML.load(""), YAML.load("", fallback: 1), YAML.load_stream(""), YAML.parse("")] } # => [nil, 1, [], false]
t { YAML.unsafe_load("!ruby/object:Thing {a: 1, b: [2]}").b } # => [2]
t { YAML.unsafe_load("--- &1\n- *1\n").then { |a| a[0].equal?(a) } } # => true
t { Tempfile.create("y") { |f| f.write("k: [v]\n"); f.flush; [YAML.load_file(f.path), YAML.safe_load_file(f.path), YAML.parse_file(f.path).class] } } # => [{"k" => ["v"]}, {"k" => ["v"]}, Psych::Nodes::Document]
t { YAML.load(StringIO.new("a: é\n")) } # => {"a" => "é"}
t { YAML.load("a: é\n".encode("UTF-16LE")) } # => {"a" => "é"}
t { YAML.load("\uFEFFa: é\n".encode("UTF-16BE")) } # => {"a" => "é"}
t { YAML.load("a: é\n".encode("ISO-8859-1"))["a"].encoding } # => #<Encoding:UTF-8>

# Errors
t { YAML.load("a: b: c") } # => Psych::SyntaxError: (<unknown>): mapping values are not allowed in this context at line 1 column 5
t { YAML.load("[1, 2", filename: "file.yml") } # => Psych::SyntaxError: (file.yml): did not find expected ',' or ']' while parsing a flow sequence at line 1 column 1
t { YAML.load("[!,") } # => Psych::SyntaxError: (<unknown>): did not find expected node content while parsing a flow node at line 2 column 1
t { YAML.load("a: \xFF") } # => Psych::SyntaxError: (<unknown>): invalid leading UTF-8 octet at line 1 column 1
t { YAML.load("\u0001") } # => Psych::SyntaxError: (<unknown>): control characters are not allowed at line 1 column 1
t { YAML.load("*nope") rescue $!.message[/nope/] } # => "nope"
t { YAML.safe_load(":a") } # => Psych::DisallowedClass: Tried to load unspecified class: Symbol
t { YAML.safe_load(":a", permitted_classes: [Symbol]) } # => :a
t { YAML.safe_load(":b", permitted_classes: [Symbol], permitted_symbols: [:a]) } # => Psych::DisallowedClass: Tried to load unspecified class: Symbol
t { YAML.safe_load("- &a [1]\n- *a") rescue $!.is_a?(Psych::BadAlias) } # => true
t { YAML.safe_load("!ruby/object:Thing {}") } # => Psych::DisallowedClass: Tried to load unspecified class: Thing
t { YAML.unsafe_load("!ruby/object:No::Such {}") } # => ArgumentError: undefined class/module No::
t { YAML.unsafe_load("!ruby/class '#<Class:0x1>'") } # => ArgumentError: can't retrieve anonymous class #<Class:0x1>
t { YAML.unsafe_load("!ruby/object:Math::PI {}") } # => TypeError: Math::PI does not refer to class/module
t { YAML.unsafe_load("!ruby/exception:ArgumentError\nmessage: x\nbacktrace: [a]").then { |e| [e.message, e.backtrace] } } # => ["x", ["a"]]
t { YAML.load("x: 2001-02-03") } # => Psych::DisallowedClass: Tried to load unspecified class: Date
t { YAML.load("x: 2001-02-03", permitted_classes: [Date]) } # => {"x" => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>}
t { begin; YAML.load("a:\n - b\n c", filename: "f"); rescue Psych::SyntaxError => e; [e.file, e.line, e.column, e.offset, e.problem, e.context]; end } # => ["f", 3, 2, 0, "could not find expected ':'", "while scanning a simple key"]
t { YAML.load(1) } # => TypeError: no implicit conversion of Integer into String
t { YAML.load(Class.new { def read(_) = raise("read"); def external_encoding = nil }.new) } # => RuntimeError: read

# Dumping
t { YAML.dump([1, 2.5, nil, true, "a", :b, "", "true", "1", "a: b", "- x", "no", "~", " x", "x ", "'", "\"", "#x", "é", "\t", "\e"]) } # => "---\n- 1\n- 2.5\n-\n- true\n- a\n- :b\n- ''\n- 'true'\n- '1'\n- 'a: b'\n- \"- x\"\n- 'no'\n- \"~\"\n- \" x\"\n- 'x '\n- \"'\"\n- \"\\\"\"\n- \"#x\"\n- é\n- \"\\t\"\n- \"\\e\"\n"
t { YAML.dump("a" => { "b" => [1, { "c" => [] }] }, "d" => {}) } # => "---\na:\n  b:\n  - 1\n  - c: []\nd: {}\n"
t { YAML.dump(["a\nb\n", "a\nb", "a\n\nb\n\n", "\n", "word " * 30]) } # => "---\n- |\n  a\n  b\n- |-\n  a\n  b\n- |+\n  a\n\n  b\n\n- \"\\n\"\n- 'word word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word word word '\n...\n"
t { YAML.dump("\xff\xfe".b) } # => "--- !binary |-\n  //4=\n"
t { YAML.dump("😀") } # => "--- \"\\U0001F600\"\n"
t { YAML.dump("a😀é") } # => "--- \"a\\U0001F600é\"\n"
t { YAML.dump("é".encode("ISO-8859-1")) } # => "--- é\n"
t { x = [1]; YAML.dump([x, x]) } # => "---\n- &1\n  - 1\n- *1\n"
t { x = []; x << x; YAML.dump(x) } # => "--- &1\n- *1\n"
t { { a: 1 }.to_yaml + [1].to_yaml + "x".to_yaml + nil.to_yaml } # => "---\n:a: 1\n---\n- 1\n--- x\n---\n"
t { YAML.dump({ "a" => "word " * 10 }, line_width: 20) } # => "---\na: \"word word word word\n  word word word word\n  word word \"\n"
t { YAML.dump({ "a" => [1, { "b" => 2 }] }, indentation: 4) } # => "---\na:\n- 1\n-   b: 2\n"
t { YAML.dump({ "a" => [1] }, canonical: true) } # => "---\n{\n  ? \"a\"\n  : [\n    ! \"1\",\n  ],\n}\n"
t { YAML.dump(1, header: true) + YAML.dump(1, version: [1, 1]) } # => "%YAML 1.1\n--- 1\n%YAML 1.1\n--- 1\n"
t { YAML.dump([1], StringIO.new).string } # => "---\n- 1\n"
t { YAML.dump_stream(1, [2]) } # => "--- 1\n---\n- 2\n"
t { YAML.safe_dump(:a) } # => Psych::DisallowedClass: Tried to dump unspecified class: Symbol
t { YAML.dump(Coded.new(3)) } # => "--- !ruby/object:Coded\nz: 6\n"

# There and back
def trip(v)
  text = YAML.dump(v)
  back = YAML.unsafe_load(text)
  [text, back == v ? true : back]
end
t { trip(Point.new(1, "x")) } # => ["--- !ruby/struct:Point\nx: 1\ny: x\n", true]
t { trip(Thing.new.tap { |o| o.a = 1; o.b = { "k" => nil } }) } # => ["--- !ruby/object:Thing\na: 1\nb:\n  k:\n", true]
t { trip(1..5) + trip("a"..."c") } # => ["--- !ruby/range\nbegin: 1\nend: 5\nexcl: false\n", true, "--- !ruby/range\nbegin: a\nend: c\nexcl: true\n", true]
t { trip(/a\/b/mi) + trip(3r) + trip(2i) + trip(2**70) + trip(-1.5e-9) } # => ["--- !ruby/regexp /a\\/b/mi\n", /a\/b/mi, "--- !ruby/object:Rational\ndenominator: 1\nnumerator: 3\n", true, "--- !ruby/object:Complex\nreal: 0\nimage: 2\n", true, "--- 1180591620717411303424\n", true, "--- -1.5e-09\n", true]
t { trip(Date.new(2020, 2, 29)) + trip(Time.utc(2020, 1, 2, 3, 4, 5.5r)) } # => ["--- 2020-02-29\n", true, "--- 2020-01-02 03:04:05.500000000 Z\n", true]
t { YAML.unsafe_load(YAML.dump(Time.new(2020, 1, 2, 3, 4, 5, "+09:00"))).utc_offset } # => 32400
t { trip(Class.new(Array).then { [String, Comparable] }) } # => ["---\n- !ruby/class 'String'\n- !ruby/module 'Comparable'\n", true]
t { YAML.unsafe_load(YAML.dump(Set[1, "a"])) == Set[1, "a"] } # => true
t { e = YAML.unsafe_load(YAML.dump(Trouble.new("boo"))); [e.class, e.message] } # => [Trouble, "boo"]
t { YAML.unsafe_load(YAML.dump(Coded.new(3))).z } # => 7
t { trip("a" * 300) [1] } # => true
t { trip((0..255).map(&:chr).join)[1] } # => true
t { trip(Array.new(300) { |i| { "k#{i}" => ["v" * (i % 90), i, i.to_s, :"s#{i}"] } })[1] } # => true

# Parser and emitter
class Recorder < Psych::Handler
  attr_reader :log
  def initialize = @log = []
  %i[start_stream start_document scalar start_sequence start_mapping alias end_document event_location].each { |m| define_method(m) { |*a| @log << [m, *a] } }
end
def events(text) = Recorder.new.tap { |r| Psych::Parser.new(r).parse(text) }.log
t { events("%YAML 1.1\n%TAG !e! tag:e,2000:\n--- !e!x &a\n- 'b'\n- *a\n").reject { |e| e[0] == :event_location } } # => [[:start_stream, 1], [:start_document, [1, 1], [["!e!", "tag:e,2000:"]], false], [:start_sequence, "a", "tag:e,2000:x", false, 1], [:scalar, "b", nil, nil, false, true, 2], [:alias, "a"], [:end_document, true]]
t { events("- é\n").select { |e| e[0] == :event_location } } # => [[:event_location, 0, 0, 0, 0], [:event_location, 0, 0, 0, 0], [:event_location, 0, 0, 0, 0], [:event_location, 0, 2, 0, 3], [:event_location, 1, 0, 1, 0], [:event_location, 1, 0, 1, 0], [:event_location, 1, 0, 1, 0]]
t { q = Psych::Parser.new(Recorder.new); a = q.mark; q.parse("---\n- hello\n- world"); [a, q.mark].map(&:to_a) } # => [[0, 0, 0], [19, 3, 0]]
t { Encoding.default_internal = "EUC-JP"; YAML.load("- あ\n- a").map { |s| [s.encoding, s.encode("UTF-8")] }.tap { Encoding.default_internal = nil } } # => [[#<Encoding:EUC-JP>, "あ"], [#<Encoding:EUC-JP>, "a"]]
t { Marshal.dump(Psych::Parser.new) } # => TypeError: no _dump_data is defined for class Psych::Parser
t { [Psych::Emitter.new(StringIO.new).dup, Psych::Parser.new.dup].map(&:class) } # => [Psych::Emitter, Psych::Parser]
t { Psych.libyaml_version.size } # => 3
t { Psych::Parser.constants.sort & [:ANY, :UTF8, :UTF16LE, :UTF16BE] } # => [:ANY, :UTF16BE, :UTF16LE, :UTF8]
t { e = Psych::Emitter.new(StringIO.new); [e.canonical, e.indentation, e.line_width, (e.indentation = 5), e.indentation, (e.canonical = true), e.canonical, (e.line_width = 9), e.line_width] } # => [false, 2, 0, 5, 5, true, true, 9, 9]
t { Psych::Emitter.new(StringIO.new).end_stream } # => RuntimeError: expected STREAM-START
t { Psych::Emitter.new(StringIO.new).start_stream(nil) } # => TypeError: wrong argument type nil (expected Integer)
def emitter = StringIO.new.then { |io| e = Psych::Emitter.new(io); e.start_stream(1); e.start_document([], [], true); [e, io] }
t { emitter[0].scalar(1, nil, nil, true, true, 1) } # => TypeError: wrong argument type Integer (expected String)
t { emitter[0].scalar("a", "b\0", nil, true, true, 1) } # => ArgumentError: string contains null byte
t { emitter[0].scalar("\xff", nil, nil, true, true, 1) } # => RuntimeError: failed to initialize scalar event
t { emitter[0].start_document([], [["!"]], true) } # => RuntimeError: tag tuple must be of length 2
t { e, io = emitter; e.start_mapping(nil, nil, true, 2); e.scalar("k", "x", "!t", false, false, 3); e.alias("x"); e.end_mapping; e.end_document(true); e.end_stream; io.string } # => "{&x !t \"k\": *x}\n"
t { io = Object.new; def io.write(s) = raise("full"); Psych.dump([1], io) } # => RuntimeError: full

GC.stress = stress
t { YAML.load(YAML.dump({ "a" => [1, 2.5, nil, "b: c", "two\nlines"], "d" => { "e" => true } })) }
# => {"a" => [1, 2.5, nil, "b: c", "two\nlines"], "d" => {"e" => true}}
GC.stress = false

# Bad company
t { YAML.load("[" * 100_000) } # => Psych::SyntaxError: (<unknown>): did not find expected node content while parsing a flow node at line 2 column 1
t { YAML.load("- " * 200).flatten } # => [nil]
t { YAML.load("&#{"a" * 100_000} x") } # => "x"
t { YAML.load("? " * 50_000).class } # => SystemStackError: stack level too deep
t { Psych::Parser.new(Class.new(Psych::Handler) { def scalar(*) = raise("stop") }.new).parse("- a\n- b") } # => RuntimeError: stop
t { f = Fiber.new { Psych::Parser.new(Class.new(Psych::Handler) { def scalar(v, *) = Fiber.yield(v) }.new).parse("- a\n- b"); :end }; [f.resume, f.resume, f.resume] } # => ["a", "b", :end]
t { q = Psych::Parser.new(Psych::Handler.new); 4.times.map { Thread.new { 50.times { q.parse("a: [1, 2]") }; q.mark.class } }.map(&:value).uniq } # => [Psych::Parser::Mark]
t { text = YAML.dump(Array.new(200) { |i| { "k" => i, "s" => "t#{i}" } }); 4.times.map { Thread.new { YAML.load(text).size } }.map(&:value) } # => [200, 200, 200, 200]
t { Psych::Emitter.allocate.then { |e| e.start_stream(1); e.start_document([], [], false); e.scalar("a", nil, nil, true, false, 1); e.end_document(true) } } # => NoMethodError: undefined method 'write' for nil
t { io = StringIO.new; e = Psych::Emitter.new(io); 4.times.map { Thread.new { 100.times { e.scalar("a", nil, nil, true, true, 1) rescue nil } } }.each(&:join); io.string } # => ""
