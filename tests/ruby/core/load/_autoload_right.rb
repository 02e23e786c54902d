module Right
  RIGHT << 1
  LEFT.pop
  @other = Left
  def self.other = @other
end
