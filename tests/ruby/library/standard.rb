# The installed libraries that are plain Ruby, unmodified.
begin
  require "optparse"
  require "erb"
  require "prettyprint"
  require "benchmark"
  require "forwardable"
  require "observer"
  require "tsort"
  require "shellwords"
  require "abbrev"
  require "ostruct"
  require "singleton"
  require "fileutils"
  require "tmpdir"
  require "tempfile"
  require "securerandom"
  require "time"
  require "uri"
  require "logger"
  require "set"
  require "English"
  require "find"
  require "open3"
  require "timeout"
  require "weakref"
  require "pstore"
  require "delegate"
  require "base64"
  require "stringio"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { o = {}; OptionParser.new { |x| x.on("-v", "--[no-]verbose") { |v| o[:v] = v }; x.on("-nN", "--num N", Integer) { |v| o[:n] = v } }.parse!(a = %w[-v -n 3 rest]); [o, a] } # => [{v: true, n: 3}, ["rest"]]
t { OptionParser.new { |x| x.on("-nN", Integer) }.parse(%w[-n x]) } # => OptionParser::InvalidArgument: invalid argument: -n x
t { OptionParser.new.parse(%w[--zz]) } # => OptionParser::InvalidOption: invalid option: --zz
t { OptionParser.new { |x| x.banner = "Usage: x"; x.separator ""; x.on("-f", "--file FILE", "a file") {} }.help } # => "Usage: x\n\n    -f, --file FILE                  a file\n"
t { Benchmark.realtime {}.class } # => Float
class Queue2
  extend Forwardable
  def_delegators :@a, :size, :<<
  def_delegator :@a, :first, :head
  def initialize() = @a = [1]
end
t { [Queue2.new.size, Queue2.new.head] } # => [1, 1]
class Tick
  include Observable
end
t { o = Tick.new; x = Class.new { def update(*a) = p(a) }.new; o.add_observer(x); o.changed; o.notify_observers(1) } # => [1]
# => false
t { h = { 1 => [2], 2 => [3], 3 => [] }; TSort.tsort(->(&b) { h.each_key(&b) }, ->(n, &b) { h[n].each(&b) }) } # => [3, 2, 1]
t { ["a 'b c' d".shellsplit, Shellwords.join(["a b", "c"])] } # => [["a", "b c", "d"], "a\\ b c"]
t { %w[car cone].abbrev } # => {"car" => "car", "ca" => "car", "cone" => "cone", "con" => "cone", "co" => "cone"}
t { o = OpenStruct.new(a: 1); o.b = 2; [o.b, o[:a], o.to_h, o.respond_to?(:b), o.dig(:a), o == OpenStruct.new(a: 1, b: 2), o] } # => [2, 1, {a: 1, b: 2}, true, 1, true, #<OpenStruct a=1, b=2>]
class Only
  include Singleton
end
t { Only.instance.equal?(Only.instance) } # => true
t { Dir.mktmpdir { |d| FileUtils.mkdir_p(d + "/a/b"); FileUtils.touch(d + "/a/b/c"); FileUtils.cp_r(d + "/a", d + "/z"); FileUtils.mv(d + "/z", d + "/y"); FileUtils.rm_rf(d + "/a"); Dir.glob("**/*", base: d).sort } } # => ["y", "y/b", "y/b/c"]
t { Tempfile.create("x") { |f| f.write "a"; f.flush; File.read(f.path) } } # => "a"
t { f = Tempfile.new; f.puts 1; f.close; there = File.exist?(f.path); f.unlink; [there, f.path] } # => [true, nil]
t { [SecureRandom.hex(4).size, SecureRandom.uuid.size, SecureRandom.random_number(10).class, SecureRandom.alphanumeric(5).size, SecureRandom.rand.class] } # => [8, 36, Integer, 5, Float]
t { u = URI.parse("http://u:p@h:80/p/a?q=1#f"); [u.host, u.port, u.path, u.query, u.fragment, u.userinfo, u.to_s] } # => ["h", 80, "/p/a", "q=1", "f", "u:p", "http://u:p@h/p/a?q=1#f"]
t { [URI.join("http://a/b/c", "../d").to_s, URI.encode_www_form(a: 1, b: "x y"), URI.decode_www_form("a=1&b=x+y"), URI("mailto:a@b").class] } # => ["http://a/d", "a=1&b=x+y", [["a", "1"], ["b", "x y"]], URI::MailTo]
t { URI.parse("::bad") } # => URI::InvalidURIError: bad URI(is not URI?): "::bad"
t { s = StringIO.new; l = Logger.new(s, progname: "p"); l.info("hi"); l.level = Logger::WARN; l.info "no"; l.error(RuntimeError.new("x")); s.string.gsub(/\d{4}-\d\d-\d\dT[\d:.]+ #\d+/, "T") } # => "I, [T]  INFO -- p: hi\nE, [T] ERROR -- p: x (RuntimeError)\n\n"
t { "abc" =~ /b/; [$MATCH, $PREMATCH, $POSTMATCH, $LAST_MATCH_INFO.class] } # => ["b", "a", "c", MatchData]
t { Dir.mktmpdir { |d| File.write(d + "/f", ""); Find.find(d).map { |f| f.delete_prefix(d) } } } # => ["", "/f"]
t { Open3.capture3("cat; echo b >&2; exit 3", stdin_data: "a").then { |a, b, c| [a, b, c.exitstatus] } } # => ["a", "b\n", 3]
t { Timeout.timeout(0.05) { sleep } } # => Timeout::Error: execution expired
t { WeakRef.new("a".dup).weakref_alive? } # => true
t { Dir.mktmpdir { |d| s = PStore.new(d + "/x"); s.transaction { s[:a] = [1, 2] }; s.transaction(true) { s[:a] } } } # => [1, 2]
t { d = SimpleDelegator.new([3, 1]); [d.sort, d.class, d == [3, 1], d.__getobj__] } # => [[1, 3], SimpleDelegator, true, [3, 1]]
t { Base64.encode64("abc" * 20) } # => "YWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJj\nYWJjYWJjYWJjYWJjYWJj\n"
t { puts PrettyPrint.format(+"", 10) { |q| q.group(1, "[", "]") { 5.times { |i| q.breakable unless i == 0; q.text "item" } } } } # => [item
# =>  item
# =>  item
# =>  item
# =>  item]
# => nil
require "pp"
t { pp({ a: 1, "b" => { c: [1] * 40 }, :"d e" => nil }).size } # => {a: 1,
# =>  "b" =>
# =>   {c:
# =>     [1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1,
# =>      1]},
# =>  "d e": nil}
# => 3
