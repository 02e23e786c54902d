# frozen_string_literal: true

# `cgi/escape`: escaping of HTML and URLs.
class CGI
  module Util; end

  module Escape
    ENTITIES = { "amp" => "&", "lt" => "<", "gt" => ">", "quot" => '"', "apos" => "'" }.freeze
    private_constant :ENTITIES

    def escapeHTML(string)
      string = string.to_str
      return super unless string.encoding.ascii_compatible?
      Primitive.html_escape(string) || String.new(string, encoding: string.encoding)
    end

    def unescapeHTML(string)
      string = string.to_str
      return super unless string.encoding.ascii_compatible?
      return string.dup unless string.include?("&")
      encoding = string.encoding
      wide = encoding == Encoding::UTF_8 || encoding == Encoding::UTF_16BE || encoding == Encoding::UTF_16LE
      limit = wide ? 0x10ffff : encoding == Encoding::ISO_8859_1 ? 255 : 127
      string.gsub(/&(apos|amp|quot|gt|lt|\#[0-9]+|\#[xX][0-9A-Fa-f]+);/n) do
        whole = $&
        name = $1
        if name.start_with?("#")
          code = name.match?(/\A#[xX]/) ? name[2..].hex : name[1..].to_i
          code <= limit && !(0xd800..0xdfff).cover?(code) ? code.chr(encoding) : whole
        else
          ENTITIES[name].encode(encoding)
        end
      end
    end

    def escape(string) = Primitive.url_escape(string.to_str, true)

    def unescape(string, encoding = Encoding::UTF_8)
      text = Primitive.url_unescape(string.to_str, true).force_encoding(encoding)
      text.valid_encoding? ? text : text.force_encoding(string.encoding)
    end

    def escapeURIComponent(string) = Primitive.url_escape(string.to_str, false)
    alias escape_uri_component escapeURIComponent

    def unescapeURIComponent(string, encoding = Encoding::UTF_8)
      text = Primitive.url_unescape(string.to_str, false).force_encoding(encoding)
      text.valid_encoding? ? text : text.force_encoding(string.encoding)
    end
    alias unescape_uri_component unescapeURIComponent

    alias escape_html escapeHTML
    alias unescape_html unescapeHTML
    alias h escapeHTML
  end

  module Util
    prepend Escape
  end

  extend Escape
end
