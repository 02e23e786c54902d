#ifndef RUBY_VERSION_H
#define RUBY_VERSION_H 1
#define RUBY_API_VERSION_MAJOR 4
#define RUBY_API_VERSION_MINOR 0
#define RUBY_API_VERSION_TEENY 0
#define RUBY_API_VERSION_CODE 40000
#ifdef __cplusplus
extern "C" {
#endif
extern const int ruby_api_version[3];
extern const char ruby_version[];
extern const char ruby_platform[];
extern const char ruby_engine[];
extern const int ruby_patchlevel;
#ifdef __cplusplus
}
#endif
#endif
