# What `hash` says differs from process to process, and agrees with `eql?` within one.
values = "[1, 2**70, 1.5, 0.0, :a, nil, true, 1..2, 2r, 3i, [1], {a: 1}, Time.at(0), \"a\", Struct.new(:a).new(1).to_a]"
other = IO.popen([RbConfig.ruby, "-e", "puts #{values}.map(&:hash)"], &:read).lines.map(&:to_i)
here = eval(values).map(&:hash)
p here.zip(other).count { |a, b| a == b } # => 0
p eval(values).map(&:hash) == here # => true
p 1.hash == 1.0.hash, 0.0.hash == -0.0.hash # => false
# => true
p({ [1, :a, 2.5] => 1, 1..2 => 2 }.values_at([1, :a, 2.5], 1..2)) # => [1, 2]
# A VM made from an image finds what it was made with, and the keys that it makes itself.
vms = 4.times.map do |i|
  RubyVM.new("vm#{i}") { h = { [1] => 2, 3r => 4, (1..2) => 5 }; [h.values_at([1], 3r, 1..2), 5.hash == 5.hash] }.start
end
p vms.map(&:value).uniq # => [[[2, 4, 5], true]]
