# frozen_string_literal: true

# GC::Profiler as text: a line for each collection that was noted.
module GC::Profiler
  def self.result
    rows = raw_data
    return "" if rows.empty?
    columns = %w[Index Invoke\ Time(sec) Use\ Size(byte) Total\ Size(byte) Total\ Object GC\ Time(ms)]
    text = +"GC #{rows.size} invokes.\n#{format("%-5s %19s %20s %20s %20s %30s", *columns)}\n"
    rows.each_with_index do |row, i|
      text << format("%5d %19.3f %20d %20d %20d %30.20f\n", i + 1, row[:GC_INVOKE_TIME], row[:HEAP_USE_SIZE],
                     row[:HEAP_TOTAL_SIZE], row[:HEAP_TOTAL_OBJECTS], row[:GC_TIME] * 1000)
    end
    text
  end

  def self.report(out = $stdout)
    out.write(result)
    nil
  end
end
