# `cgi/escape` in encodings that do not know ASCII, and of single elements.
require "cgi/escape"

%w[UTF-16LE UTF-16BE UTF-32LE ISO-2022-JP].each do |name|
  plain, escaped = "'&\"><".encode(name), "&#39;&amp;&quot;&gt;&lt;".encode(name)
  p CGI.escapeHTML(plain) == escaped && CGI.unescapeHTML(escaped) == plain # => true
  # => true
  # => true
  # => true
end
puts CGI.escapeElement('<BR><A HREF="url"></A>', "A", "IMG") # => <BR>&lt;A HREF=&quot;url&quot;&gt;&lt;/A&gt;
puts CGI.unescapeElement(CGI.escapeHTML('<BR><A HREF="url"></A>'), ["A", "IMG"]) # => &lt;BR&gt;<A HREF="url"></A>
puts CGI.escape_element("<A>") # => <A>
