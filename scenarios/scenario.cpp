#include "scenarios/scenario.h"

#include <algorithm>
#include <iterator>

namespace lockstep::scenarios {
namespace {

void AddTo(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
  if (sum.size() < more.size()) sum.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

void Unite(std::vector<std::uint64_t>& set, const std::vector<std::uint64_t>& more) {
  if (more.empty()) return;
  std::vector<std::uint64_t> merged;
  merged.reserve(set.size() + more.size());
  std::set_union(set.begin(), set.end(), more.begin(), more.end(), std::back_inserter(merged));
  set = std::move(merged);
}

}  // namespace

void Coverage::Merge(const Coverage& other) {
  AddTo(actions, other.actions);
  AddTo(reached, other.reached);
  for (std::size_t i = 0; i < faults.size(); ++i) faults[i] += other.faults[i];
  Unite(states, other.states);
  Unite(transitions, other.transitions);
}

RunResult Run(const RunSpec& spec) { return spec.scenario->run(spec); }

}  // namespace lockstep::scenarios
