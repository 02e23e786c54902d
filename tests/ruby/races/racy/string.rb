# args: --race-report
# stderr: race: a String
# parallel: no, the report is the whole VM's
# A String is read while another thread appends.
text = +"a"
a = Thread.new { text.length }
b = Thread.new { text << "b" }
[a, b].each(&:join)
