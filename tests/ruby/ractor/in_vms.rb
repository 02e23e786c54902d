# Each VM has Ractors of its own.
# parallel: no, VMs are made by the main one
3.times do
  vm = RubyVM.new("ractors") { Warning[:experimental] = false; Ractor.new(5) { |x| [x, Ractor.main == self, Ractor.count] }.value }
  p vm.start.value # => [5, false, 2]
  # => [5, false, 2]
  # => [5, false, 2]
end
p Ractor.count # => 1
