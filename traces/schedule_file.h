// A schedule as a text file that people read, compare and edit.
//
//   {"format":"lockstep-schedule","version":1,"lockstep":"0.1.0","scenario":"log_small",...}
//   # comments stand on lines of their own, or behind a decision
//   event 3 of 7
//   fault_gap 0 of 40   # never
//   end 2
//
// The number behind `end` is that of the decisions, so that a truncated file is noticed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/choice/choices.h"
#include "traces/read_error.h"
#include "traces/trace.h"

namespace lockstep::traces {

struct ScheduleFile {
  std::string lockstep_version;
  std::string scenario;
  std::string seed;
  std::string mutant;  ///< empty = none
  std::int64_t max_steps = 0;
  std::vector<std::string> faults;
  sim::Schedule schedule;
  friend bool operator==(const ScheduleFile&, const ScheduleFile&) = default;
};

/// The schedule of a run, with what is needed to make the run again.
ScheduleFile ScheduleOf(const Trace& trace);

std::string PrintSchedule(const ScheduleFile& file);

/// ParseSchedule(PrintSchedule(s)) == s. `file_name` is only for the error.
std::variant<ScheduleFile, ReadError> ParseSchedule(std::string_view bytes,
                                                    std::string_view file_name);

}  // namespace lockstep::traces
