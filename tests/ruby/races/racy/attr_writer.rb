# args: --race-report
# stderr: race: @state of a Machine
# parallel: no, the report is the whole VM's
# A writer and a reader made by attr_accessor.
class Machine
  attr_accessor :state
end
machine = Machine.new
writer = Thread.new { machine.state = :on }
reader = Thread.new { machine.state }
[writer, reader].each(&:join)
