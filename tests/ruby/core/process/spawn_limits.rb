# A child begins with the limits that spawn is given.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { IO.popen(["sh", "-c", "ulimit -Sn; ulimit -Hn"], rlimit_nofile: [100, 200], &:read) } # => "100\n200\n"
t { IO.popen(["sh", "-c", "ulimit -Sn; ulimit -Hn"], rlimit_nofile: 120, &:read) } # => "120\n120\n"
t { spawn("true", rlimit_foo: 1) } # => ArgumentError: wrong exec option symbol: rlimit_foo
t { spawn("true", rlimit_core: [0, 0, 0]) } # => ArgumentError: wrong exec rlimit option
t { spawn("true", rlimit_core: []) } # => ArgumentError: wrong exec rlimit option
t { Process.clock_gettime(:foo) } # => Errno::EINVAL: Invalid argument - clock_gettime(:foo)
t { Process.clock_getres(777) } # => Errno::EINVAL: Invalid argument - clock_getres(777)
