# Runs one file of ruby/spec under mspec and writes what happens, a line an event, to a report.
#
# The file is the only argument. The environment names the rest: ASTERISM_SPEC_MSPEC (the checkout of mspec),
# ASTERISM_SPEC_REPORT (the file to write) and ASTERISM_SPEC_ONLY (when not empty, a text that the descriptions of the
# examples to run contain).
#
# An event is a word, a tab and a text in which a backslash, newlines and tabs are escaped:
#   begin DESCRIPTION    an example starts
#   failure MESSAGE      it did not meet an expectation
#   error MESSAGE        it raised something else
#   skip                 it asked not to be run
#   end                  it is over
#   outside LOCATION     an exception outside all examples; a failure or error line follows
#   done                 the file was run to its end

mspec = ENV.delete("ASTERISM_SPEC_MSPEC")
report = ENV.delete("ASTERISM_SPEC_REPORT")
only = ENV.delete("ASTERISM_SPEC_ONLY")

$LOAD_PATH.unshift "#{mspec}/lib"
require "mspec/commands/mspec-run"

# What mspec calls a formatter: it is told of everything that happens.
class AsterismReport
  class << self
    attr_accessor :path
  end

  def initialize(_out)
    @file = File.open(AsterismReport.path, "ab")
    @file.sync = true
    @owner = Process.pid
    @inside = false
  end

  def register
    [:before, :exception, :after, :finish].each { |event| MSpec.register(event, self) }
  end

  def before(state)
    @inside = true
    @skips = MSpec.skips.size
    event("begin", state.description)
  end

  def exception(state)
    event("outside", state.description.lines.first.to_s.chomp) unless @inside
    event(state.failure? ? "failure" : "error", "#{state.message}\n#{state.backtrace.to_s.lines.first(4).join}")
  end

  def after(_state)
    event("skip", "") if MSpec.skips.size > @skips
    event("end", "")
    @inside = false
  end

  def finish
    event("done", "")
  end

  private

  # A forked child that goes on through the example must not report it a second time.
  def event(word, text)
    return unless Process.pid == @owner
    text = text.to_s.dup.force_encoding(Encoding::BINARY)
    text = text.gsub("\\") { "\\\\" }.gsub("\n", "\\n").gsub("\t", "\\t")
    @file.write("#{word}\t".b + text + "\n".b)
  end
end

AsterismReport.path = report
script = MSpecRun.new
script.load_default
script.config[:formatter] = AsterismReport
script.config[:includes] << only unless only.to_s.empty?
script.options(ARGV)
script.register
script.setup_env
require "mspec"

# mspec knows the edges of immediate integers of the implementations it knows by name.
def fixnum_max = (2**62) - 1
def fixnum_min = -(2**62)

script.run
