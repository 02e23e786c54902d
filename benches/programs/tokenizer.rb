# A tokenizer on bytes, a parser of expressions by precedence, a compiler to a stack machine, and the machine.
Token = Struct.new(:kind, :text, :line)

class Tokenizer
  include Enumerable

  KEYWORDS = %w[let while do end if else print].to_h { |w| [w, w.to_sym] }.freeze
  DOUBLE = %w[== != <= >= && ||].freeze

  def initialize(source)
    @source = source
    @at = 0
    @line = 1
  end

  def each
    while (token = scan)
      yield token
    end
    yield Token.new(:eof, "", @line)
  end

  private

  def scan
    source = @source
    while @at < source.bytesize
      byte = source.getbyte(@at)
      case byte
      when 10
        @line += 1
        @at += 1
      when 32, 9 then @at += 1
      when 35
        stop = source.byteindex("\n", @at) || source.bytesize
        @at = stop
      when 48..57 then return number
      when 97..122, 65..90, 95 then return word
      when 34 then return string
      else
        pair = source.byteslice(@at, 2)
        text = DOUBLE.include?(pair) ? pair : source.byteslice(@at, 1)
        @at += text.bytesize
        return Token.new(:op, text, @line)
      end
    end
  end

  def number
    from = @at
    @at += 1 while (b = @source.getbyte(@at)) && b >= 48 && b <= 57
    Token.new(:number, @source.byteslice(from, @at - from), @line)
  end

  def word
    from = @at
    @at += 1 while (b = @source.getbyte(@at)) && (b >= 97 && b <= 122 || b >= 65 && b <= 90 || b == 95 || b >= 48 && b <= 57)
    text = @source.byteslice(from, @at - from)
    Token.new(KEYWORDS.fetch(text, :name), text, @line)
  end

  def string
    from = @at + 1
    @at = from
    @at += 1 until @source.getbyte(@at) == 34
    @at += 1
    Token.new(:string, @source.byteslice(from, @at - from - 1), @line)
  end
end

class String
  # Ruby 3.1 has no byteindex.
  def byteindex(text, from = 0)
    i = from
    wanted = text.getbyte(0)
    i += 1 while i < bytesize && getbyte(i) != wanted
    i < bytesize ? i : nil
  end
end

class Compiler
  LEVELS = { "||" => 1, "&&" => 2, "==" => 3, "!=" => 3, "<" => 4, ">" => 4, "<=" => 4, ">=" => 4,
             "+" => 5, "-" => 5, "*" => 6, "/" => 6, "%" => 6 }.freeze

  def initialize(tokens)
    @tokens = tokens
    @at = 0
    @code = []
    @names = {}
  end

  def compile
    statement until peek.kind == :eof
    [@code, @names.size]
  end

  private

  def peek = @tokens[@at]

  def take(kind = nil, text = nil)
    token = @tokens[@at]
    if (kind && token.kind != kind) || (text && token.text != text)
      raise "line #{token.line}: unexpected #{token.text}"
    end
    @at += 1
    token
  end

  def statement
    case peek.kind
    when :let
      take
      slot = @names[take(:name).text] ||= @names.size
      take(:op, "=")
      expression(0)
      @code << [:store, slot]
    when :while
      take
      top = @code.size
      expression(0)
      take(:do)
      leave = jump(:unless)
      statement until peek.kind == :end
      take
      @code << [:jump, top]
      leave[1] = @code.size
    when :if
      take
      expression(0)
      take(:do)
      otherwise = jump(:unless)
      statement until %i[else end].include?(peek.kind)
      if take.kind == :else
        over = jump(:jump)
        otherwise[1] = @code.size
        statement until peek.kind == :end
        take
        over[1] = @code.size
      else
        otherwise[1] = @code.size
      end
    when :print
      take
      expression(0)
      @code << [:print, nil]
    else raise "line #{peek.line}: #{peek.text}"
    end
  end

  def jump(kind)
    @code << [kind, nil]
    @code.last
  end

  def expression(level)
    primary
    while peek.kind == :op && (found = LEVELS[peek.text]) && found > level
      operator = take.text
      expression(found)
      @code << [:op, operator.to_sym]
    end
  end

  def primary
    token = take
    case token.kind
    when :number then @code << [:push, token.text.to_i]
    when :string then @code << [:push, token.text]
    when :name then @code << [:load, @names.fetch(token.text)]
    when :op
      raise "line #{token.line}: #{token.text}" unless token.text == "("
      expression(0)
      take(:op, ")")
    end
  end
end

class Machine
  attr_reader :steps

  def initialize(code, slots)
    @code = code
    @slots = Array.new(slots, 0)
    @steps = 0
  end

  def run
    stack = []
    at = 0
    code = @code
    out = []
    while at < code.size
      kind, arg = code[at]
      at += 1
      @steps += 1
      case kind
      when :push then stack.push(arg)
      when :load then stack.push(@slots[arg])
      when :store then @slots[arg] = stack.pop
      when :op
        b = stack.pop
        a = stack.pop
        stack.push(
          case arg
          when :+ then a + b
          when :- then a - b
          when :* then a * b
          when :/ then a / b
          when :% then a % b
          when :== then a == b
          when :!= then a != b
          when :< then a < b
          when :> then a > b
          when :<= then a <= b
          when :>= then a >= b
          when :"&&" then a && b
          when :"||" then a || b
          end
        )
      when :unless then at = arg unless stack.pop
      when :jump then at = arg
      when :print then out << stack.pop.to_s
      end
    end
    out
  end
end

SOURCE = <<~TEXT
  # Collatz: the longest chain below a limit.
  let limit = 2000
  let best = 0
  let longest = 0
  let i = 1
  while i < limit do
    let n = i
    let length = 1
    while n != 1 do
      if n % 2 == 0 do let n = n / 2 else let n = 3 * n + 1 end
      let length = length + 1
    end
    if length > longest do
      let longest = length
      let best = i
    end
    let i = i + 1
  end
  print "longest"
  print best
  print longest
  let a = (1 + 2) * 3 - 4 / 2
  print a
  if a == 7 && (best > 0 || 1 > 2) do print "seven" else print "other" end
TEXT

tokens = nil
700.times { tokens = Tokenizer.new(SOURCE).to_a }
puts tokens.size, tokens.map(&:kind).tally.sort.map { |k, n| "#{k}=#{n}" }.join(" ")
code, slots = Compiler.new(tokens).compile
500.times { code, slots = Compiler.new(Tokenizer.new(SOURCE).to_a).compile }
puts code.size, slots
machine = Machine.new(code, slots)
puts machine.run, machine.steps
begin
  Compiler.new(Tokenizer.new("let x = )").to_a).compile
rescue RuntimeError => error
  puts error.message
end
