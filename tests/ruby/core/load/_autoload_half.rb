module Half; end
class HalfToo; end
ENTERED << [Half, HalfToo, defined?(Half), Object.const_defined?(:HalfToo), Object.autoload?(:Half), Object.autoload?(:HalfToo)]
GO.pop
def Half.list = [1]
def HalfToo.list = [2]
