# Smaller classes: monitors, times, buffers, sets, matches, garbage collection, marshalling.
# args: -W0
require "monitor"
m = Monitor.new
p(m.mon_enter) # => nil
p(m.mon_try_enter) # => true
p(m.mon_locked?) # => true
p(m.mon_owned?) # => true
p(m.mon_check_owner) # => nil
p(m.mon_exit) # => nil
p(m.mon_exit) # => nil
p(m.mon_locked?) # => false
p((m.exit rescue $!.class)) # => ThreadError
p(m.try_mon_enter) # => true
p(Thread.new { m.try_mon_enter }.value) # => false
p(m.exit) # => nil
p(m.synchronize { m.synchronize { 5 } }) # => 5
class Guarded
  include MonitorMixin
  def initialize
    super()
    @ready = new_cond
    @items = []
  end
  def put(x) = synchronize { @items << x; @ready.signal }
  def take = synchronize { @ready.wait_while { @items.empty? }; @items.shift }
  def take_until = mon_synchronize { @ready.wait_until { !@items.empty? }; @items.shift }
  def wait_briefly = synchronize { @ready.wait(0.01) }
end
g = Guarded.new
t = Thread.new { [g.take, g.take_until] }
g.put(1)
g.put(2)
p(t.value) # => [1, 2]
p(g.wait_briefly.class) # => FalseClass
p(g.mon_try_enter) # => true
p(g.mon_exit) # => nil
p([].extend(MonitorMixin).mon_synchronize { 1 }) # => 1

t = Time.utc(2024, 2, 29, 12, 30, 45.5)
p(t.sunday?) # => false
p(t.monday?) # => false
p(t.tuesday?) # => false
p(t.wednesday?) # => false
p(t.thursday?) # => true
p(t.friday?) # => false
p(t.saturday?) # => false
p(t.yday) # => 60
p(t.wday) # => 4
p(t.usec) # => 500000
p(t.nsec) # => 500000000
p(t.tv_sec) # => 1709209845
p(t.tv_usec) # => 500000
p(t.tv_nsec) # => 500000000
p(t.subsec) # => (1/2)
p(t.gmt?) # => true
p(t.utc?) # => true
p(t.gmtoff) # => 0
p(t.gmt_offset) # => 0
p(t.utc_offset) # => 0
p(t.dst?) # => false
p(t.isdst) # => false
p(t.zone) # => "UTC"
p(t.hour) # => 12
p(t.dup.getgm == t) # => true
p(t.to_a) # => [45, 30, 12, 29, 2, 2024, 4, 60, false, "UTC"]
p(t.to_r) # => (3418419691/2)
p(t.to_f) # => 1709209845.5
p(t.localtime("+09:00").to_s) # => "2024-02-29 21:30:45 +0900"
p(t.getlocal("-03:30").gmtoff) # => -12600
p(t.round.sec) # => 46
p(t.floor.subsec) # => 0
p(t.ceil(0).sec) # => 46
p((t + 86400).day) # => 1
p(t - Time.utc(2024, 1, 1)) # => 5142645.5
p(t <=> Time.at(0)) # => 1
p(t == t.dup.localtime("+01:00")) # => true
p(t.eql?(t.dup)) # => true
p(t.strftime("%Y-%j %U %u %a %^b %e %l %p %z %:z %s %L %N %3N %% %F %T %D %R %c %x %X %C %y %G %V %h %n%t|%-d|%05d|%_5d")) # => "2024-060 08 4 Thu FEB 29  9 PM +0900 +09:00 1709209845 500 500000000 500 % 2024-02-29 21:30:45 02/29/24 21:30 Thu Feb 29 21:30:45 2024 02/29/24 21:30:45 20 24 2024 09 Feb \n\t|29|00029|   29"
p(t.inspect) # => "2024-02-29 21:30:45.5 +0900"
p(Time.at(1, 500, :millisecond).to_f) # => 1.5
p(Time.at(1.5, in: "UTC").to_s) # => "1970-01-01 00:00:01 UTC"
p(Time.new(2024, 12, 25, in: "+05:00").to_s) # => "2024-12-25 00:00:00 +0500"
p(Time.new("2024-12-25 00:56:17 +0900").to_s) # => "2024-12-25 00:56:17 +0900"
p((Time.new("2024-13-01 00:00:00") rescue $!.message)) # => "mon out of range"
p(Time.utc(2000, "jan", 1, 20, 15, 1).to_s) # => "2000-01-01 20:15:01 UTC"
p(Time.gm(2000).year) # => 2000
p((Time.utc(2000, 13) rescue $!.message)) # => "mon out of range"
p(Time.at(0).utc.deconstruct_keys([:year, :month])) # => {year: 1970, month: 1}
p(Time.utc(1969, 12, 31, 23, 59, 59).to_i) # => -1
p(Time.utc(2024, 1, 31).month) # => 1

