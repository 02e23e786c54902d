# require, load, autoload.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

$order = []
dir = File.join(__dir__, "fixtures")
$:.unshift dir
e { [require("circle_a"), require("circle_a"), require("circle_a.rb"), require(File.join(dir, "circle_a")), $order] } # => [true, false, false, false, [:a, :b, :a_end]]
e { $".last(2).map { |x| File.basename(x) } } # => ["circle_b.rb", "circle_a.rb"]
e { autoload :Promised, "promised"; [autoload?(:Promised), Object.autoload?(:Promised), defined?(Promised), Promised::VALUE, autoload?(:Promised)] } # => ["promised", "promised", "constant", 1, nil]
e { require "raises" } # => [RuntimeError, "boom"]
e { require "raises" } # => [RuntimeError, "boom"]
e { $order.count(:raises) } # => 2
e { begin; require "broken"; rescue SyntaxError => x; x.class; end } # => SyntaxError
e { $order.clear; [load("wrapped.rb", true), $order, defined?(WRAPPED), respond_to?(:wrapped_method, true)] } # => [true, ["main", :wrapped, 1], nil, false]
e { [4.times.map { Thread.new { require "slow" } }.map(&:value).count(true), $slow, SLOW] } # => [1, 1, 1]
e { require "no/such/feature" } # => [LoadError, "cannot load such file -- no/such/feature"]
e { begin; require "no/such/feature"; rescue LoadError => x; x.path; end } # => "no/such/feature"
e { load "no_such_file.rb" } # => [LoadError, "cannot load such file -- no_such_file.rb"]
e { require nil } # => [TypeError, "no implicit conversion of nil into String"]
# parallel: no, a feature is loaded once a process
