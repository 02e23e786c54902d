class Date; end
