# args: --jit=off
p RubyVM::JIT.enabled?, RubyVM::JIT.stats
# => false
# => nil
