# Instance variables of Strings are found while other threads give some to theirs and collections forget those of the dead.
class Text < String
  attr_accessor :mark
end

shared = Array.new(200) { |i| Text.new("shared").tap { |text| text.mark = i } }
threads = Array.new(6) do
  Thread.new do
    kept = []
    wrong = 400.times.count do |i|
      text = Text.new("own")
      text.mark = i
      kept << text if i % 10 == 0
      GC.start(full_mark: false) if i % 100 == 0
      text.mark != i || shared[i % 200].mark != i % 200
    end
    wrong + kept.each_with_index.count { |text, k| text.mark != k * 10 }
  end
end
p threads.sum(&:value) # => 0
p shared.map(&:mark) == [*0...200] # => true
GC.start
p shared.sum { |text| text.mark } # => 19900