b = IO::Buffer.for("\x0f\xf0".b) { |x| x.dup }
c = IO::Buffer.for("\x33\x33".b)
p(b.get_string) # => "\x0F\xF0"
p((b & c).get_string) # => "\x030"
p((b | c).get_string) # => "?\xF3"
p((b ^ c).get_string) # => "<\xC3"
p((~b).get_string) # => "\xF0\x0F"
p(b.and!(c).get_string) # => "\x030"
p(b.or!(c).get_string) # => "33"
p(b.xor!(c).get_string) # => "\x00\x00"
p(b.not!.get_string) # => "\xFF\xFF"
p(b.internal?) # => true
p(b.mapped?) # => false
p(b.external?) # => false
p(b.shared?) # => false
p(b.private?) # => false
p(b.readonly?) # => false
p(b.locked?) # => false
p(b.empty?) # => false
p(b.null?) # => false
p(b.valid?) # => true
p(b.size) # => 2
p(c.readonly?) # => true
p(c.external?) # => true
p(b.get_value(:U8, 0)) # => 255
p(b.set_value(:u16, 0, 258)) # => 2
p(b.get_values([:U8, :U8], 0)) # => [2, 1]
p((b.get_value(:U32, 0) rescue $!.class)) # => ArgumentError
p(b.each(:U8).to_a) # => [[0, 2], [1, 1]]
p(b.each_byte.to_a) # => [2, 1]
p(b.slice(1).size) # => 1
p(b.resize(4).size) # => 4
p(b.clear(7).get_string) # => "\a\a\a\a"

