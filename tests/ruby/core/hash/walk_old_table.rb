# A walk that waits in a fiber goes over a table that another thread has replaced since, and whose values died meanwhile.
def rounds(full)
  h = {}
  8.times { |i| h["key #{i}"] = "first #{i}" }
  3.times { GC.start }
  walks = [h.each, h.each_value, h.each_with_index]
  firsts = walks.map(&:next)
  Thread.new do
    8.times { |i| h["key #{i}"] = "second #{i}" }
    40.times { |i| h["more #{i}"] = "more #{i}" }
    6.times { |i| h.delete("key #{i + 1}") }
    h["key 7"] = "third 7"
    h["key 0"] = "third 0"
  end.join
  3.times do
    GC.start(full_mark: false)
    20.times { |i| "fill #{i}" * 2 }
  end
  GC.start(full_mark: full)
  rest = walks.map do |walk|
    seen = []
    loop { seen << walk.next }
    seen
  end
  [firsts, rest]
end

results = [false, true].map { |full| rounds(full) }
p results.uniq.size # => 1
first, rest = results[0]
p first # => [["key 0", "first 0"], "first 0", [["key 0", "first 0"], 0]]
p rest # => [[["key 7", "third 7"]], ["third 7"], [[["key 7", "third 7"], 1]]]
