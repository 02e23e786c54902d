# A Brainfuck interpreter: parse to instructions, then a loop with case/when.
# Prints the alphabet; between two letters it counts to a thousand cell by cell.
ALPHABET = <<~PROGRAM
  ++++++++[>++++++++<-]>+
  >+++++[>+++++<-]>+
  [
    <<.+
    >>>++++++++++[>++++++++++[>++++++++++[>+<-]<-]<-]
    >>>[-]<<<
    <-
  ]
  <<[-]++++++++++.
PROGRAM

class Brainfuck
  Instruction = Struct.new(:kind, :operand)
  class SyntaxProblem < StandardError; end

  def initialize(source)
    @code = parse(source.tr("^><+.,[]-", ""))
  end

  def run(input = "")
    tape = Array.new(300, 0)
    output = +""
    pointer = position = steps = 0
    code = @code
    input = input.bytes
    while (instruction = code[position])
      case instruction.kind
      when :add
        tape[pointer] = (tape[pointer] + instruction.operand) & 255
      when :move
        pointer += instruction.operand
        tape << 0 while pointer >= tape.size
      when :open
        position = instruction.operand if tape[pointer].zero?
      when :close
        position = instruction.operand unless tape[pointer].zero?
      when :print
        output << tape[pointer].chr
      when :read
        tape[pointer] = input.shift || 0
      end
      position += 1
      steps += 1
    end
    [output, steps]
  end

  private

  def parse(source)
    code = []
    open = []
    source.scan(/\++|-+|>+|<+|./) do |run|
      case run[0]
      when "+" then code << Instruction.new(:add, run.size)
      when "-" then code << Instruction.new(:add, -run.size)
      when ">" then code << Instruction.new(:move, run.size)
      when "<" then code << Instruction.new(:move, -run.size)
      when "." then code << Instruction.new(:print)
      when "," then code << Instruction.new(:read)
      when "["
        open << code.size
        code << Instruction.new(:open)
      when "]"
        start = open.pop or raise SyntaxProblem, "unmatched ]"
        code[start].operand = code.size
        code << Instruction.new(:close, start)
      end
    end
    raise SyntaxProblem, "unmatched [" unless open.empty?

    code
  end
end

rounds = (ARGV[0] || 60).to_i
program = Brainfuck.new(ALPHABET)
output = nil
total = 0
rounds.times do
  output, steps = program.run
  total += steps
end
puts output
reverse, = Brainfuck.new(">,[>,]<[.<]").run("sretsa owt ro eno")
puts reverse
puts "steps: #{total}"
begin
  Brainfuck.new("[[-]")
rescue Brainfuck::SyntaxProblem => e
  puts "error: #{e.message}"
end
