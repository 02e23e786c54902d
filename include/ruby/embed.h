/* Ruby in a program in C. What is below rb_... of ruby.h works between ruby_setup and ruby_cleanup, on the thread that called them.
   A program that has several VMs in this way at once defines RUBY_EXTENSION_PER_VM first: rb_cObject and its like are then those of the thread. */
#ifndef RUBY_EMBED_H
#define RUBY_EMBED_H 1
#include "ruby/ruby.h"
#include "ruby/vm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CRuby's. Machine stacks are found without a mark, and the command line needs no care: the first two do nothing. */
#define RUBY_INIT_STACK
#define ruby_sysinit(argc, argv) ((void)(argc), (void)(argv))
#define ruby_init_loadpath() ((void)0)
int ruby_setup(void);
void ruby_init(void);
int ruby_cleanup(int state);
void ruby_finalize(void);
NORETURN(void ruby_stop(int state));
void ruby_set_argv(int argc, char **argv);
/* Options: -I, -r, -e, and a file with its arguments. NULL, and a message, where they are wrong. */
void *ruby_options(int argc, char **argv);
int ruby_executable_node(void *node, int *status);
int ruby_exec_node(void *node);
int ruby_run_node(void *node);

/* VMs that share nothing, any number of them at once: a program each, with options as ruby_options has them. */
ruby_vm_t *ruby_vm_new(int argc, char **argv);
/* Runs it on the calling thread, which has no VM; its exit status, -1 if it was run before. */
int ruby_vm_run(ruby_vm_t *vm);
/* Runs it on a new thread; 0, or -1. */
int ruby_vm_start(ruby_vm_t *vm);
/* Waits until it has ended; its exit status. */
int ruby_vm_join(ruby_vm_t *vm);
/* Waits until it has ended, if it runs, and gives back what is left of it. */
int ruby_vm_destruct(ruby_vm_t *vm);

#ifdef __cplusplus
}
#endif
#endif
