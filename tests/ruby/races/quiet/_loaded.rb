# What the tests of `autoload` and `require` load.
module Loaded
  @list = [1]
  @list[0] += 0
  def self.list = @list
end
