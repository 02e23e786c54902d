module Failing; end
ENTERED << 1
GO.pop
raise "boo" if $raises
def Failing.complete = true
