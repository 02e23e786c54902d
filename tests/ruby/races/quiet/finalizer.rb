# args: --race-report
# parallel: no, the report is the whole VM's
# A finalizer runs when it runs.
done = 0
make = proc { |object| ObjectSpace.define_finalizer(object, proc { done += 1 }) }
Thread.new { 10.times { make.call(Object.new) } }.join
GC.start
done
