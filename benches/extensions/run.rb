# Times each function of speed.c; the first argument is the folder where it was built.
require File.join(ARGV.fetch(0), "speed")

class Holder
  def initialize = @value = 1

  def ruby_method(argument) = argument
end

def time(name, n = 1_000_000)
  best = 5.times.map do
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield n
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  end.min
  puts "#{name} #{(best / n * 1e9).round(2)}"
end


holder = Holder.new
point = Speed::Point.new
list = (0...1000).to_a
table = (0...1000).to_h { [_1, _1] }

time("empty method") { |n| i = 0; while i < n; Speed.empty; i += 1; end }
time("one argument") { |n| i = 0; while i < n; Speed.one(i); i += 1; end }
time("any arguments") { |n| i = 0; while i < n; Speed.any(i, i); i += 1; end }
time("data method") { |n| i = 0; while i < n; point.next; i += 1; end }
time("rb_str_new") { |n| Speed.str_new(n) }
time("rb_str_cat") { |n| Speed.str_cat(n) }
time("RSTRING_PTR") { |n| Speed.str_ptr("some text of this length", n) }
time("rb_ary_push") { |n| Speed.ary_push(n) }
time("rb_ary_entry") { |n| Speed.ary_entry(list, n) }
time("rb_hash_aset") { |n| Speed.hash_aset(n) }
time("rb_hash_aref") { |n| Speed.hash_aref(table, n) }
time("rb_funcall") { |n| Speed.funcall(holder, n) }
time("rb_ivar_get") { |n| Speed.ivar_get(holder, n) }
time("rb_ivar_set") { |n| Speed.ivar_set(holder, n) }
time("rb_yield") { |n| Speed.yielding(n) { _1 } }
time("TypedData_Get_Struct") { |n| Speed.data_get(point, n) }
time("TypedData_Make_Struct") { |n| Speed.data_new(Speed::Point, n) }
time("numbers") { |n| Speed.numbers(n) }
