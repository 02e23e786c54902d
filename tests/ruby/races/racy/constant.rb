# args: --race-report
# stderr: race: LIMIT
# parallel: no, the report is the whole VM's
# Two threads set one constant.
$VERBOSE = nil
module Settings; end
# Looking a constant up orders what comes behind definitions of other threads.
settings, thread = Settings, Thread
[1, 2].map { |n| thread.new { settings.module_eval("LIMIT = #{n}") } }.each(&:join)
