// The protocols whose machines can be searched, and how to get a model of one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/machine_walk.h"
#include "traces/trace.h"

namespace lockstep::scenarios {

struct LoadedModel {
  std::string protocol;
  std::string config;  ///< what it was called
  std::unique_ptr<ExploreModel> model;
  /// What a trace of this model says of its module; the rest of the header is empty.
  traces::Header header;
  /// The variables in each state of a trace (a quotient's states alone do not tell them all).
  std::function<std::vector<sim::Value>(const StateTrace&)> values;
  /// Moves the machine for random walks; keeps a reference to the model.
  std::function<std::unique_ptr<WalkMachine>()> new_walk_machine;
};

struct ModelRequest {
  std::string protocol;
  std::string config = "small";       ///< a name that ships, or what `text` is called
  std::optional<std::string> text;    ///< the configuration's text, when it is a file
  std::vector<std::string> dialects;  ///< switched on besides those of the configuration
};

/// "leaderless_log", ...
std::span<const std::string_view> ExplorableProtocols();
/// Names of the configurations that ship. REQUIRES: one of ExplorableProtocols().
std::vector<std::string_view> ModelConfigs(std::string_view protocol);

/// Or one line: what was wrong, and what is accepted.
std::variant<LoadedModel, std::string> LoadModel(const ModelRequest& request);

/// The model of a machine's trace, from what its header says.
std::variant<LoadedModel, std::string> ModelOfTrace(const traces::Trace& trace);

}  // namespace lockstep::scenarios
