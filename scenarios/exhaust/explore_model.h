// ExploreModel: what exhaustive search needs to know of a machine and a configuration.
//
// A state travels packed in two words. The search itself knows no protocol: it asks for successors,
// for the properties, and at the end for words to explain itself with. One model serves all
// threads; each thread has its own Expander, which may keep scratch space.
//
// DETERMINISM: nothing here depends on the order in which states are visited.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/value.h"

namespace lockstep::scenarios {

/// A state, injectively packed. Ordered; the order is part of what a counterexample looks like.
using PackedState = std::array<std::uint64_t, 2>;

/// One successor as one disjunct of Next yields it.
struct Successor {
  PackedState state{};
  std::uint32_t action = 0;   ///< the model's code for the action with its parameters
  bool in_constraint = true;  ///< false: generated and checked, neither counted nor expanded
};

/// A property that is checked in every state.
struct InvariantInfo {
  std::string_view name;
};

enum class FairnessKind : std::uint8_t { kNone, kWeak, kStrong };

/// One fairness condition of the module's Spec, for instance SF_vars(AssignOffset(w1)).
struct FairnessCondition {
  std::string name;         ///< "AssignOffset(w1)"
  std::string_view action;  ///< "AssignOffset": what --without-fairness and --weaken name
  FairnessKind kind = FairnessKind::kWeak;
};

/// One instance of a leads-to property, for instance AppendProgress of w1.
struct LeadsToInstance {
  std::string_view property;  ///< "AppendProgress"
  std::string name;           ///< "AppendProgress(w1)"
};

inline constexpr std::uint8_t kNoFairness = 0xff;

class Expander {
 public:
  Expander() = default;
  Expander(const Expander&) = delete;
  Expander& operator=(const Expander&) = delete;
  virtual ~Expander() = default;

  /// Every successor, one entry a disjunct that yields it, in Next's order, duplicates included.
  /// `successors` is cleared first.
  virtual void Expand(const PackedState& state, std::vector<Successor>& successors) = 0;
  /// Bit i: invariant i of ExploreModel::invariants does not hold. At most 64 of them.
  virtual std::uint64_t BrokenInvariants(const PackedState& state) = 0;
  /// Bit i: the left (right) side of leads-to instance i holds. At most 64 instances.
  virtual std::uint64_t LeadsToLeft(const PackedState& state) = 0;
  virtual std::uint64_t LeadsToRight(const PackedState& state) = 0;
  /// Bit i: the "sometimes" property i holds in the state that `action` led to (`before` is the
  /// state before it; equal to `after` for the initial state). At most 64.
  virtual std::uint64_t Sometimes(const PackedState& before, std::uint32_t action,
                                  const PackedState& after) = 0;
};

class ExploreModel {
 public:
  ExploreModel() = default;
  ExploreModel(const ExploreModel&) = delete;
  ExploreModel& operator=(const ExploreModel&) = delete;
  virtual ~ExploreModel() = default;

  [[nodiscard]] virtual std::unique_ptr<Expander> NewExpander() const = 0;
  [[nodiscard]] virtual PackedState Initial() const = 0;

  [[nodiscard]] virtual const std::vector<InvariantInfo>& invariants() const = 0;
  [[nodiscard]] virtual const std::vector<FairnessCondition>& fairness() const = 0;
  [[nodiscard]] virtual const std::vector<LeadsToInstance>& leads_to() const = 0;
  /// Names of the "sometimes" properties.
  [[nodiscard]] virtual const std::vector<std::string_view>& sometimes() const = 0;

  /// The fairness condition (index) of which a step by `action` is a step, or kNoFairness. A step
  /// that changes nothing is a step of none: that is for the caller to see.
  [[nodiscard]] virtual std::uint8_t FairnessOf(std::uint32_t action) const = 0;
  /// Position of the action's name in action_names().
  [[nodiscard]] virtual std::size_t ActionKindOf(std::uint32_t action) const = 0;
  [[nodiscard]] virtual const std::vector<std::string_view>& action_names() const = 0;

  /// "StartAppend(w1) count=2"
  [[nodiscard]] virtual std::string ActionToString(std::uint32_t action) const = 0;
  [[nodiscard]] virtual sim::Value ActionParameters(std::uint32_t action) const = 0;
  /// All variables by their TLA+ names.
  [[nodiscard]] virtual sim::Value StateToValue(const PackedState& state) const = 0;
};

}  // namespace lockstep::scenarios
