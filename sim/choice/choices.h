// Choices: the one source of nondeterminism of a run.
//
// Every decision is a call Choose(kind, bound) and is recorded. A Schedule is that list; following
// it again gives the same run, without any generator. Choosers differ only in how they decide:
// from a seed, from a schedule, by a strategy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::sim {

/// What is being decided. The names (ChoiceKindName) stand in schedule files: never rename one
/// within a format version.
enum class ChoiceKind : std::uint8_t {
  kEvent,          ///< which enabled event happens next
  kWorkload,       ///< what the workload asks for next, and how big
  kFaultSwarm,     ///< which fault kinds are switched on in this run, and how often they fire
  kFaultGap,       ///< after how many opportunities a fault fires next; 0 = never again
  kFaultTarget,    ///< which node, message or session it strikes
  kFaultDuration,  ///< for how long
  kNode,           ///< a decision inside a node (a retry's wait, say)
};
inline constexpr std::size_t kChoiceKinds = 7;

/// "event", "workload", ... ; unique.
std::string_view ChoiceKindName(ChoiceKind kind);

struct Choice {
  ChoiceKind kind = ChoiceKind::kEvent;
  std::uint32_t bound = 0;
  std::uint32_t value = 0;
  friend bool operator==(const Choice&, const Choice&) = default;
};

using Schedule = std::vector<Choice>;

/// What a strategy may know of an enabled event.
struct EventLabel {
  std::uint32_t actor = 0;  ///< the node the event belongs to (its index in the world)
  std::uint8_t kind = 0;    ///< the world's EventKind
};

class Choices {
 public:
  Choices() = default;
  Choices(const Choices&) = delete;
  Choices& operator=(const Choices&) = delete;
  virtual ~Choices() = default;

  /// A value in [at_least, bound), decided and recorded. `at_least` binds generators only: a
  /// followed schedule may hold any value below the bound (0 is how a fault gap says "never").
  /// A decision with one outcome is neither made nor recorded.
  /// REQUIRES: at_least < bound.
  std::uint32_t Choose(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least = 0);

  /// The index of the enabled event that happens next. REQUIRES: enabled is not empty.
  std::uint32_t ChooseEvent(std::span<const EventLabel> enabled);

  /// All decisions so far.
  [[nodiscard]] const Schedule& taken() const { return taken_; }
  [[nodiscard]] Schedule TakeSchedule() { return std::move(taken_); }

 protected:
  virtual std::uint32_t Decide(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) = 0;
  /// Default: Decide(kEvent, enabled.size(), 0).
  virtual std::uint32_t DecideEvent(std::span<const EventLabel> enabled);

 private:
  Schedule taken_;
};

}  // namespace lockstep::sim
