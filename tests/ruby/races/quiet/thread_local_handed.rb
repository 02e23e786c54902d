# args: --race-report
# parallel: no, the report is the whole VM's
# What another thread finds in Thread#[] was put there.
Message = Struct.new(:text)
main = Thread.current
thread = Thread.new { message = Message.new("a"); message.text += "b"; main[:message] = message; nil }
Thread.pass until (message = main[:message])
p message.text # => "ab"
thread.join
