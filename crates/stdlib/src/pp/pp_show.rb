# frozen_string_literal: true

# `pp`: the installed library, with hashes shown as `inspect` shows them.
path = $LOAD_PATH.find { |dir| File.file?("#{dir}/pp.rb") }
raise LoadError, "cannot load such file -- pp" unless path
load "#{path}/pp.rb"

class PP
  module PPMethods
    # `load` again has ours there; taken away first, it is not redefined, which would be warned of.
    remove_method :pp_hash if method_defined?(:pp_hash, false)

    def pp_hash(hash)
      group(1, "{", "}") do
        seplist(hash, nil, :each_pair) do |key, value|
          group { pp_hash_pair(key, value) }
        end
      end
    end

    remove_method :pp_hash_pair if method_defined?(:pp_hash_pair, false)

    def pp_hash_pair(key, value)
      if Symbol === key
        text = key.inspect
        text = text.match?(/\A:["a-zA-Z_]/) && !text.end_with?("=") ? text.delete_prefix(":") : key.to_s.inspect
        text "#{text}:"
      else
        pp key
        text " "
        text "=>"
      end
      group(1) do
        breakable
        pp value
      end
    end
  end
end
