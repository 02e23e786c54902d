# parallel: no, it measures how much memory the process takes
require_relative "_memory_bombs"

# A String that fits, and a method that works on a copy, which does not.
run_bombs(
  **{
    "Float" => "Float(s)",
    "to_r" => "s.to_r",
    "to_c" => "s.to_c",
    "strftime" => "Time.at(0).strftime(s)",
    "pack into a buffer" => '[1].pack("C", buffer: s)',
    "a set of characters" => '"a".count(s)',
    "a converter's input" => 'Encoding::Converter.new("UTF-8", "EUC-JP").convert(s)',
    "what a converter is given to insert" => 'Encoding::Converter.new("UTF-8", "EUC-JP").insert_output(s)',
    "_dump" => 'class C; def initialize(s) = @s = s; def _dump(_) = @s; end; Marshal.dump(C.new(s))',
    "ungetbyte" => 'r, = IO.pipe; r.ungetbyte(s)',
    "eval" => "eval(s)",
    "IO::Buffer.string" => "IO::Buffer.for(s).size",
  }.transform_values { |call| "s = '0' * 17_000_000; #{call}" },
)
# => done
