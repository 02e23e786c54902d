# Symbols made at run time go from VM to VM, and each VM collects those that it does not hold.
count = GC.stress ? 10 : 500
body = <<~'RUBY'
  inbox, outbox, count, id = RubyVM::ARGV
  made = Array.new(count) { |i| :"shared #{i}" }
  own = Array.new(count) { |i| :"of #{id}: #{i}" }
  seen = []
  while (message = inbox.recv)
    seen << message if message.is_a?(Symbol)
    100.times { |i| "dropped #{i}".to_sym }
    GC.start
    outbox << (message.is_a?(Hash) ? message.to_h { |k, v| [v, k] } : message)
  end
  outbox << [made.all?(Symbol) && made.each_with_index.all? { |s, i| s.to_s == "shared #{i}" },
             own.each_with_index.all? { |s, i| s.to_s == "of #{id}: #{i}" },
             seen.each_with_index.all? { |s, i| s.to_s == "single #{i}" }]
RUBY
pairs = Array.new(3) do |id|
  inbox, outbox = RubyVM::Channel.new, RubyVM::Channel.new
  [RubyVM.new("symbols", source: body).start(inbox, outbox, count, id), inbox, outbox]
end
3.times do |i|
  pairs.each { |_, inbox, _| inbox << :"single #{i}" }
  GC.start
  pairs.each { |_, inbox, _| inbox << Array.new(200) { |j| :"many #{j}" } }
  pairs.each { |_, inbox, _| inbox << { "key #{i}".to_sym => :"value #{i}", list: [:"in a list #{i}"] } }
  GC.start
  answers = pairs.map { |_, _, outbox| [outbox.recv, outbox.recv, outbox.recv] }
  p answers.all? { |one, many, hash|
    one.to_s == "single #{i}" && many == Array.new(200) { |j| :"many #{j}" } &&
      hash == { :"value #{i}" => :"key #{i}", [:"in a list #{i}"] => :list }
  }
end
# => true
# => true
# => true
pairs.each { |_, inbox, _| inbox << nil }
p pairs.map { |vm, _, outbox| outbox.recv.tap { vm.join } }
# => [[true, true, true], [true, true, true], [true, true, true]]
