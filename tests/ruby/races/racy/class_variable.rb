# args: --race-report
# stderr: race: @@made of Thing
# parallel: no, the report is the whole VM's
# A class variable is counted up.
class Thing
  @@made = 0
  def self.make = @@made += 1
end
2.times.map { Thread.new { Thing.make } }.each(&:join)
