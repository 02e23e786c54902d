# args: --race-report
# stderr: race: LIMIT
# parallel: no, the report is the whole VM's
# Two threads set one constant.
$VERBOSE = nil
module Settings; end
settings = Settings
[1, 2].map { |n| Thread.new { settings.module_eval("LIMIT = #{n}") } }.each(&:join)
