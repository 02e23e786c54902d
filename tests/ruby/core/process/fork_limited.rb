# parallel: no, it forks
# The time limit of a VM holds in a process that it forks, too.
r, w = IO.pipe
vm = RubyVM.new("limited", allow: [:fork], time_limit: 1) do |out|
  fork do
    out.write("begun")
    sleep
    out.write(" and went on")
  end
  out.close
  sleep
end
begin
  vm.start(w).value
rescue => e
  p e.class # => RubyVM::Error
end
w.close
p r.read # => "begun"
