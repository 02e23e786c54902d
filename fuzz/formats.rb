# Feeds what reads formats with random texts, in VMs with limits: nothing may abort the process, last longer than the limits, or raise what
# no program would rescue.
#
#   asterism fuzz/formats.rb FAMILY SECONDS [SEED]
#
# FAMILY is one of those below, or `all`. A VM gets a seed and makes some hundred texts of it: valid ones, and valid ones that were changed.
# What is found is printed with its seed; `target/formats.seed` has the seed under way, should the process end. The same seed makes
# the same texts.

MEMORY = 64 << 20
TIME = 2
LATE = 1 # Seconds after the limit by which a VM must have ended.

WORKER = <<~'RUBY'
  RANDOM = Random.new(SEED)
  def chance(n) = RANDOM.rand(100) < n
  def pick(list) = list[RANDOM.rand(list.size)]
  def some(most) = RANDOM.rand(most + 1)
  def bytes(most) = RANDOM.bytes(some(most))

  NUMBERS = [0, 1, -1, 2, 7, 8, 63, 64, 127, 128, 255, 256, 65_535, 2**31 - 1, 2**31, -2**31, 2**32, 2**62, 2**63, 2**64, -2**64, 10**40]
  def number = chance(70) ? pick(NUMBERS) : RANDOM.rand(1000)
  def text = chance(70) ? pick(["", "a", "abc", "é€𝄞", "\0", "\xFF", "a\nb", "0" * 40, " ", "~", "-", "\u{1F600}"]) : bytes(12)
  def float = pick([0.0, -0.0, 1.5, -2.25, 1e308, 5e-324, Float::NAN, Float::INFINITY, -Float::INFINITY, 1e15, 123456789.125])

  Point = Struct.new(:x, :y)
  class Thing
    attr_accessor :a, :b
  end

  def value(depth = 3)
    kind = RANDOM.rand(depth.zero? ? 8 : 14)
    case kind
    when 0 then nil
    when 1 then chance(50)
    when 2, 3 then number
    when 4 then float
    when 5, 6 then text
    when 7 then pick(%i[a b c_d e? f!])
    when 8, 9 then Array.new(some(4)) { value(depth - 1) }
    when 10, 11 then Array.new(some(4)) { [value(0), value(depth - 1)] }.to_h
    when 12 then Point.new(value(depth - 1), value(depth - 1))
    else Thing.new.tap { |t| t.a, t.b = value(depth - 1), value(depth - 1) }
    end
  end

  # What JSON can say.
  def plain(depth = 3)
    case RANDOM.rand(depth.zero? ? 5 : 8)
    when 0 then nil
    when 1 then chance(50)
    when 2 then number
    when 3 then pick([0.5, -1e300, 1e-9])
    when 4 then pick(["", "a", "é€𝄞", "\u0000", "\\\"/", "\u2028"])
    when 5, 6 then Array.new(some(4)) { plain(depth - 1) }
    else Array.new(some(4)) { [pick(%w[a b c] + [""]), plain(depth - 1)] }.to_h
    end
  end

  # A text with some bytes changed, removed, doubled, or replaced by words of the format.
  def changed(text, words)
    text = text.b
    some(4).times do
      at = RANDOM.rand(text.bytesize + 1)
      case RANDOM.rand(6)
      when 0 then text.setbyte(at, RANDOM.rand(256)) if at < text.bytesize
      when 1 then text[at, some(4)] = ""
      when 2 then text[at, 0] = pick(words).b
      when 3 then text[at, some(3)] = pick(words).b
      when 4 then text[at, 0] = text[RANDOM.rand(text.bytesize + 1), some(20)].to_s * pick([1, 2, 3, 50])
      else text = text[0, at]
      end
    end
    text
  end

  def calm
    yield
  rescue StandardError, SystemStackError, NoMemoryError, NotImplementedError, SyntaxError
    nil
  end

  def marshal
    text = changed(calm { Marshal.dump(value) } || "\x04\bi\x00", ["\x04\b", "[", "{", "}", "@\x06", ";\x00", ":\x06a", "I", "\"", "o:\nThing", "S:\nPoint",
      "e:\x0FComparable", "c\vString", "m\x0FComparable", "U:\nRange", "u:\tTime\r", "l+\x09", "f\binf", "/\x06a\x00", "C:\vString\"\x06a", "\x04\xFF\xFF\xFF\x7F", "d:\x06A", "\xFC\x00\x00\x00\x80"])
    calm { Marshal.load(text, freeze: chance(20)) }
    calm { Marshal.load(text, ->(v) { chance(50) ? v : v.inspect }) }
    calm { Marshal.dump(Marshal.load(text)) == text }
  end

  def json
    require "json"
    text = changed(JSON.generate(plain, allow_nan: true), ["{", "}", "[", "]", ",", ":", "\"", "\\u", "\\ud800", "1e999", "-", "NaN", "Infinity", "null", "/*", "*/", "//", "\n", "\xEF\xBB\xBF", "1" * 100])
    text.force_encoding(pick([Encoding::UTF_8, Encoding::BINARY, Encoding::UTF_16LE, Encoding::US_ASCII]))
    calm { JSON.parse(text, allow_nan: chance(50), symbolize_names: chance(50), max_nesting: pick([100, 0, 3]), create_additions: chance(20)) }
    calm { JSON.pretty_generate(JSON.parse(text)) }
    calm { JSON.generate(value, max_nesting: pick([0, 3, 100]), script_safe: chance(50), ascii_only: chance(50)) }
  end

  def yaml
    require "yaml"
    text = changed(calm { YAML.dump(value) } || "--- a\n", ["- ", "? ", ": ", "&a ", "*a", "!ruby/object:Thing", "!!binary |\n", "|\n  ", ">-\n  ", "{", "}", "[", "]", "'", "\"", "\\x", "%YAML 1.1\n", "%TAG ! a\n", "---\n",
      "...\n", "\t", "<<: *a", "2001-01-01 10:00:00 +25:00", "0x", "1:2:3", ".inf", "~", "!ruby/struct:Point", "!ruby/regexp /a/", "!ruby/range", "!ruby/hash", "\u2028", "#"])
    text.force_encoding(pick([Encoding::UTF_8, Encoding::UTF_8, Encoding::BINARY, Encoding::UTF_16LE]))
    calm { YAML.unsafe_load(text) }
    calm { YAML.safe_load(text, aliases: chance(50), symbolize_names: chance(50), permitted_classes: [Symbol, Time]) }
    calm { YAML.parse_stream(text).to_ruby }
    calm { YAML.dump(value, line_width: pick([-1, 0, 1, 80]), indentation: pick([1, 2, 9, 99])) }
  end

  INTEGERS = %w[s S i I l L q Q j J].product(["", "!", "_", "<", ">", "!>"]).map(&:join)
  DIRECTIVES = INTEGERS + %w[a A Z B b H h C c U w n N v V D d F f E e G g M m u x X @]
  def format
    Array.new(1 + some(5)) { pick(DIRECTIVES) + pick(["", "", "*", some(9).to_s, number.to_s]) }.join(pick(["", " ", "\n", "#a\n"]))
  end

  def pack
    form = chance(80) ? format : changed(format, %w[a * 9999999999999999999 < > ! @ x X])
    # What takes an address is C's, and reads there.
    form = form.delete("pP")
    given = form.scan(/[a-zA-Z@]/).map { |d| "aAZBbHhMmu".include?(d) ? text : chance(5) ? value(1) : number }
    calm { given.pack(form) }
    calm { Array.new(some(8)) { number }.pack(form, buffer: text.dup) }
    calm { bytes(64).unpack(form) }
    calm { bytes(64).unpack(form, offset: some(70)) }
    calm { bytes(64).unpack1(form) }
  end

  def sprintf_formats
    flags = -> { Array.new(some(2)) { pick(["-", "+", " ", "0", "#"]) }.join + pick(["", "", "*", "1$", "*1$", "10", "300", "99999999999999999999"]) + pick(["", "", ".", ".5", ".*", ".300", ".99999999999"]) }
    form = Array.new(1 + some(3)) { pick(["", "a", "é", "\xFF"]) + "%" + flags.() + pick(%w[d i u x X o b B f e E g G a A s p c %] + ["z", "\n", ""]) }.join
    form = form.scrub("") if chance(90)
    numbers = form.b.scan(/%|\*/).map { chance(10) ? value(1) : chance(30) ? float : number }
    calm { Kernel.format(form, *numbers) }
    calm { Kernel.format(form.b.gsub("%") { pick(["%<a>", "%{a}"]) }, { a: pick([number, float, text]) }) }
    calm { number.to_s(2 + some(40)) }
    calm { Time.at(number, in: pick(["UTC", "+09:00", "-23:59:59", nil])).strftime(form.tr("dsfxo", "YmHNz")) }
  end

  TIMES = ["2001-02-03", "2001-02-03T04:05:06+07:00", "Sat, 03 Feb 2001 04:05:06 GMT", "Sat Feb  3 04:05:06 2001", "20010203T040506Z", "2001-034", "2001-W05-6", "H13.02.03", "3rd Feb 2001 04:05:06 PM", "1/2/3", "04:05:06.789",
    "Saturday, 03-Feb-01 04:05:06 GMT", "12:00:60", "99999999999-01-01", "-4712-01-01", "24:00:00"]
  WORDS = ["Jan", "Feb", "Mon", "BC", "BCE", "AM", "pm", "noon", "GMT", "EST", "+09:00", "Z", "T", "W", "-", "--", ":", "/", ".", ",", "'", "0", "99", "9" * 30, " " * 50, "\0", "é", "th", "R5", "%"]
  FORMS = %w[%Y %C %y %m %B %b %h %d %e %j %H %k %I %l %M %S %L %N %z %Z %A %a %u %w %G %g %V %U %W %s %Q %n %t %% %+ %c %D %F %T %R %r %x %X %p %P %10Y %-d %^a %#b %010N %::z %:::z %E %O %99999999999d]
  def times
    require "date"
    require "time"
    text = changed(pick(TIMES), WORDS).force_encoding(pick([Encoding::UTF_8, Encoding::UTF_8, Encoding::BINARY, Encoding::UTF_16BE]))
    form = Array.new(1 + some(5)) { pick(FORMS) }.join(pick(["", "-", " ", ":"]))
    %i[parse iso8601 rfc2822 httpdate xmlschema jisx0301 rfc3339].each { |m| calm { DateTime.public_send(m, text, limit: pick([128, nil])) } }
    calm { Date._parse(text, chance(50), limit: nil) }
    calm { Time.parse(text) }
    calm { Time.new(text, in: pick(["+09:00", "UTC", "Z", nil, text])) }
    calm { Time.strptime(text, form) }
    calm { Date._strptime(text, form) }
    calm { DateTime.new(*Array.new(some(7)) { pick([number, number.to_r / 7, float]) }) }
    calm { Time.new(*Array.new(some(7)) { pick([number, number.to_r / 7, float, text]) }).strftime(form) }
    calm { (Date.new(2000, 1, 1) + number).strftime(form) }
    calm { (Date.new(2000, 1, 31) >> number).to_s }
  end

  ATOMS = ["a", "b", ".", "\\w", "\\W", "[a-z]", "[^a]", "[a-z&&[^b]]", "\\b", "\\A", "\\z", "^", "$", "\\p{Alpha}", "\\X", "\\R", "[[:digit:]]", "\\u{1F600}", "é", "\\1", "(?i)", "\\K", "\\h"]
  def pattern(depth)
    case RANDOM.rand(depth.zero? ? 3 : 10)
    when 0..2 then pick(ATOMS)
    when 3, 4 then pattern(depth - 1) + pattern(depth - 1)
    when 5 then "(?:#{pattern(depth - 1)}|#{pattern(depth - 1)})"
    when 6, 7 then "(?:#{pattern(depth - 1)})#{pick(%w[* + ? *? +? ?? ++ *+ {2,} {,3} {2,5}?])}"
    when 8 then "#{pick(['(', '(?>', '(?=', '(?!', '(?<=', '(?<!', '(?~'])}#{pattern(depth - 1)})"
    else "(?<n>#{pattern(depth - 1)}#{pick(['', '\\\\g<n>?', '|\\\\k<n>'])})"
    end
  end

  def regexps
    source = pattern(4)
    source = changed(source, ["(", ")", "[", "]", "{1000}", "&&", "(?<n>", "\\g<n>", "|", "*", "\\"]).force_encoding("UTF-8") if chance(20)
    subject = (Array.new(some(20)) { pick(["a", "b", "1", "é", " ", "\n", "\u{1F600}"]) }.join) * pick([1, 1, 50, 1000])
    pattern = calm { Regexp.new(source, pick([0, 1, 2, 4, 7])) } or return
    calm { subject =~ pattern }
    calm { subject.scan(pattern).size }
    calm { subject.gsub(pattern, pick(["", "x", "\\0\\1", "\\k<n>"])).size }
    calm { subject.split(pattern, pick([-1, 0, 3])).size }
    calm { subject.rindex(pattern) }
  end

  { "regexps" => 30, "yaml" => 60 }.fetch(FAMILY, 200).times { send(FAMILY) }
RUBY

FAMILIES = { "marshal" => "marshal", "json" => "json", "yaml" => "yaml", "pack" => "pack", "sprintf" => "sprintf_formats", "times" => "times", "regexps" => "regexps" }

# How a VM ended that ran the worker with this seed; nil: as it may. A pattern may take as long as it likes until the limit.
def trouble(family, seed)
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  vm = RubyVM.new("#{family} #{seed}", source: "FAMILY, SEED = #{family.dump}, #{seed}\n#{WORKER}", memory_limit: MEMORY, time_limit: TIME, stderr: File.open(File::NULL, "w"))
  ended =
    begin
      vm.start.value
      nil
    rescue NoMemoryError
      nil
    rescue RubyVM::Error => e
      e.message.include?("time limit") ? ("reached its time limit" unless family == "regexps") : "#{e.class}: #{e.message}"
    rescue Exception => e # Whatever else it is, it should not have come here.
      "#{e.class}: #{e.message}"
    end
  took = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
  took > TIME + LATE ? "took #{took.round(2)} s" : ended
end

family, seconds, seed = ARGV
abort "usage: asterism fuzz/formats.rb #{[*FAMILIES.keys, 'all'].join('|')} SECONDS [SEED]" unless seconds && (FAMILIES.key?(family) || family == "all")
chosen = family == "all" ? FAMILIES.values : [FAMILIES[family]]
ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + Float(seconds)
seed = seed ? Integer(seed) : Random.new_seed % 1_000_000_000
runs = troubles = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < ends
  chosen.each do |name|
    File.write("target/formats.seed", "#{name} #{seed}\n") if File.directory?("target")
    if (found = trouble(name, seed))
      troubles += 1
      puts "#{FAMILIES.key(name)} #{seed}: #{found}"
    end
    runs += 1
  end
  seed += 1
end
puts "#{runs} VMs, #{troubles} to look at"
exit troubles.zero?
