# A JSON parser and generator in plain Ruby, on a generated document.
class JsonParser
  class ParseProblem < StandardError
    attr_reader :position

    def initialize(message, position)
      super("#{message} at #{position}")
      @position = position
    end
  end

  ESCAPES = { "b" => "\b", "f" => "\f", "n" => "\n", "r" => "\r", "t" => "\t" }.freeze
  NUMBER = /\G-?(?:0|[1-9]\d*)(?<fraction>\.\d+)?(?<exponent>[eE][+-]?\d+)?/
  PLAIN = /\G[^"\\]+/
  BLANK = /\G[ \t\r\n]+/

  def self.parse(text) = new(text).parse

  def initialize(text)
    @text = text
    @position = 0
  end

  def parse
    value = parse_value
    skip_blank
    fail_with("unexpected text") if @position < @text.size
    value
  end

  private

  def parse_value
    skip_blank
    case @text[@position]
    when "{" then parse_object
    when "[" then parse_array
    when '"' then parse_string
    when "t" then word("true", true)
    when "f" then word("false", false)
    when "n" then word("null", nil)
    when "-", "0".."9" then parse_number
    when nil then fail_with("unexpected end")
    else fail_with("unexpected #{@text[@position].inspect}")
    end
  end

  def parse_object
    object = {}
    @position += 1
    skip_blank
    return object if accept("}")

    loop do
      skip_blank
      fail_with("expected a key") unless @text[@position] == '"'
      key = parse_string
      skip_blank
      expect(":")
      object[key] = parse_value
      skip_blank
      next if accept(",")

      expect("}")
      return object
    end
  end

  def parse_array
    array = []
    @position += 1
    skip_blank
    return array if accept("]")

    loop do
      array << parse_value
      skip_blank
      next if accept(",")

      expect("]")
      return array
    end
  end

  def parse_string
    @position += 1
    result = +""
    until accept('"')
      if (plain = @text.match(PLAIN, @position))
        result << plain[0]
        @position += plain[0].size
      elsif accept("\\")
        result << parse_escape
      else
        fail_with("unterminated string")
      end
    end
    result
  end

  def parse_escape
    char = @text[@position]
    @position += 1
    return ESCAPES.fetch(char, char) unless char == "u"

    code = @text[@position, 4]
    @position += 4
    [code.hex].pack("U")
  end

  def parse_number
    match = @text.match(NUMBER, @position) or fail_with("malformed number")
    @position = match.end(0)
    match[:fraction] || match[:exponent] ? match[0].to_f : match[0].to_i
  end

  def word(text, value)
    fail_with("unexpected word") unless @text[@position, text.size] == text
    @position += text.size
    value
  end

  def skip_blank
    match = @text.match(BLANK, @position)
    @position = match.end(0) if match
  end

  def accept(char)
    return false unless @text[@position] == char

    @position += 1
    true
  end

  def expect(char)
    accept(char) || fail_with("expected #{char}")
  end

  def fail_with(message)
    raise ParseProblem.new(message, @position)
  end
end

def generate(value)
  case value
  when Hash then "{#{value.map { |key, item| "#{generate(key.to_s)}: #{generate(item)}" }.join(', ')}}"
  when Array then "[#{value.map { |item| generate(item) }.join(",\n")}]"
  when String then "\"#{value.gsub(/["\\\n\t]/) { |char| { "\n" => '\n', "\t" => '\t' }.fetch(char, "\\#{char}") }}\""
  when nil then "null"
  else value.to_s
  end
end

def document(records)
  Array.new(records) do |i|
    {
      id: i,
      name: "Record \"#{i}\"",
      tags: Array.new(i % 4) { |j| "tag\t#{j}" },
      position: { x: i * 0.25, y: -i / 8.0, precise: i.even? },
      parent: i.zero? ? nil : (i - 1) / 2,
      notes: "line one\nline two \\ #{i * i}",
      scores: [i, -i, i * 1.5e10]
    }
  end
end

records = (ARGV[0] || 2200).to_i
text = generate(document(records))
parsed = JsonParser.parse(text)
puts "document: #{text.size} characters, #{parsed.size} records"
puts "ids: #{parsed.sum { |record| record['id'] }}"
puts "tags: #{parsed.flat_map { |record| record['tags'] }.tally.sort.inspect}"
puts "precise: #{parsed.count { |record| record['position']['precise'] }}"
puts format("sum of y: %.3f", parsed.sum { |record| record["position"]["y"] })
puts "round trip: #{generate(parsed) == text}"
puts parsed[7]["name"], parsed[7]["notes"]
puts JsonParser.parse('["\u00e9\u2192", 1e3, -0.5, {}, []]').inspect

["[1, 2", '{"a" 1}', "nul", '"abc', "[1] 2", "-"].each do |bad|
  JsonParser.parse(bad)
rescue JsonParser::ParseProblem => e
  puts "#{bad}: #{e.message}"
end
