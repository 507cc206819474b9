// GoldenDigests: digests of whole traces, written down, so that a compiler, a build type or a
// change that makes a seed mean something else is seen.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::scenarios {

/// A list of runs with every digest computed anew. A line is "SCENARIO SEED MUTANT DIGEST", where
/// "-" is no mutant; empty lines and those that begin with '#' stay as they are. A line that cannot
/// be run is answered by a line that says why, which no list has.
std::string RecomputeDigests(std::string_view list);

}  // namespace lockstep::scenarios
