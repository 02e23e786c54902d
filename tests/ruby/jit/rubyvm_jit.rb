# args: --jit=always
# What a program learns of compiled code.

unless RubyVM::JIT.enabled?
  puts "skipped: there is no compiler for this processor"
  exit
end

def twice(n) = n + n
2000.times { |i| twice(i) }
stats = RubyVM::JIT.stats
p stats.keys
p stats[:compiled_units] > 0, stats[:code_bytes] > 0, stats[:compile_time_ns] > 0
p stats.values.all?(Integer)
p defined?(RubyVM::YJIT.enable)
# => [:compiled_units, :code_bytes, :compile_time_ns, :refused_units, :unexpected_operands, :iterators_in_place, :blocks_in_place, :methods_inlined]
# => true
# => true
# => true
# => true
# => nil
