/* As `create_header` of mkmf writes it. */
#define HAVE_VARIOUS 42
