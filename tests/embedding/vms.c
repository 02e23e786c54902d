/* Four VMs at once in a program in C: one on its own thread, three on threads that are made for them. */
#include <stdio.h>
#include "ruby/embed.h"

static const char *program =
    "n = Integer(ARGV[0])\n"
    "$mine = n\n"
    "sum = Array.new(4) { |i| Thread.new { (1..5_000).sum { |j| \"#{j}\".size * (i + 1) } } }.sum(&:value)\n"
    "class String; def which = $mine; end\n"
    "GC.start\n"
    "exit(sum == 188_930 && ''.which == n ? n : 99)\n";

int main(void)
{
    ruby_vm_t *vms[4];
    int i, round, status[4];

    for (round = 0; round < 3; round++) {
        for (i = 0; i < 4; i++) {
            char number[2] = { (char)('1' + i), 0 };
            char *words[] = { "asterism", "-e", (char *)program, number };
            vms[i] = ruby_vm_new(4, words);
            if (!vms[i]) return 1;
        }
        for (i = 1; i < 4; i++) if (ruby_vm_start(vms[i])) return 2;
        status[0] = ruby_vm_run(vms[0]);
        for (i = 1; i < 4; i++) status[i] = ruby_vm_join(vms[i]);
        printf("%d %d %d %d, again %d\n", status[0], status[1], status[2], status[3], ruby_vm_run(vms[0]));
        for (i = 0; i < 4; i++) if (ruby_vm_destruct(vms[i]) != i + 1) return 3;
    }
    {
        char *wrong[] = { "asterism", "-Q" };
        if (ruby_vm_new(2, wrong)) return 4;
    }
    return 0;
}
