# args: --race-report
# parallel: no, the report is the whole VM's
# What is frozen is read only.
Config = Data.define(:a, :b)
config = Config.new(1, [2, 3].freeze)
p 3.times.map { Thread.new { config.a + config.b[1] } }.sum(&:value) # => 12
