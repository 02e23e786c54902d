# DateTime: subclasses have times of their own; fractions that are Floats are nanoseconds.
require "date"
class Moment < DateTime; end
p Moment.now.class, (Moment.now + 1).class, Moment.now.new_offset.class, (Moment.now - DateTime.now).abs < 1 # => Moment
# => Moment
# => Moment
# => true
p DateTime.civil(2005, 2, 22, 15, 15, 10.7).sec_fraction, DateTime.civil(2005, 2, 22, 15, 15.5).sec, DateTime.jd(2_451_944.1).to_s # => (7/10)
# => 30
# => "2001-02-03T02:24:00+00:00"
p DateTime.civil(2005, 2, 22, 15, 15, 10 + 1/3r).sec_fraction # => (1/3)
