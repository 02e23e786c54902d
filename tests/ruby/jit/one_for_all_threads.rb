# args: --jit=always
# A regexp with `o` is one for all threads, also where several have made theirs by then.
bad = 20.times.count do
  once = eval('proc { |i| /#{Thread.pass; i}/o }')
  8.times.map { |i| Thread.new { once.call(i) } }.map(&:value).uniq.size != 1
end
p bad # => 0
