# Kinds of work for the benchmarks of this folder: each is done by one Ractor or thread with objects of its own.
require "json"

module Work
  class Point
    attr_accessor :x, :y
    def initialize(x, y)
      @x = x
      @y = y
    end
  end

  class Counter
    @count = 0
    class << self
      attr_reader :count
    end
  end

  Pair = Struct.new(:a, :b)
  Place = Data.define(:a, :b)
  class Text < String
    def mark = @mark = 1
    def marked = @mark
  end

  def self.fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)

  def self.objects
    sum = 0
    150_000.times { |i| sum += Point.new(i, 1).x }
    sum
  end

  def self.ivars_of_object
    point = Point.new(0, 0)
    400_000.times { |i| point.x = point.y + i }
    point.x
  end

  def self.ivars_of_class
    sum = 0
    500_000.times { |i| sum += Counter.count + i }
    sum
  end

  def self.ivars_of_struct
    pair = Pair.new(0, 0)
    400_000.times { |i| pair.a = pair.b + i }
    pair.a
  end

  def self.ivars_of_data
    place = Place.new(1, 2)
    sum = 0
    500_000.times { |i| sum += place.a + place.b + i }
    sum
  end

  def self.ivars_of_string
    text = Text.new("text")
    150_000.times { text.mark; text.marked }
  end

  def self.object_ids
    sum = 0
    60_000.times { sum += Object.new.object_id & 1 }
    sum
  end

  def self.json
    document = { "a" => [1, 2.5, nil, true], "b" => { "c" => "text", "d" => Array.new(20) { |i| i.to_s } } }
    500.times { document = JSON.parse(JSON.generate(document)) }
    document.size
  end

  def self.strings
    text = +""
    150_000.times { |i| text << "part " << i.to_s << "\n" }
    text.size
  end

  def self.hashes
    table = {}
    200_000.times { |i| table[i % 1000] = (table[i % 1000] || 0) + i }
    table.size
  end

  def self.regexps
    count = 0
    4000.times { |i| count += 1 if "line #{i}: the quick brown fox jumps" =~ /(\d+): .*(fox|dog) j/ && $1.to_i == i }
    2000.times { count += "a1 b2 c3 d4".gsub(/[a-z](\d)/) { $1 }.size }
    count
  end

  ALL = {
    "fib" => :fib, "objects" => :objects, "ivars of objects" => :ivars_of_object, "ivars of classes" => :ivars_of_class,
    "members of Structs" => :ivars_of_struct, "members of Data" => :ivars_of_data, "ivars of Strings" => :ivars_of_string,
    "object_id" => :object_ids, "JSON" => :json, "string building" => :strings, "Hash updates" => :hashes, "regexps" => :regexps
  }.freeze

  def self.run(name) = name == :fib ? fib(24) : send(name)
end
Ractor.make_shareable(Work::ALL)
