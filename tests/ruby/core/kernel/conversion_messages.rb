# How values that are no numbers are named where one is wanted.
[-> { [1].first(true) }, -> { "a" * false }, -> { [1][true] }, -> { 5.round(true) }, -> { [1].first(nil) }, -> { [1].first(:a) }].each do |code|
  code.call
rescue TypeError => e
  puts e.message
end
# => no implicit conversion of true into Integer
# => no implicit conversion of false into Integer
# => no implicit conversion of true into Integer
# => no implicit conversion of true into Integer
# => no implicit conversion from nil to integer
# => no implicit conversion of Symbol into Integer
