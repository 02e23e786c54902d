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
# What is no text of its encoding stays as it is; the encoding's own characters are made.
p CGI.unescapeHTML("\xFF&amp;&#233;&#x3042;&#xD800;") # => "\xFF&éあ&#xD800;"
p CGI.unescapeHTML("é&#233;".encode("ISO-8859-1")).bytes # => [233, 233]
%i[escapeHTML unescapeHTML escape unescape escapeURIComponent unescapeURIComponent].each do |name|
  CGI.public_send(name, nil)
rescue TypeError => e
  puts e.message # => no implicit conversion of nil into String
  # => no implicit conversion of nil into String
  # => no implicit conversion of nil into String
  # => no implicit conversion of nil into String
  # => no implicit conversion of nil into String
  # => no implicit conversion of nil into String
end