require "set"
s = Set[1, 2, 3]
p(s.proper_superset?(Set[1])) # => true
p(s > Set[1, 2, 3]) # => false
p(s.proper_subset?(Set[1, 2, 3, 4])) # => true
p(s.superset?(Set[])) # => true
p(s <=> Set[1]) # => 1
p(s <=> Set[9]) # => nil
p(s.collect! { |x| x * 2 }) # => Set[2, 4, 6]
p(s.map! { |x| x + 1 }) # => Set[3, 5, 7]
p(s.select! { |x| x > 3 }) # => Set[5, 7]
p(s.reject! { |x| x > 100 }) # => nil
p(s.keep_if { true }) # => Set[5, 7]
p(s.delete_if { |x| x == 7 }) # => Set[5]
p(s.filter!(&:odd?)) # => nil
p(s.add?(5)) # => nil
p(s.add?(9)) # => Set[5, 9]
p(s.delete?(1)) # => nil
p(s.disjoint?([1])) # => true
p(s.intersect?([5])) # => true
p(s === 5) # => true
p(s.join("-")) # => "5-9"
p(s.divide(&:odd?)) # => Set[Set[5, 9]]
p(s.classify(&:odd?)) # => {true => Set[5, 9]}
p(s.group_by(&:odd?)) # => {true => [5, 9]}
p(s.partition(&:odd?)) # => [[5, 9], []]
p(s.flatten) # => Set[5, 9]
p(Set[[1]].flatten) # => Set[[1]]
p(s.to_set.equal?(s)) # => true
p(s.reset) # => Set[5, 9]
p(s.inspect) # => "Set[5, 9]"
p(s.hash == Set[5, 9].hash) # => true
p(Set.new([1, 2]) { |x| x * 10 }) # => Set[10, 20]
p(s.first) # => 5
p(s.min) # => 5
p(s.sum) # => 14
p(s.subtract([5])) # => Set[9]
p(s.merge([1], [2])) # => Set[9, 1, 2]
p(s.compare_by_identity.compare_by_identity?) # => true
p(s.freeze.frozen?) # => true
p((s << 1 rescue $!.class)) # => FrozenError
m = /(?<y>\d+)-(?<m>\d+)/.match("on 2024-02é")
p(m.byteoffset(0)) # => [3, 10]
p(m.byteoffset(:m)) # => [8, 10]
p(m.bytebegin(0)) # => 3
p(m.byteend(:m)) # => 10
p(m.offset(2)) # => [8, 10]
p(m.begin(:y)) # => 3
p(m.end(0)) # => 10
p(m.match(:y)) # => "2024"
p(m.match_length(:m)) # => 2
p(m.names) # => ["y", "m"]
p(m.captures) # => ["2024", "02"]
p(m.named_captures) # => {"y" => "2024", "m" => "02"}
p(m.named_captures(symbolize_names: true)) # => {y: "2024", m: "02"}
p(m.pre_match) # => "on "
p(m.post_match) # => "é"
p(m.to_a) # => ["2024-02", "2024", "02"]
p(m.values_at(:y, 2)) # => ["2024", "02"]
p(m.deconstruct_keys([:y])) # => {y: "2024"}
p(m.deconstruct) # => ["2024", "02"]
p(m.regexp.source) # => "(?<y>\\d+)-(?<m>\\d+)"
p(m.string.frozen?) # => true
p(m.size) # => 3
p(m["y"]) # => "2024"
p(m[-1]) # => "02"
p(m[0..1]) # => ["2024-02", "2024"]
p((m[:zz] rescue $!.message)) # => "undefined group name reference: zz"
p(Regexp.escape("a.b\n-")) # => "a\\.b\\n\\-"
p(Regexp.union("a.b", /c/i)) # => /a\.b|(?i-mx:c)/
p(Regexp.new("a", "mi").options) # => 5
p(Regexp.timeout) # => nil
p(/a/x.inspect) # => "/a/x"
p(/a/ == /a/i) # => false
p(/(?<a>.)(?<b>.)/.named_captures) # => {"a" => [1], "b" => [2]}
p(/(.)(.)?/.match("a").to_a) # => ["a", "a", nil]
p(/a/.match?("b")) # => false
p(/a/ === :a) # => true
p(/\//.source) # => "/"
p(/x/.hash == /x/.hash) # => true
p(Regexp.last_match.class) # => MatchData
p(Regexp.try_convert("a")) # => nil
p(Regexp.new(/a/i).to_s) # => "(?i-mx:a)"
p(GC.start) # => nil
p(GC.enable) # => false
p(GC.disable) # => false
p(GC.disable) # => true
p(GC.enable) # => true
p(GC.count.class) # => Integer
p(GC.stat.class) # => Hash
p(GC.stat(:count).class) # => Integer
p([true, false].include?(GC.stress)) # => true
p(GC.measure_total_time) # => true
p(GC.total_time.class) # => Integer
p(GC.config.class) # => Hash
p(ObjectSpace.garbage_collect) # => nil
p(ObjectSpace.count_objects.class) # => Hash
p(ObjectSpace.count_objects[:TOTAL].class) # => Integer
p(Object.new.then { |o| ObjectSpace::WeakKeyMap.new.then { |w| w["k"] = o; [w.getkey("k"), w.key?("k"), w["z"]] } }) # => ["k", true, nil]
p(Marshal.restore(Marshal.dump([1, "é", :s, 2**70, 1.5, nil, { a: [1] }, 1..2, 1r, 2i, String, Comparable]))) # => [1, "é", :s, 1180591620717411303424, 1.5, nil, {a: [1]}, 1..2, (1/1), (0+2i), String, Comparable]
p(Marshal.load(Marshal.dump("x"), freeze: true).frozen?) # => true
p(Marshal.load(Marshal.dump([1, [2]]), ->(x) { x.is_a?(Integer) ? x * 10 : x })) # => [10, [20]]
p((Marshal.dump(-> {}) rescue $!.message)) # => "no _dump_data is defined for class Proc"
p((Marshal.load("\x04\x09x") rescue $!.class)) # => TypeError
p((Marshal.load("") rescue $!.message)) # => "marshal data too short"
p(Marshal.dump("a".b)) # => "\x04\b\"\x06a"
p(Marshal.dump([1.0, -129, 70000, "s".encode("UTF-16LE")])) # => "\x04\b[\tf\x061i\xFF\x7Fi\x03p\x11\x01I\"\as\x00\x06:\rencoding\"\rUTF-16LE"
p(Thread.ignore_deadlock) # => false
p(Thread.new { Thread.current.name = "n"; Thread.current.inspect[/n@.*(?= )/].nil? }.value) # => true
p(Comparable.instance_methods.sort) # => [:<, :<=, :==, :>, :>=, :between?, :clamp]
p(Kernel.instance_method(:sprintf).name) # => :sprintf
p(Kernel.sprintf("%d", 3)) # => "3"
p(Kernel.caller_locations.class) # => Array
p(Hash[[[1, 2]]].to_hash) # => {1 => 2}
p({ a: 1 }.to_hash.equal?(nil)) # => false
p([3, 1].collect!(&:succ)) # => [4, 2]
p(Array.new(3).fill { it }.shuffle!.size) # => 3
