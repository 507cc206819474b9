#include "sim/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace lockstep::sim {
namespace {

std::string& Context() {
  static thread_local std::string context;
  return context;
}

}  // namespace

void SetCheckContext(std::string context) { Context() = std::move(context); }

void CheckFailed(const char* condition, const char* file, int line, std::string_view detail) {
  std::fprintf(stderr, "lockstep: internal error at %s:%d: CHECK(%s) failed", file, line,
               condition);
  if (!detail.empty()) {
    std::fprintf(stderr, ": %.*s", static_cast<int>(detail.size()), detail.data());
  }
  if (!Context().empty()) std::fprintf(stderr, "\n  while in %s", Context().c_str());
  std::fputc('\n', stderr);
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace lockstep::sim
