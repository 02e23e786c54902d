# frozen_string_literal: true

# The methods of String that take a pattern and call a block. Each match is found by a primitive, `$~` is set for the
# block, and the block runs on this method's frame: nothing lies on the machine stack meanwhile.
class String
  def gsub(pattern, replacement = Primitive.undef)
    if Primitive.undef?(replacement)
      return to_enum(:gsub, pattern) unless block_given?
      hash = nil
    else
      replacement = Primitive.gsub_replacement(replacement)
      if Primitive.kind_of(replacement, String)
        return Primitive.string_gsub(self, pattern, replacement)
      end
      result = Primitive.string_gsub_hash(self, pattern, replacement)
      return result if result
      return Primitive.string_copy(self) if nil.equal?(result)
      hash = replacement
    end
    match = Primitive.gsub_begin(pattern, self)
    return match if Primitive.kind_of(match, String)
    source = Primitive.match_source(match)
    out = last = nil
    while match
      text = Primitive.match_text(match)
      value = hash ? hash[text] : (yield text)
      value = "#{value}" unless Primitive.kind_of(value, String)
      raise RuntimeError, "string modified" if Primitive.gsub_changed(self, source)
      out = Primitive.gsub_append(out, last, match, value)
      last = match
      match = Primitive.gsub_next(match)
    end
    Primitive.gsub_finish(out, source, last)
  end

  def gsub!(pattern, replacement = Primitive.undef)
    if Primitive.undef?(replacement)
      return to_enum(:gsub!, pattern) unless block_given?
      Primitive.raise_frozen_if(self)
      hash = nil
    else
      Primitive.raise_frozen_if(self)
      replacement = Primitive.gsub_replacement(replacement)
      return Primitive.string_gsub_bang(self, pattern, replacement) if Primitive.kind_of(replacement, String)
      done = Primitive.string_gsub_hash_bang(self, pattern, replacement)
      return done if done || nil.equal?(done)
      hash = replacement
    end
    tries = 0
    while true
      match = Primitive.gsub_first(pattern, self)
      return nil unless match
      source = Primitive.match_source(match)
      out = last = nil
      while match
        text = Primitive.match_text(match)
        value = hash ? hash[text] : (yield text)
        value = "#{value}" unless Primitive.kind_of(value, String)
        # In a String of this thread's own it was the block.
        raise RuntimeError, "string modified" if Primitive.gsub_changed(self, source)
        out = Primitive.gsub_append(out, last, match, value)
        last = match
        match = Primitive.gsub_next(match)
      end
      return self if Primitive.string_become(self, source, Primitive.gsub_finish(out, source, last))
      # Other threads have changed the same part of the text.
      raise RuntimeError, "string modified" if (tries += 1) == 1000
    end
  end

  def sub(pattern, needed_replacement = Primitive.undef)
    if Primitive.undef?(needed_replacement)
      raise ArgumentError, "wrong number of arguments (given 1, expected 2)" unless block_given?
      hash = nil
    else
      needed_replacement = Primitive.gsub_replacement(needed_replacement)
      if Primitive.kind_of(needed_replacement, String)
        return Primitive.string_sub(self, pattern, needed_replacement)
      end
      hash = needed_replacement
    end
    match = Primitive.gsub_begin(pattern, self)
    return match if Primitive.kind_of(match, String)
    source = Primitive.match_source(match)
    text = Primitive.match_text(match)
    value = hash ? hash[text] : (yield text)
    value = "#{value}" unless Primitive.kind_of(value, String)
    Primitive.gsub_finish(Primitive.gsub_append(nil, nil, match, value), source, match)
  end

  def sub!(pattern, needed_replacement = Primitive.undef)
    if Primitive.undef?(needed_replacement)
      raise ArgumentError, "wrong number of arguments (given 1, expected 2)" unless block_given?
      Primitive.raise_frozen_if(self)
      hash = nil
    else
      Primitive.raise_frozen_if(self)
      needed_replacement = Primitive.gsub_replacement(needed_replacement)
      return Primitive.string_sub_bang(self, pattern, needed_replacement) if Primitive.kind_of(needed_replacement, String)
      hash = needed_replacement
    end
    tries = 0
    while true
      match = Primitive.gsub_first(pattern, self)
      return nil unless match
      source = Primitive.match_source(match)
      text = Primitive.match_text(match)
      value = hash ? hash[text] : (yield text)
      value = "#{value}" unless Primitive.kind_of(value, String)
      raise RuntimeError, "string modified" if Primitive.gsub_changed(self, source)
      out = Primitive.gsub_append(nil, nil, match, value)
      return self if Primitive.string_become(self, source, Primitive.gsub_finish(out, source, match))
      raise RuntimeError, "string modified" if (tries += 1) == 1000
    end
  end

  def scan(pattern)
    return Primitive.string_scan(self, pattern) unless block_given?
    match = Primitive.scan_first(pattern, self)
    return self unless match
    last = nil
    while match
      last = match
      yield Primitive.match_groups(match)
      match = Primitive.scan_next(match, self)
    end
    Primitive.set_backref(last)
    self
  end
end
