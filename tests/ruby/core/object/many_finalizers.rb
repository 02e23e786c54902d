# parallel: no, finalizers of what lives at the end run once a process
# At the end of the program each finalizer runs once, also one that a finalizer defines; of 200,000 in a time that is
# no matter (400,000 took nine seconds when each was looked for in the table of all).
N = GC.stress ? 500 : 200_000
count = 0
callable = proc do
  count += 1
  if count == 1
    $late = Object.new
    ObjectSpace.define_finalizer($late, callable)
  end
  puts "all have run" if count == N + 1
  puts "one too many" if count > N + 1
end
$kept = Array.new(N) { Object.new.tap { |o| ObjectSpace.define_finalizer(o, callable) } }
undefined = Object.new
ObjectSpace.define_finalizer(undefined, callable)
ObjectSpace.undefine_finalizer(undefined)
# => all have run
