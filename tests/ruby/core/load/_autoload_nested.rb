class Outer::Nested
  ENTERED << self
  GO.pop
  def value = 42
end
