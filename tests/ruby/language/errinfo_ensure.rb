# What $! is after an exception left an ensure clause that another one made run.
def a; raise "x"; ensure; raise if $!; end
begin; a; rescue => e; end
p [1, $!] # => [1, nil]
def b; begin; raise "x"; ensure; raise "y"; end; end
begin; b; rescue => e; end
p [2, $!] # => [2, nil]
def c; yield; ensure; begin; raise "z"; rescue; end; raise if $!; end
begin; c { raise "q" }; rescue => e; end
p [3, $!] # => [3, nil]
def d; begin; raise "x"; rescue; raise; end; end
begin; d; rescue => e; end
p [4, $!] # => [4, nil]
def f; begin; raise "x"; ensure; return 1; end; end
f; p [5, $!] # => [5, nil]
def g; [1].each { begin; raise "x"; ensure; return 2; end }; end
g; p [6, $!] # => [6, nil]
def h; begin; raise "x"; rescue; return 3; end; end
h; p [7, $!] # => [7, nil]
def i; loop { begin; raise "x"; rescue; break; end }; end
i; p [8, $!] # => [8, nil]
def j; [1].each { begin; raise "x"; rescue; next; end }; end
j; p [9, $!] # => [9, nil]
catch(:t) { begin; raise "x"; rescue; throw :t; end }; p [10, $!] # => [10, nil]
catch(:t) { begin; raise "x"; ensure; throw :t; end }; p [11, $!] # => [11, nil]
t = Thread.new { Thread.current.report_on_exception = false; begin; raise "x"; ensure; Thread.current[:a] = 1; end }
begin; t.join; rescue; end; p [12, $!] # => [12, nil]
begin; t.value; ensure; p $!.message; end rescue p [13, $!.message] # => "x"
# => [13, "x"]
p [14, $!] # => [14, nil]
class T < Exception; end
def k; yield; rescue T; 5; ensure; p [15, $!]; end # => [15, #<RuntimeError: a>]
begin; k { raise "a" }; rescue; end; p [16, $!] # => [16, nil]
def l(e) = raise(e, "m", ["a"])
begin; begin; l(RuntimeError); ensure; raise if $!; end; rescue; end; p [17, $!] # => [17, nil]
def m; yield; ensure; [1].each { |x| x.to_s if x }; raise if $!; 1; end
begin; m { raise T, "m" }; rescue Exception; end; p [18, $!] # => [18, nil]
begin; begin; raise "1"; ensure; begin; raise "2"; rescue; end; p $!.message; end; rescue; end; p [19, $!] # => "1"
# => [19, nil]
x = (raise "a" rescue 1); p [20, $!] # => [20, nil]
begin; raise "a"; rescue => e; begin; raise "b"; rescue; end; p $!.message; end; p [21, $!] # => "a"
# => [21, nil]
def n; pr = Thread.new { sleep }; raise "x"; ensure; pr.kill; pr.join; end
begin; n; rescue; end; p [24, $!] # => [24, nil]
begin; raise "x"; rescue; Fiber.new { p $! }.resume; end; p $! # => nil
# => nil
Fiber.new { begin; raise "x"; rescue; Fiber.yield; end }.resume; p [26, $!] # => [26, nil]
def o; begin; raise "x"; rescue; yield; end; end
o { p $!.message }; p [27, $!] # => "x"
# => [27, nil]
[1].each { o { break } }; p [28, $!] # => [28, nil]
def q; o { return 1 }; end; q; p [29, $!] # => [29, nil]
def r; begin; raise "x"; rescue => e; raise e.class, "n", cause: nil; end; end
begin; r; rescue; end; p [30, $!] # => [30, nil]
begin; Integer("x"); rescue ArgumentError; end; p [31, $!] # => [31, nil]
def s; retried = false; begin; raise "x" unless retried; rescue; retried = true; retry; end; end
s; p [32, $!] # => [32, nil]
begin; raise "a"; rescue; else; ensure; p [33, $!]; end # => [33, nil]
while true; begin; raise "a"; rescue; break; end; end; p [34, $!] # => [34, nil]
begin; begin; raise "a"; rescue; raise "b"; ensure; 1; end; rescue; end; p [35, $!] # => [35, nil]
begin; begin; raise "a"; rescue; raise "b"; ensure; raise if $!; end; rescue; end; p [36, $!] # => [36, nil]
def u; begin; raise "x"; rescue; return yield; ensure; raise if $!; end; end
p((u { 5 } rescue $!.message)); p [37, $!] # => 5
# => [37, nil]
