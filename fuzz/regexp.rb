# Random patterns and subjects with what Ruby makes of them, for the example `compare` of crates/regexp:
#   ruby fuzz/regexp.rb SEED COUNT | cargo run -p asterism-regexp --example compare
# The generator of numbers is written out, so that it is the same everywhere.
require "strscan"

class Numbers
  def initialize(seed) = @state = (seed * 2654435761 + 12345) & 0xffffffffffff
  def below(n)
    @state = (@state * 25214903917 + 11) & 0xffffffffffff
    (@state >> 16) % n
  end
  def pick(list) = list[below(list.size)]
  def chance(n) = below(n) == 0
end

class Patterns
  ASCII = ["a", "b", "c", "A", "B", "s", "k", "1", "_", " ", "-", "\n", "x", "t", "f", "i"]
  WIDE = ["é", "É", "ß", "ſ", "K", "あ", "ア", "ﬁ", "ẞ", "İ", "ı", "σ", "ς", "Σ", "ΐ", "𐐀", "𐐨", "\u0301", "🇯", "👩", "\u200d", "\u0130", "ǆ", "ǅ", "漢"]
  attr_accessor :wide
  # `single`: bytes are characters or parts of some. Elsewhere CRuby makes nonsense of escapes of ASCII.
  def initialize(numbers, wide, single)
    @n = numbers
    @wide = wide
    @escapes = single ? ESCAPES : ESCAPES.grep_v(/[xuM0-9]/)
    @items = single ? ITEMS : ITEMS.grep_v(/[xu0-9]/)
  end

  def pattern
    @groups = 0
    @names = []
    @depth = 0
    @named = @n.chance(4)
    # Large intervals within one another are more than CRuby has memory for.
    @large = 1
    alternatives
  end

  def char
    c = @wide && @n.chance(4) ? @n.pick(WIDE) : @n.pick(ASCII)
    c == " " || c == "-" || c == "\n" ? Regexp.escape(c) : c
  end

  def alternatives
    @depth += 1
    out = Array.new(@n.chance(3) ? 1 + @n.below(3) : 1) { sequence }.join("|")
    @depth -= 1
    out
  end

  def sequence = Array.new(@n.below(4) + (@n.chance(5) ? 0 : 1)) { piece }.join

  def piece
    atom + (@n.chance(3) ? quantifier : "")
  end

  QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{0,2}", "{2,}", "{,2}", "{1,2}?", "{2,}?", "{0}", "{3}?", "{2}+", "{1,3}+"]
  LARGE = ["{5,9}", "{0,20}", "{5,}?", "{7}", "{,11}+"]
  def quantifier
    if @large > 0 && @n.chance(10)
      @large -= 1
      return @n.pick(LARGE)
    end
    q = @n.pick(QUANTIFIERS)
    q += @n.pick(QUANTIFIERS) if @n.chance(12)
    q
  end

  def atom
    return char if @depth > 4
    case @n.below(34)
    when 0..8 then char
    when 9 then "."
    when 10 then @n.pick(%w[\\w \\W \\d \\D \\s \\S \\h \\H])
    when 11..12 then bracket
    when 13 then @n.pick(%w[^ $ \\A \\z \\Z \\b \\B \\G])
    when 14..16 then group
    when 17 then "(?:#{alternatives})"
    when 18 then "(?=#{alternatives})"
    when 19 then "(?!#{alternatives})"
    when 20 then "(?<=#{behind})"
    when 21 then "(?<!#{behind})"
    when 22 then "(?>#{alternatives})"
    when 23 then "(?#{@n.pick(%w[i m x a u d -i im -m i-m ix mi-x -x -mix imx a-i ui d-m])}:#{alternatives})"
    when 24 then backreference
    when 25 then backreference
    when 26 then @n.chance(2) ? call : char
    when 27 then @n.chance(2) ? "(?~#{alternatives})" : char
    when 28 then condition
    when 29 then @n.chance(4) ? "\\K" : char
    when 30 then @n.chance(2) ? @n.pick(%w[\\R \\X]) : @n.pick(POSIX)
    when 31 then @n.chance(2) ? "\\#{@n.pick(%w[p P])}{#{@n.pick(["", "^"])}#{@n.pick(PROPERTIES)}}" : wide_property
    when 32 then remark
    else @n.pick(@escapes)
    end
  end

  ITEMS = ["\\n", "\\t", "\\x62", "\\]", "\\p{Alpha}", "-", "\\p{^Lower}", "\\141", "\\x61-\\x63", "\\u0061-c", "a-\\u{e9}", "&", "\\b"]
  POSIX = %w[alnum alpha blank cntrl digit graph lower print punct space upper xdigit ascii word].flat_map { |n| ["[[:#{n}:]]", "[[:^#{n}:]]"] }
  PROPERTIES = %w[Alnum Alpha Blank Cntrl Digit Graph Lower Print Punct Space Upper XDigit Word ASCII]
  WIDE_PROPERTIES = %w[Greek Han Hiragana Katakana Latin Cyrillic L Lu Ll Lt M N Nd P Ps S Sm Z Zs C Cn InHiragana In_Greek_and_Coptic Age=6.0 age=3.2
    Emoji Emoji_Presentation XIDS ID_Continue Any Assigned Uppercase_Letter letter Script=Greek White_Space Grapheme_Cluster_Break=Extend]
  ESCAPES = ["\\t", "\\n", "\\x61", "\\101", "\\e", "\\/", "\\.", "\\u0061", "\\ca", "\\C-a", "\\u{61 62}", "\\x6", "\\0", "\\60", "\\a", "\\v", "\\f", "\\r",
             "\\-", "\\ ", "\\x{61}", "\\c?", "\\M-a", "\\xC3\\xA9", "\\u00e9", "\\u{1F469 e9}", "\\xE3\\x81\\x82"]

  def wide_property
    return "[^a]" unless @wide
    "\\#{@n.pick(%w[p p P])}{#{@n.pick(["", "", "^"])}#{@n.pick(WIDE_PROPERTIES)}}"
  end

  # Options up to the end of what is around, comments.
  def remark
    case @n.below(4)
    when 0 then "(?#{@n.pick(%w[i m a u d x -i -x mi im-x])})"
    when 1 then "(?x: #{char} # #{@n.pick(["a", "(", "[", "é", "\\\\"])}\n#{char})"
    else "(?##{char})"
    end
  end

  def behind
    Array.new(1 + @n.below(2)) { Array.new(1 + @n.below(2)) { @n.chance(4) ? atom : @n.pick([char, ".", "\\w", bracket]) }.join }.join("|")
  end

  def group
    @groups += 1
    if @named && !@n.chance(4)
      name = @n.pick(%w[x y z])
      out = @n.chance(4) ? "(?'#{name}'#{alternatives})" : "(?<#{name}>#{alternatives})"
      @names << name
      out
    else
      "(#{alternatives})"
    end
  end

  def backreference
    level = @n.chance(6) ? @n.pick(%w[+0 -0 +1 -1]) : ""
    if @named
      return char if @names.empty?
      @n.chance(5) ? "\\k'#{@n.pick(@names)}#{level}'" : "\\k<#{@n.pick(@names)}#{level}>"
    else
      return char if @groups == 0
      case @n.below(5)
      when 0 then "\\k<#{1 + @n.below(@groups)}#{level}>"
      when 1 then "\\k<-#{1 + @n.below(@groups)}#{level}>"
      else "\\#{1 + @n.below(@groups)}"
      end
    end
  end

  def call
    if @named
      @names.empty? ? char : @n.pick(["\\g<#{@n.pick(@names)}>", "\\g'#{@n.pick(@names)}'"])
    else
      @groups == 0 ? char : @n.pick(["\\g<#{1 + @n.below(@groups)}>", "\\g<-1>", "\\g<0>?", "\\g'1'", "\\g<+1>"])
    end
  end

  def condition
    return char if @groups == 0 || @named && @names.empty?
    target = @named ? "<#{@n.pick(@names)}>" : (1 + @n.below(@groups)).to_s
    "(?(#{target})#{sequence}|#{sequence})"
  end

  def bracket(depth = 0)
    out = +"["
    out << "^" if @n.chance(3)
    (1 + @n.below(3)).times do
      out << case @n.below(10)
             when 0..3 then char
             when 4 then "#{@n.pick(%w[a b])}-#{@n.pick(%w[c z s])}"
             when 5 then @n.pick(%w[\\w \\d \\s \\W \\S \\h \\D \\H])
             when 6 then @n.pick(POSIX)[1..-2]
             when 7 then depth < 2 ? bracket(depth + 1) : char
             when 8 then depth < 2 ? "&&#{@n.chance(2) ? bracket(depth + 1) : char}" : char
             else @n.pick(@items)
             end
    end
    out << "]"
  end
end

class Subjects
  def initialize(numbers, wide)
    @n = numbers
    @wide = wide
  end

  def subject
    case @n.below(8)
    when 0 then @n.pick(%w[a b s A]) * (1 + @n.below(12))
    when 1 then Array.new(1 + @n.below(3)) { @n.pick(%w[ab ss AB st fi 1_ aab]) * (1 + @n.below(3)) }.join
    else Array.new(@n.below(14)) { @wide && @n.chance(4) ? @n.pick(Patterns::WIDE) : @n.pick(Patterns::ASCII) }.join
    end
  end
end

ENCODINGS = [Encoding::UTF_8, Encoding::UTF_8, Encoding::US_ASCII, Encoding::BINARY, Encoding::EUC_JP, Encoding::Windows_31J, Encoding::ISO_8859_1, Encoding::UTF_16LE, Encoding::Windows_1252, Encoding::UTF_32BE]

def encoded(text, encoding)
  text.encode(encoding)
rescue EncodingError
  encoding == Encoding::BINARY ? text.b : text.encode(encoding, undef: :replace, invalid: :replace)
end

# Some subjects are broken: a byte is missing, or one too many.
def broken(text, numbers)
  return text unless numbers.chance(12)
  bytes = text.b
  at = numbers.below(bytes.bytesize + 1)
  case numbers.below(3)
  when 0 then bytes[0, at]
  when 1 then bytes[0, at] + numbers.pick(["\xff", "\x80", "\xe3\x81", "\x8e", "\0"]).b + bytes[at..]
  else bytes[0, at] + bytes[at + 1..].to_s
  end.force_encoding(text.encoding)
end

def shown(match) = match ? Array.new(match.size) { |i| match.byteoffset(i).then { |b, e| b ? "#{b}-#{e}" : "x" } }.join(",") : "nil"

def hex(text) = text.unpack1("H*").then { |h| h.empty? ? "." : h }

# What Ruby makes of a pattern and subjects, a line each: `P` the pattern, `E` its error or `K` what is known of it, `S`
# a subject with the first match, the last one and all.
def report(source, options, subjects)
  puts "P #{source.encoding} #{options} #{hex(source)}"
  regexp = begin
    Regexp.new(source, options)
  rescue NoMemoryError
    return puts "N"
  rescue RegexpError, ArgumentError => e
    # The message without the pattern, which ends it.
    message = e.message.b
    return puts "E #{hex(message[0, message.index(": /") || message.size])}"
  end
  names = regexp.named_captures.map { |name, groups| "#{hex(name)}=#{groups.join(",")}" }
  puts "K #{Regexp.linear_time?(regexp)} #{names.empty? ? "." : names.join(" ")}"
  subjects.each do |subject|
    begin
      # CRuby keeps a pattern as the last text that is not ASCII made it, and finds other things in the next one then: after "é"
      # /[\Ht]/i matches the fi of "fifi".
      regexp = Regexp.new(source, options)
      first = shown(regexp.match(subject))
      last = subject.rindex(regexp) ? shown($~) : "nil"
      all = []
      subject.scan(regexp) { all << $~.byteoffset(0).join("-") }
      puts "S #{hex(subject)} #{first} #{last} #{all.empty? ? "." : all.join(",")}"
      puts "M #{hex(subject)} #{methods_of(regexp, subject)}"
    rescue Regexp::TimeoutError
      puts "T #{hex(subject)}"
    rescue NoMemoryError
      puts "N #{hex(subject)}"
    rescue => e
      puts "R #{hex(subject)} #{e.class} #{hex(e.message[0, 60].b)}"
    end
  end
end

# What the methods that search make of them, as a digest of each.
def methods_of(regexp, subject)
  middle = subject.size / 2
  scanner = StringScanner.new(subject)
  scanned = []
  8.times do
    scanned << scanner.skip(regexp) << scanner.check_until(regexp)
    scanned << scanner.exist?(regexp) << (scanner[1] rescue nil)
    break unless scanner.getch
  end
  [
    subject.index(regexp, middle), subject.rindex(regexp, middle), subject.match?(regexp, middle), subject.byteindex(regexp),
    subject.split(regexp, -1), subject.split(regexp), subject.partition(regexp), subject.rpartition(regexp), subject.start_with?(regexp),
    subject.gsub(regexp) { $& * 2 }, subject.sub(regexp, subject), subject.slice(regexp), subject[regexp, 1], regexp === subject, scanned
  ].map { |r| r.inspect.b.sum.to_s(36) }.join(",")
end

$stderr = File.open(File::NULL, "w") unless ENV["WARN"]
Warning[:experimental] = false
Regexp.timeout = 1.0
seed, count = ARGV.map(&:to_i)
numbers = Numbers.new(seed)
count.times do
  encoding = numbers.pick(ENCODINGS)
  wide = ![Encoding::US_ASCII, Encoding::BINARY].include?(encoding) && numbers.chance(2)
  patterns = Patterns.new(numbers, wide, ![Encoding::UTF_16LE, Encoding::UTF_32BE].include?(encoding))
  source = patterns.pattern
  options = numbers.pick([0, 0, 1, 4, 5, 2])
  subjects = Array.new(4) { Subjects.new(numbers, wide).subject }
  source = encoded(source, encoding)
  report(source, options, subjects.map { |s| broken(encoded(s, encoding), numbers) })
end
