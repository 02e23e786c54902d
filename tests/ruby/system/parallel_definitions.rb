# Constants, methods and classes are defined and changed by eight threads at once, while the collector runs and stops
# the world.
def in_threads(n = 8)
  n.times.map { |id| Thread.new { yield id } }.map(&:value)
end

module Names; end

class Target
  def fixed = :fixed
end

done = false
collector = Thread.new { until done do GC.start; sleep 0.001 end }

results = in_threads do |id|
  sum = 0
  60.times do |i|
    Names.const_set("C#{id}_#{i}", i)
    sum += Names.const_get("C#{id}_#{i}")
    Target.define_method("m#{id}_#{i}") { |x| x + i }
    sum += Target.new.public_send("m#{id}_#{i}", 1)
    Target.class_eval("def shared = #{id}")
    raise "a method vanished" unless (0..7).cover?(Target.new.shared) && Target.new.fixed == :fixed
    child = Class.new(Target) { define_method(:own) { [id, i] } }
    raise "wrong method" unless child.new.own == [id, i] && child.new.fixed == :fixed
    singleton = Object.new
    singleton.define_singleton_method(:one) { i }
    sum += singleton.one
    $global = id
    sum
  end
  sum
end
done = true
collector.join
p results.uniq # => [5370]
