# args: --race-report
# parallel: no, the report is the whole VM's
# A program without threads.
$total = 0
class Sum
  attr_reader :list
  def initialize = (@list, @text = [], +"")
  def add(n) = (@list << n; @text << n.to_s; $total += n; @list[0])
end
sum = Sum.new
5.times { |i| sum.add(i) }
p $total, sum.list # => 10
# => [0, 1, 2, 3, 4]
