require "mkmf"
create_makefile "speed"
