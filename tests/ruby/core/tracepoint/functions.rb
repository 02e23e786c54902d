# set_trace_func, Thread#set_trace_func, Thread#add_trace_func.
# parallel: no, a VM has one trace function

def add(x, y)
  x + y
end

seen = []
tell = proc { |event, file, line, id, binding, klass| seen << [event, line, id, klass] if file == __FILE__ }
set_trace_func(tell)
x = add(1, 1)
set_trace_func(nil)
seen.each { |s| p s }
# => ["c-return", 10, :set_trace_func, Kernel]
# => ["line", 11, nil, nil]
# => ["call", 4, :add, Object]
# => ["line", 5, :add, Object]
# => ["c-call", 5, :+, Integer]
# => ["c-return", 5, :+, Integer]
# => ["return", 6, :add, Object]
# => ["line", 12, nil, nil]
# => ["c-call", 12, :set_trace_func, Kernel]

seen.clear
Thread.current.add_trace_func(proc { |event, *| seen << [:first, event] if event == "call" })
Thread.current.add_trace_func(proc { |event, *| seen << [:second, event] if event == "call" })
add(1, 2)
Thread.current.set_trace_func(nil)
add(1, 2)
p seen # => [[:second, "call"], [:first, "call"]]

begin
  set_trace_func(1)
rescue TypeError => e
  p e.message # => "trace_func needs to be Proc"
end
