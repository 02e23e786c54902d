# Markdown to HTML: blocks line by line, then spans with regular expressions.
class Markdown
  ESCAPES = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;" }.freeze

  def initialize(text)
    @lines = text.lines.map(&:chomp)
    @at = 0
  end

  def to_html
    out = []
    out << block until done?
    out.compact.join("\n")
  end

  private

  def done? = @at >= @lines.size
  def line = @lines[@at]

  def take
    @at += 1
    @lines[@at - 1]
  end

  def block
    case line
    when /\A\s*\z/
      take
      nil
    when /\A(\#{1,6})\s+(.*?)\s*#*\z/
      take
      level = $1.size
      "<h#{level}>#{span($2)}</h#{level}>"
    when /\A```(\w*)/ then fenced($1)
    when /\A( {4}|\t)/ then indented
    when /\A>\s?/ then quote
    when /\A([-*])\s+/ then list("ul", /\A[-*]\s+/)
    when /\A\d+\.\s+/ then list("ol", /\A\d+\.\s+/)
    when /\A(?:-{3,}|\*{3,})\z/
      take
      "<hr>"
    when /\A\|.*\|\z/ then table
    else paragraph
    end
  end

  def fenced(language)
    take
    code = []
    code << take until done? || line.start_with?("```")
    take
    attribute = language.empty? ? "" : %( class="language-#{language}")
    "<pre><code#{attribute}>#{escape(code.join("\n"))}\n</code></pre>"
  end

  def indented
    code = []
    code << take.sub(/\A(?: {4}|\t)/, "") while !done? && line =~ /\A(?: {4}|\t)/
    "<pre><code>#{escape(code.join("\n"))}\n</code></pre>"
  end

  def quote
    inner = []
    inner << take.sub(/\A>\s?/, "") while !done? && line.start_with?(">")
    "<blockquote>\n#{Markdown.new(inner.join("\n")).to_html}\n</blockquote>"
  end

  def list(tag, marker)
    items = []
    while !done? && (line =~ marker || line =~ /\A\s+\S/)
      if line =~ marker
        items << take.sub(marker, "")
      else
        items.last << " " << take.strip
      end
    end
    "<#{tag}>\n#{items.map { |item| "<li>#{span(item)}</li>" }.join("\n")}\n</#{tag}>"
  end

  def table
    rows = []
    rows << take.split("|").map(&:strip).reject(&:empty?) while !done? && line.start_with?("|")
    head, _rule, *body = rows
    html = +"<table>\n<tr>#{head.map { |c| "<th>#{span(c)}</th>" }.join}</tr>\n"
    body.each { |row| html << "<tr>" << row.map { |c| "<td>#{span(c)}</td>" }.join << "</tr>\n" }
    html << "</table>"
  end

  def paragraph
    text = [take]
    text << take until done? || line =~ /\A\s*\z/ || line =~ /\A(?:#|>|```|[-*]\s|\d+\.\s|\|)/
    "<p>#{span(text.join("\n"))}</p>"
  end

  def escape(text) = text.gsub(/[&<>"]/, ESCAPES)

  def span(text)
    codes = []
    text = text.gsub(/`([^`]+)`/) do
      codes << $1
      "\0#{codes.size - 1}\0"
    end
    text = escape(text)
    text = text.gsub(/!\[([^\]]*)\]\(([^)\s]+)\)/, '<img src="\2" alt="\1">')
    text = text.gsub(/\[([^\]]+)\]\(([^)\s]+)\)/) { %(<a href="#{$2}">#{$1}</a>) }
    text = text.gsub(/\*\*(.+?)\*\*/, '<strong>\1</strong>')
    text = text.gsub(/(?<!\w)_(.+?)_(?!\w)|\*(.+?)\*/) { "<em>#{$1 || $2}</em>" }
    text = text.gsub(/(?<![">])(https?:\/\/[^\s<]+)/) { %(<a href="#{$1}">#{$1}</a>) }
    text.gsub(/\0(\d+)\0/) { "<code>#{escape(codes[$1.to_i])}</code>" }
  end
end

SAMPLE = <<~TEXT
  # A title with *emphasis* and `code`

  A paragraph with **strong words**, a [link](http://example.org/a?b=1&c=2), an
  ![image](pic.png) and a bare https://example.com/x that ends here. 5 < 6 & 7 > 3.

  ## Lists

  - first item with _underscored_ text
  - second item
    that goes on
  - third `a < b` item

  1. one
  2. two
  3. three

  > A quotation with **strong** text
  > over two lines.
  >
  > ### And a heading

  ```ruby
  def hello(name)
    puts "Hello, \#{name} <" + '>'
  end
  ```

  | name | value |
  |------|-------|
  | one  | *1*   |
  | two  | `2`   |

      indented code
      with "quotes"

  ---

  The end of section
TEXT

digest = 0
size = 0
html = ""
2600.times do |i|
  html = Markdown.new("#{SAMPLE} #{i}.\n").to_html
  size += html.size
  digest = html.each_byte.with_index.inject(digest) { |d, (b, _)| (d * 31 + b) & 0xffffffff } if (i % 200).zero?
end
puts html
puts size
puts digest
