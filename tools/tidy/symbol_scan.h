// Looks for banned functions among the undefined symbols of object files.
//
// The source lint sees text; this sees what the compiler made of it, macros and inlined library
// code included. It knows an unordered container by _Prime_rehash_policy, which every one of them
// calls. It cannot see what is all in headers (std::mt19937, a set ordered by addresses): that is
// the source lint's part.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tools {

// The findings in the output of `nm -A -C -u`, one text each:
// `object: symbol: why (use ... instead)`. In the order of the output, without repeats.
[[nodiscard]] std::vector<std::string> FindBannedSymbols(std::string_view nm_output);

// What nm says of an object file or a static library.
//
// REQUIRES: `nm` is the program's path.
// Throws std::runtime_error if nm cannot be run or does not like the file.
[[nodiscard]] std::string UndefinedSymbols(const std::string& nm, const std::string& file);

}  // namespace lockstep::tools
