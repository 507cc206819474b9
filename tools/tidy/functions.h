// Finds function bodies by their braces.
//
// A heuristic, good for formatted code: an opening brace outside any function starts a body if the
// text before it has balanced parentheses and is not a type, a namespace or an initializer. Lambdas
// and local types belong to the function around them.

#pragma once

#include <string>
#include <vector>

#include "tools/tidy/source_text.h"

namespace lockstep::tools {

struct FunctionBody {
  std::string name;
  int first_line = 0;  // The line of the opening brace.
  int last_line = 0;   // The line of the closing brace.
};

[[nodiscard]] std::vector<FunctionBody> FindFunctions(const SourceText& source);

}  // namespace lockstep::tools
