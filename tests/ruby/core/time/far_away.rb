# Seconds at the ends of what a machine word holds give a Time or an error.
[-2**63, 2**63 - 1, -2**64, 2**64, -2**63 + 1].each do |seconds|
  answer = begin
    Time.at(seconds).to_i == seconds
  rescue RangeError, ArgumentError
    true
  end
  p answer
end
# => true
# => true
# => true
# => true
# => true
