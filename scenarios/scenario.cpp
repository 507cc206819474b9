#include "scenarios/scenario.h"

#include <algorithm>
#include <iterator>

namespace lockstep::scenarios {
namespace {

void AddTo(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
  if (sum.size() < more.size()) sum.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

}  // namespace

void Coverage::Merge(const Coverage& other) {
  AddTo(actions, other.actions);
  AddTo(reached, other.reached);
  for (std::size_t i = 0; i < faults.size(); ++i) faults[i] += other.faults[i];
  std::vector<std::uint64_t> merged;
  merged.reserve(states.size() + other.states.size());
  std::set_union(states.begin(), states.end(), other.states.begin(), other.states.end(),
                 std::back_inserter(merged));
  states = std::move(merged);
}

RunResult Run(const RunSpec& spec) { return spec.scenario->run(spec); }

}  // namespace lockstep::scenarios
