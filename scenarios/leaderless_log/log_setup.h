// LogSetup: a scenario of the leaderless log as data, and the nodes that play in it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "protocol/leaderless_log/compactor_node.h"
#include "protocol/leaderless_log/fencer_node.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "protocol/leaderless_log/reader_node.h"
#include "protocol/leaderless_log/writer_node.h"
#include "sim/fault/fault.h"
#include "sim/world/world.h"

namespace lockstep::scenarios {

/// Nodes of one role: how many, and how much each of them does.
struct Role {
  std::uint32_t nodes = 0;
  std::uint32_t operations = 0;  ///< of this role's own kind, a node, over all its incarnations
};

struct LogSetup {
  protocol::leaderless_log::Constants constants;  ///< without writers: they come from the roles
  protocol::leaderless_log::CompactionPolicy compaction;
  Role writers;  ///< append; and read `reads_by_writers` times each
  std::uint32_t reads_by_writers = 0;
  Role readers;                        ///< read only
  Role compactors;                     ///< operations = rounds a node tries at most
  Role fencers;                        ///< operations = fences, each followed by an unfence
  bool fresh_identities = true;        ///< false: the module's Writers are exactly the nodes
  std::uint32_t fence_ticks_max = 60;  ///< how long a fence stays, and the time between two
  sim::WorldOptions world;
  std::int64_t heal_steps_max = 20000;
  /// Count the distinct spec states. Only where there are finitely many: a bounded log and fixed
  /// identities; otherwise nothing is collected.
  bool collect_states = false;
  [[nodiscard]] bool CollectsStates() const {
    return collect_states && !fresh_identities &&
           constants.max_offset != protocol::leaderless_log::kUnboundedOffset;
  }
};

/// How nodes are made. The correct ones by default; a mutant replaces one of them.
struct LogNodes {
  std::function<std::unique_ptr<protocol::leaderless_log::WriterNode>(
      sim::NodeApi&, protocol::leaderless_log::Offset)>
      writer;
  std::function<std::unique_ptr<protocol::leaderless_log::ReaderNode>(sim::NodeApi&)> reader;
  std::function<std::unique_ptr<protocol::leaderless_log::CompactorNode>(
      sim::NodeApi&, const protocol::leaderless_log::CompactionPolicy&)>
      compactor;
  std::function<std::unique_ptr<protocol::leaderless_log::FencerNode>(sim::NodeApi&)> fencer;
};
LogNodes CorrectLogNodes();

}  // namespace lockstep::scenarios
