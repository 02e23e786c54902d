# An instance variable that is there
class Counter
  def run(n)
    i = 0
    while i < n
      @i = i
      i += 1
    end
  end
end
Counter.new.run(ARGV[0].to_i)
