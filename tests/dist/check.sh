#!/bin/bash
# Tries an installation as a new user would: the commands beside `asterism`, gems, Bundler, irb, scripts.
#
# Usage: tests/dist/check.sh BIN, the folder of the installed commands. Prints "ok" at its end.
set -euo pipefail
bin=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export BUNDLE_SILENCE_ROOT_WARNING=1 HOME="$work/home" GEM_HOME="$work/gems" PATH="$bin:$work/gems/bin:$PATH" LANG=C.UTF-8
unset GEM_PATH RUBYOPT RUBYLIB BUNDLE_GEMFILE
mkdir -p "$HOME"

# Compares what a command prints with what it should.
same() {
  if [ "$2" != "$3" ]; then
    printf '%s: expected\n%s\ngot\n%s\n' "$1" "$2" "$3" >&2
    exit 1
  fi
}

# Looks for a text in what a command prints.
has() {
  case "$3" in
    *"$2"*) ;;
    *)
      printf '%s: expected something with\n%s\ngot\n%s\n' "$1" "$2" "$3" >&2
      exit 1
      ;;
  esac
}

same "the command" 3 "$(asterism -e 'print 1 + 2')"
same "its path" "$bin/asterism" "$(asterism -rrbconfig -e 'print RbConfig.ruby')"
has "the version with its library" "standard library" "$(asterism --version -v)"
same "headers" true "$(asterism -rrbconfig -e 'print File.file?(RbConfig::CONFIG["rubyhdrdir"] + "/ruby.h")')"
same "-S" "$(gem --version)" "$(cd / && env PATH=/usr/bin:/bin "$bin/asterism" -S gem --version)"

# A script of its own, found by its first line.
printf '#!/usr/bin/env asterism\nputs "script #{ARGV.inspect} #{__FILE__ == $0}"\n' >script
chmod +x script
same "a script" 'script ["a"] true' "$(./script a)"

# A gem with a command and a C extension (where there is a compiler), built, installed and used.
mkdir -p hail/lib hail/exe hail/ext/hail_c
cd hail
compiler=$(command -v gcc >/dev/null && command -v make >/dev/null && echo yes || echo no)
cat >hail.gemspec <<GEM
Gem::Specification.new do |s|
  s.name = "hail"
  s.version = "1.2.3"
  s.summary = "hails"
  s.authors = ["nobody"]
  s.files = Dir["lib/*.rb", "ext/**/*.{c,rb}"] + ["exe/hail"]
  s.bindir = "exe"
  s.executables = ["hail"]
  s.extensions = ["ext/hail_c/extconf.rb"] if "$compiler" == "yes"
end
GEM
echo 'module Hail; def self.call(name) = "hail, #{name}"; end' >lib/hail.rb
printf '#!/usr/bin/env ruby\nrequire "hail"\nputs Hail.call(ARGV.first)\n' >exe/hail
echo 'require "mkmf"; create_makefile("hail_c")' >ext/hail_c/extconf.rb
cat >ext/hail_c/hail_c.c <<'C'
#include <ruby.h>
static VALUE twice(VALUE self, VALUE n) { return LONG2NUM(NUM2LONG(n) * 2); }
void Init_hail_c(void) { rb_define_global_function("hail_twice", twice, 1); }
C
gem build --quiet hail.gemspec >/dev/null 2>&1
gem install --local --no-document hail-1.2.3.gem >install.log 2>&1 || { cat install.log >&2; exit 1; }
cd ..
has "gem list" "hail (1.2.3)" "$(gem list --local hail)"
same "an installed command" "hail, you" "$(hail you)"
same "require of a gem" "hail, me" "$(asterism -e 'require "hail"; puts Hail.call("me")')"
if [ "$compiler" = yes ]; then
  same "a C extension" 42 "$(asterism -e 'require "hail_c"; puts hail_twice(21)')"
fi

# Bundler: a Gemfile, what is locked, `bundle exec`, `bundler/setup`.
mkdir project
cd project
printf 'source "https://rubygems.org"\ngem "hail", "~> 1.2"\n' >Gemfile
bundle install --local --quiet
has "the lock file" "hail (1.2.3)" "$(cat Gemfile.lock)"
same "bundle exec" "hail, bundle" "$(bundle exec hail bundle)"
same "bundler/setup" "hail, setup [\"bundler\", \"hail\"]" \
  "$(asterism -e 'require "bundler/setup"; require "hail"; puts "#{Hail.call("setup")} #{Gem.loaded_specs.keys.sort & %w[bundler hail]}"')"
same "Bundler.require" "hail, all" "$(asterism -e 'require "bundler"; Bundler.require; puts Hail.call("all")')"
cd ..

cat >Rakefile <<'RAKE'
task default: :greet
task :greet, [:name] do |_, args| puts "rake #{args.name || "default"}" end
RAKE
same "rake" "rake default" "$(rake)"
same "rake with an argument" "rake x" "$(rake 'greet[x]')"

echo '<% 3.times do |i| %><%= i %>,<% end %>' >page.erb
same "erb" "0,1,2," "$(erb page.erb)"
printf '# Documented.\nclass Rain\n  # Falls.\n  def fall = 1\nend\n' >rain.rb
rdoc --quiet --output doc rain.rb
has "rdoc" "Falls" "$(cat doc/Rain.html)"
rdoc --quiet --ri --output ri rain.rb
has "ri" "Falls" "$(ri --no-standard-docs --doc-dir ri -T Rain#fall)"
# The racc of Ruby 3.1 asks for an option of Regexp.new that Ruby 4.0 no longer has.
if [ "$(asterism -e 'print $LOAD_PATH.last[/[\d.]+\z/] > "3.2"')" = true ]; then
  has "racc" "racc" "$(racc --version)"
fi

# irb, by a file and at a terminal, where a tab completes.
has "irb" 41 "$(printf '40 + 1\n' | irb -f --noreadline 2>&1)"
export TERM=xterm
coproc terminal { timeout 120 script -qefc "irb -f --nocolorize --noautocomplete; echo left with \$?" /dev/null; }
pid=$terminal_PID
input=${terminal[1]}
output=${terminal[0]}
shown=
# Reads what the terminal shows until a text comes.
await() {
  local piece tries=0
  until [[ $shown == *"$1"* ]]; do
    if ! IFS= read -r -t 5 -n 1 -d "" piece <&"$output"; then
      tries=$((tries + 1))
      [ "$tries" -lt 12 ] || { printf 'irb at a terminal: no %s in\n%s\n' "$1" "$shown" >&2; exit 1; }
    fi
    shown+=$piece
    # It asks where the cursor is.
    case "$shown" in *$'\e[6n') printf '\e[1;1R' >&"$input" ;; esac
  done
  shown=
}
await "irb(main):001"
printf 'Comparab' >&"$input"
await 'Comparab'
sleep 1
printf '\t' >&"$input"
await 'Comparable'
printf '.class\r' >&"$input"
await '=> Module'
printf 'exit\r' >&"$input"
await 'left with 0'
# The command `script` may wait for its own input.
kill "$pid" 2>/dev/null || true
wait "$pid" 2>/dev/null || true
echo ok
