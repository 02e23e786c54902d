# frozen_string_literal: true

# The definitions of the rebar benchmark, of a checkout whose path is the first argument: those of the `curated` group, or
# of the groups named behind it. What Ruby's syntax cannot say is told on stderr.
require "strscan"
require_relative "cases"

# As much of TOML as the definitions use.
class Definitions
  def self.read(path) = new(File.read(path, encoding: "UTF-8")).tables

  def initialize(text)
    @s = StringScanner.new(text)
  end

  def tables
    list = []
    until skip_space && @s.eos?
      if @s.skip(/\[\[bench\]\]/) then list << {}
      else
        key = @s.scan(/[\w-]+/) or raise "not understood: #{@s.rest[0, 40]}"
        @s.skip(/\s*=\s*/)
        value = self.value
        list.last[key] = value unless list.empty?
      end
    end
    list
  end

  private

  def skip_space = @s.skip(/(?:\s|#[^\n]*)*/) || true

  def value
    if @s.skip(/'''\n?/) then @s.scan_until(/'''/)[0...-3]
    elsif @s.skip(/"""\n?/) then unescape(@s.scan_until(/"""/)[0...-3])
    elsif @s.skip(/'/) then @s.scan_until(/'/)[0...-1]
    elsif @s.scan(/"((?:[^"\\]|\\.)*)"/) then unescape(@s[1])
    elsif @s.scan(/true|false/) then @s[0] == "true"
    elsif @s.scan(/[\d_]+/) then Integer(@s[0].delete("_"))
    elsif @s.skip(/\[/) then sequence(/\]/) { value }
    elsif @s.skip(/\{/)
      sequence(/\}/) do
        key = @s.scan(/[\w-]+/)
        @s.skip(/\s*=\s*/)
        [key, value]
      end.to_h
    else raise "not understood: #{@s.rest[0, 40]}"
    end
  end

  def sequence(closing)
    list = []
    until skip_space && @s.skip(closing)
      list << yield
      skip_space
      @s.skip(/,/)
    end
    list
  end

  def unescape(text)
    text.gsub(/\\(?:u(\h{4})|U(\h{8})|x(\h\h)|(.))/) do
      if (code = $1 || $2 || $3) then [code.hex].pack("U")
      else { "n" => "\n", "t" => "\t", "r" => "\r" }.fetch($4, $4)
      end
    end
  end
end

# One definition, as Ruby can run it.
class Definition
  attr_reader :name

  def initialize(root, group, table)
    @root = root
    @table = table
    @name = "#{group}/#{table["name"]}"
  end

  def run
    subject = self.subject
    sources = self.sources
    return compile(sources, subject) if @table["model"] == "compile"
    return tell("several patterns at once") if sources.size > 1
    regexp = make(sources.first, subject) or return
    Cases.time(name) { count(regexp, subject) }
  end

  private

  def file(path)
    path = File.join(@root, "benchmarks", path)
    File.exist?(path) ? File.binread(path) : nil
  end

  def tell(reason) = $stderr.puts("rebar: #{name}: #{reason}")

  def subject
    given = @table["haystack"]
    given = { "contents" => given } if given.is_a?(String)
    text = given["contents"] || file("haystacks/#{given["path"]}") or return tell("no #{given["path"]}")
    text = text.dup.force_encoding("UTF-8")
    text = text.lines[(given["line-start"] || 0)...given["line-end"]].join if given["line-start"] || given["line-end"]
    text = text.strip if given["trim"]
    text = text * given["repeat"] if given["repeat"]
    text = "#{given["prepend"]}#{text}#{given["append"]}"
    text = text.scrub if given["utf8-lossy"]
    text.force_encoding("BINARY") unless text.valid_encoding?
    text.freeze
  end

  def sources
    given = @table["regex"]
    return [given] if given.is_a?(String)
    return given if given.is_a?(Array)
    lines = file("regexes/#{given["path"]}").force_encoding("UTF-8")
    lines = given["per-line"] ? lines.lines(chomp: true) : [lines.chomp]
    lines = lines.map { |line| Regexp.escape(line) } if given["literal"]
    lines = [lines.map { |line| "(?:#{line})" }.join("|")] if given["per-line"] == "alternate"
    lines.map { |line| "#{given["prepend"]}#{line}#{given["append"]}" }
  end

  # Ruby's names of the same things.
  def translate(source)
    source = source.gsub("(?P<", "(?<")
    source = source.gsub(/\\([pP])([A-Z])(?!\w*\})/) { "\\#{$1}{#{$2}}" }
    source = source.gsub(/\A\(\?([sx]*)\)/) { $1.empty? ? "" : "(?#{$1.tr("s", "m")})" }
    @table["unicode"] ? "(?u)#{source}" : source
  end

  def make(source, subject)
    return unless subject
    Regexp.new(translate(source), @table["case-insensitive"] ? Regexp::IGNORECASE : 0).tap { |r| r.match?(subject.byteslice(0, 0)) }
  rescue RegexpError, Encoding::CompatibilityError => error
    tell(error.message[0, 100])
  end

  def compile(sources, subject)
    return tell("several patterns at once") if sources.size > 1
    make(sources.first, subject) or return
    source = translate(sources.first)
    options = @table["case-insensitive"] ? Regexp::IGNORECASE : 0
    # A comment makes each a new one.
    number = 0
    Cases.time(name) { Regexp.new("#{source}(?##{number += 1})", options).match?(subject) }
  end

  def count(regexp, subject)
    found = 0
    case @table["model"]
    when "count", "count-spans"
      if @table["model"] == "count" then found = subject.scan(regexp).size
      else subject.scan(regexp) { found += $&.bytesize }
      end
    when "count-captures"
      subject.scan(regexp) { found += $~.size - $~.captures.count(nil) }
    when "grep"
      subject.each_line(chomp: true) { |line| found += 1 if line.match?(regexp) }
    when "grep-captures"
      subject.each_line(chomp: true) do |line|
        line.scan(regexp) { found += $~.size - $~.captures.count(nil) }
      end
    else tell("model #{@table["model"]}")
    end
    found
  end
end

$VERBOSE = nil
root = ARGV.shift
groups = ARGV.empty? ? ["curated"] : ARGV
groups.each do |group|
  Dir[File.join(root, "benchmarks/definitions", "#{group}{.toml,/**/*.toml}")].sort.each do |path|
    base = File.basename(path, ".toml")
    Definitions.read(path).each { |table| Definition.new(root, base, table).run }
  end
end
