# concurrent-ruby asks for the engine, and is told that core methods are atomic as CRuby's are.
require "tmpdir"
require "fileutils"
Dir.mktmpdir do |dir|
  ["concurrent/utility", "another_concurrent/utility"].each do |folder|
    FileUtils.mkdir_p("#{dir}/#{folder}")
    name = folder.start_with?("another") ? "Another" : "Concurrent"
    File.write("#{dir}/#{folder}/engine.rb", <<~RUBY)
      module #{name}
        module Utility
          module EngineDetector
            def on_cruby? = RUBY_ENGINE == "ruby"
            def on_jruby? = RUBY_ENGINE == "jruby"
          end
        end
        extend Utility::EngineDetector
      end
    RUBY
  end
  $: << dir
  p require("concurrent/utility/engine"), require("another_concurrent/utility/engine")
  # => true
  # => true
  p [Concurrent.on_cruby?, Concurrent.on_jruby?, Another.on_cruby?]
  # => [true, false, false]
  p $".grep(/utility/).size, RUBY_ENGINE
  # => 2
  # => "asterism"
  load "#{dir}/concurrent/utility/engine.rb"
  p Concurrent.on_cruby?
  # => true
end
begin
  require "concurrent/utility/engine.rbx"
rescue LoadError => e
  puts e.message
end
# => cannot load such file -- concurrent/utility/engine.rbx
