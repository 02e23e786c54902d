# parallel: no, it starts VMs whose time is limited
require_relative "_time_bombs"

long = '"if nil\n" + %s + "\nend"'
stop_bombs(
  "eval of statements" => "eval(#{long % '"x = 1 + 2 * foo(3, [4, 5])\n" * 2_000_000'}); loop {}",
  "eval of an Array" => "eval(#{long % '"[" + "1," * 10_000_000 + "]"'}); loop {}",
  "eval of words" => "eval(#{long % '"%w[" + "a " * 10_000_000 + "]"'}); loop {}",
  "eval of pieces" => "eval(#{long % '"\"" + "\#{1}" * 4_000_000 + "\""'}); loop {}",
  "eval of here documents" => "eval(#{long % '"x = <<A\nb\nA\n" * 2_000_000'}); loop {}",
  "eval of a sum" => "begin; eval(#{long % '"1" + " + 1" * 5_000_000'}); rescue SyntaxError; end; loop {}",
  "eval of mistakes" => "begin; eval(\") \" * 5_000_000); rescue SyntaxError; end; loop {}",
  "compile" => "RubyVM::InstructionSequence.compile(#{long % '"def a = 1\n" * 5_000_000'}); loop {}",
)
# => done
