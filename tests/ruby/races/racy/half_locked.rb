# args: --race-report
# stderr: race: @n of an Account
# parallel: no, the report is the whole VM's
# One thread takes the lock, the other one forgets it.
class Account
  def initialize = (@n, @lock = 0, Mutex.new)
  def safe = @lock.synchronize { @n += 1 }
  def unsafe = @n += 1
end
account = Account.new
a = Thread.new { account.safe }
b = Thread.new { account.unsafe }
[a, b].each(&:join)
