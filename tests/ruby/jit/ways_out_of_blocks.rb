# args: --jit=always
# `break` and `return` out of blocks that are part of the code around them, past `rescue` and `ensure` clauses.

def looped(n)
  sum = 0
  n.times { i = 0; loop { i += 1; break if i > 3; sum += i } }
  sum
end
def rescues
  begin
    yield 1
  rescue ArgumentError
    7
  end
  8
end
def ensures
  yield 1
ensure
  $log << :ensures
end
def within_rescue
  raise "x"
rescue
  yield 2
end

def break_rescue(k) = rescues { |x| break x + k }
def break_ensure(k) = ensures { |x| break x + k }
def break_within(k) = within_rescue { |x| break x + k }
def return_rescue(k) = (rescues { |x| return x + k }; 0)
def return_ensure(k) = (ensures { |x| return x + k }; 0)
def return_within(k) = (within_rescue { |x| return x + k }; 0)
def nested_within(k) = (rescues { |x| within_rescue { |y| return x + y + k } }; 0)
def nested_ensure(k) = (ensures { |x| rescues { |y| return x + y + k } }; 0)
def own_ensure(k) = rescues { |x| begin; break x + k; ensure; $log << :own_ensure; end }
def far_ensure(k) = rescues { |x| begin; rescues { |y| return x + y + k }; ensure; $log << :far_ensure; end }
def own_rescue(k) = rescues { |x| begin; raise "q"; rescue; rescues { |y| break x + y + k }; end }
def around_rescue(k) = (begin; raise "w"; rescue; rescues { |y| return y + k + $!.message.size }; end)
def stopped(k) = loop { raise StopIteration if k % 3 == 0; break k }.to_i
def both_loops(k) = loop { loop { return k } }

$log = []
NAMES = %i[break_rescue break_ensure break_within return_rescue return_ensure return_within nested_within nested_ensure
           own_ensure far_ensure own_rescue around_rescue stopped both_loops]
sums = NAMES.to_h { [_1, 0] }
left = 0
1000.times do |k|
  NAMES.each do |name|
    sums[name] += __send__(name, k)
    left += 1 if $!
  end
end
p looped(1000) # => 6000
p left # => 0
sums.each { |name, sum| puts "#{name} #{sum}" }
# => break_rescue 500500
# => break_ensure 500500
# => break_within 501500
# => return_rescue 500500
# => return_ensure 500500
# => return_within 501500
# => nested_within 502500
# => nested_ensure 501500
# => own_ensure 500500
# => far_ensure 501500
# => own_rescue 8000
# => around_rescue 501500
# => stopped 332667
# => both_loops 499500
p $log.tally # => {ensures: 3000, own_ensure: 1000, far_ensure: 1000}
