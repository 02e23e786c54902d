# Threads and Ractors that enable TracePoints at the same time: each is told of what it does from then on.
Warning[:experimental] = false
def traced = 1

def counted
  count = 0
  TracePoint.new(:call) { |tp| count += 1 if tp.method_id == :traced }.enable(target_thread: Thread.current) do
    5.times { traced }
  end
  count
end

p Array.new(4) { Thread.new { Array.new(100) { counted }.uniq } }.map(&:value) # => [[5], [5], [5], [5]]

counts = Array.new(60) do
  Array.new(3) do
    Ractor.new do
      count = 0
      point = TracePoint.new(:call) { |tp| count += 1 if tp.method_id == :traced }
      point.enable
      5.times { traced }
      point.disable
      count
    end
  end.map(&:value)
end
p counts.flatten.uniq # => [5]
