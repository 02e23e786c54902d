# frozen_string_literal: true

# What `-n` and `-p` define: the methods of Kernel that change `$_`.
module Asterism
  module Internal
    def self.define_line_methods
      Kernel.module_eval do
        def sub(*args, &block)
          $_ = Asterism::Internal.last_line.sub(*args, &block)
        end

        def gsub(*args, &block)
          $_ = Asterism::Internal.last_line.gsub(*args, &block)
        end

        def chop
          $_ = Asterism::Internal.last_line.chop
        end

        def chomp(*args)
          $_ = Asterism::Internal.last_line.chomp(*args)
        end

        module_function :sub, :gsub, :chop, :chomp
      end
    end

    def self.last_line
      line = $_
      raise TypeError, "$_ value need to be String (#{convert_name(line)} given)" unless Primitive.kind_of(line, String)
      line
    end
  end
end
