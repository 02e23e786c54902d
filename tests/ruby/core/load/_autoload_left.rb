module Left
  LEFT << 1
  RIGHT.pop
  @other = Right
  def self.other = @other
end
