// LogTrace: the trace of a run of the leaderless log, collected line by line.
#pragma once

#include <string>

#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "protocol/leaderless_log/leaderless_log_refinement.h"
#include "scenarios/scenario.h"
#include "sim/world/world_event.h"
#include "traces/trace.h"

namespace lockstep::scenarios {

/// A world event as a trace shows it: {"kind":"apply","message":5,"request":"Get(log/state)",...}.
sim::Value WorldEventToValue(const sim::WorldEvent& event);
/// "if log/state = OPEN: Put(log/counter, 4); Create(...)": one line, for people.
std::string RequestToText(const sim::StoreRequest& request);

/// Fills in what a header says of the module: its names, constants, initial state.
void DescribeLogModule(const protocol::leaderless_log::Constants& constants,
                       protocol::leaderless_log::Offset max_offset, traces::Header& header);

/// The header of a run that has ended: by then the constants are complete. `highest` is the
/// greatest offset that the spec's state or the store had an entry at.
traces::Header LogTraceHeader(const RunSpec& spec,
                              const protocol::leaderless_log::Constants& constants,
                              protocol::leaderless_log::Offset highest);

}  // namespace lockstep::scenarios
