# What another thread sets while a variable is merged is given to the block: nothing is overwritten unseen.
class Late
  def initialize(name) = @name = name

  # Called when what is to be set is known, but has not been set.
  def to_str
    ENV[@name] ||= "5"
    "1"
  end
end

ENV.delete("MERGED")
ENV.update("MERGED" => Late.new("MERGED")) { |_, old, new| (old.to_i + new.to_str.to_i).to_s }
p ENV["MERGED"] # => "6"
ENV.update("MERGED" => "2") { |_, old, new| old + new }
p ENV["MERGED"] # => "62"
ENV.update("MERGED" => "2") { nil }
p ENV["MERGED"] # => nil
ENV.update("MERGED" => nil) { raise }
p ENV.key?("MERGED") # => false
begin
  ENV.update("A=B" => "2") { raise }
rescue SystemCallError => e
  p e # => #<Errno::EINVAL: Invalid argument - setenv(A=B)>
end
begin
  ENV.update("MERGED" => 1) { raise }
rescue TypeError => e
  puts e.message # => no implicit conversion of Integer into String
end
ENV.delete("COUNT")
Array.new(8) { Thread.new { 500.times { ENV.update("COUNT" => "1") { |_, a, b| (a.to_i + b.to_i).to_s } } } }.each(&:join)
p ENV["COUNT"] # => "4000"
