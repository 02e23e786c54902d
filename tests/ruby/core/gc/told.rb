# What is told of collections, and what may be asked of them.
# With a collection at each allocation the last one is never the one that was asked for.
GC.stress = false
GC.start
p GC.latest_gc_info(:major_by), GC.latest_gc_info(:gc_by), GC.latest_gc_info(:immediate_sweep) # => :force
# => :method
# => true
GC.start(full_mark: false, immediate_sweep: false)
info = {}
p GC.latest_gc_info(info).equal?(info), info[:immediate_sweep] # => true
# => false
p((GC.latest_gc_info(:none) rescue $!), (GC.latest_gc_info(1) rescue $!)) # => #<ArgumentError: unknown key: none>
# => #<TypeError: non-hash or symbol given>

p GC.config[:rgengc_allow_full_mark] # => true
p GC.config(rgengc_allow_full_mark: false)[:rgengc_allow_full_mark] # => false
before = GC.stat(:major_gc_count)
200_000.times { [it] }
p GC.stat(:major_gc_count) - before # => 0
GC.start
p GC.stat(:major_gc_count) - before # => 1
GC.config(rgengc_allow_full_mark: true)

GC.measure_total_time = false
time = GC.total_time
GC.start
p GC.total_time == time, GC.measure_total_time # => true
# => false
GC.measure_total_time = true
GC.start
p GC.total_time > time # => true

p GC::Profiler.enabled?, GC::Profiler.raw_data, GC::Profiler.result # => false
# => []
# => ""
GC::Profiler.enable
GC.start
row = GC::Profiler.raw_data.last
p row[:GC_FLAGS], row[:GC_TIME] > 0, row[:HEAP_USE_SIZE].between?(1, row[:HEAP_TOTAL_SIZE] * 10) # => {major_by: :force, gc_by: :method, immediate_sweep: true}
# => true
# => true
p GC::Profiler.total_time > 0, GC::Profiler.result.lines[1].start_with?("Index    Invoke Time(sec)  ") # => true
# => true
GC::Profiler.disable
GC::Profiler.clear
GC.start
p GC::Profiler.raw_data # => []
