# frozen_string_literal: true

# `cgi/escape`: escaping of HTML and URLs.
class CGI
  module Util; end

  module Escape
    ENTITIES = { "amp" => "&", "lt" => "<", "gt" => ">", "quot" => '"', "apos" => "'" }.freeze
    private_constant :ENTITIES

    def escapeHTML(string)
      string = Asterism::Internal.to_str(string)
      return __in_utf8(string) { |text| escapeHTML(text) } unless string.encoding.ascii_compatible?
      Primitive.html_escape(string) || String.new(string, encoding: string.encoding)
    end

    def unescapeHTML(string)
      string = Asterism::Internal.to_str(string)
      return __in_utf8(string) { |text| unescapeHTML(text) } unless string.encoding.ascii_compatible?
      return string.dup unless string.include?("&")
      encoding = string.encoding
      wide = encoding == Encoding::UTF_8 || encoding == Encoding::UTF_16BE || encoding == Encoding::UTF_16LE
      limit = wide ? 0x10ffff : encoding == Encoding::ISO_8859_1 ? 255 : 127
      # Bytes, since they need not be characters.
      bytes = string.b.gsub(/&(apos|amp|quot|gt|lt|\#[0-9]+|\#[xX][0-9A-Fa-f]+);/n) do
        whole = $&
        name = $1
        if name.start_with?("#")
          code = name.match?(/\A#[xX]/) ? name[2..].hex : name[1..].to_i
          code <= limit && !(0xd800..0xdfff).cover?(code) ? code.chr(encoding).b : whole
        else
          ENTITIES[name].b
        end
      end
      bytes.force_encoding(encoding)
    end

    def escape(string) = Primitive.url_escape(Asterism::Internal.to_str(string), true)

    def unescape(string, encoding = Encoding::UTF_8)
      text = Primitive.url_unescape(Asterism::Internal.to_str(string), true).force_encoding(encoding)
      text.valid_encoding? ? text : text.force_encoding(string.encoding)
    end

    def escapeURIComponent(string) = Primitive.url_escape(Asterism::Internal.to_str(string), false)
    alias escape_uri_component escapeURIComponent

    def unescapeURIComponent(string, encoding = Encoding::UTF_8)
      text = Primitive.url_unescape(Asterism::Internal.to_str(string), false).force_encoding(encoding)
      text.valid_encoding? ? text : text.force_encoding(string.encoding)
    end
    alias unescape_uri_component unescapeURIComponent

    # Escapes the tags of these elements only, which are Strings or patterns.
    def escapeElement(string, *elements)
      names = elements.flatten
      return string if names.empty?
      string.gsub(%r{</?(?:#{names.join("|")})\b[^<>]*+>?}im) { escapeHTML($&) }
    end
    alias escape_element escapeElement

    # What `escapeElement` has escaped as it was before.
    def unescapeElement(string, *elements)
      names = elements.flatten
      return string if names.empty?
      tag = %r{&lt;/?(?:#{names.join("|")})\b(?>[^&]+|&(?![gl]t;)\w+;)*(?:&gt;)?}im
      string.gsub(tag) { unescapeHTML($&) }
    end
    alias unescape_element unescapeElement

    # What a block makes of a text in an encoding that does not know ASCII, in that encoding.
    def __in_utf8(string)
      yield(string.encode(Encoding::UTF_8)).encode(string.encoding)
    end
    private :__in_utf8

    alias escape_html escapeHTML
    alias unescape_html unescapeHTML
    alias h escapeHTML
  end

  module Util
    prepend Escape
  end

  extend Escape
end
