# RubyVM::InstructionSequence.of: what a Proc or a method runs.
I = RubyVM::InstructionSequence
def here = 1

block = proc { 2 }
p I.of(method(:here)).label, I.of(block).label, I.of(block).base_label, I.of(block).first_lineno, I.of(block).path == __FILE__
# => "here"
# => "block in <main>"
# => "<main>"
# => 5
# => true
p I.of(method(:puts)), I.of(:x.to_proc), I.of(1), I.of(method(:here).unbind).to_a.values_at(5, 8, 9), I.of(block).to_a[9]
# => nil
# => nil
# => nil
# => ["here", 3, :method]
# => :block
p I.of(block).script_lines, I.of(block).to_a[4][:code_location] # => nil
# => nil
p((I.of(block).eval rescue $!), I.compile("1 + 2").eval) # => #<TypeError: attempt to evaluate non-top InstructionSequence>
# => 3
