// Source files that need no test of their own beside them, each with the reason.

#pragma once

#include <array>
#include <string_view>

namespace lockstep::tools {

struct Exemption {
  std::string_view file;  // A path, or a folder with '/' at its end.
  std::string_view why;
};

inline constexpr std::string_view kStory =
    "is a scenario, so it is data; tests over the whole catalog run it";

inline constexpr std::array kNoTestBeside{
    Exemption{"scenarios/digests_main.cpp", "is run by tools/determinism, itself a test"},
    Exemption{"scenarios/exhaust/state_edges.cpp", "leads_to_test.cpp tests it through its lassos"},
    Exemption{"scenarios/exhaust/task_sometimes.cpp", "task_explore_model_test.cpp tests it"},
    Exemption{"scenarios/exhaust/task_state_layout.cpp",
              "task_explore_model_test.cpp packs and unpacks every reachable state"},
    Exemption{"scenarios/leaderless_log/canary.cpp", kStory},
    Exemption{"scenarios/leaderless_log/compactor_crashes.cpp", kStory},
    Exemption{"scenarios/leaderless_log/fence_flap.cpp", kStory},
    Exemption{"scenarios/leaderless_log/log_coverage.cpp",
              "is the other half of LogChecker; log_situation_test.cpp tests it"},
    Exemption{"scenarios/leaderless_log/log_faults.cpp", kStory},
    Exemption{"scenarios/leaderless_log/log_medium.cpp", kStory},
    Exemption{"scenarios/leaderless_log/log_small.cpp", kStory},
    Exemption{"scenarios/leaderless_log/readers_during_compaction.cpp", kStory},
    Exemption{"sim/store/naive_store.cpp",
              "is a reference in tests; store_state_machine_test.cpp shows its defects found"},
    Exemption{"sim/store/store_conformance_counters.cpp",
              "is tests; store_conformance_mutants_test.cpp shows that they can fail"},
    Exemption{"sim/store/store_conformance_records.cpp",
              "is tests; store_conformance_mutants_test.cpp shows that they can fail"},
    Exemption{"sim/store/store_conformance_sessions.cpp",
              "is tests; store_conformance_mutants_test.cpp shows that they can fail"},
    Exemption{"sim/store/store_conformance_suite.cpp",
              "is tests; store_conformance_mutants_test.cpp shows that they can fail"},
    Exemption{"sim/store/store_conformance_transactions.cpp",
              "is tests; store_conformance_mutants_test.cpp shows that they can fail"},
    Exemption{"tools/main.cpp", "only parses, dispatches and exits; the contract test runs it"},
    Exemption{"tools/fake_catalog.cpp", "is what the commands' tests run"},
    Exemption{"tools/full_catalog.cpp", "only copies tables; the contract test lists them"},
    Exemption{"tools/interrupt.cpp", "the contract test interrupts a sweep"},
    Exemption{"tools/machine_options.cpp",
              "exhaust_command_test.cpp and walk_command_test.cpp test it"},
    Exemption{"tools/machine_replay.cpp",
              "exhaust_command_test.cpp and walk_command_test.cpp replay what they find"},
    Exemption{"tools/run_report.cpp", "run_command_test.cpp and replay_command_test.cpp read it"},
    Exemption{"tools/subprocess.cpp", "runs the built program for the contract test"},
    Exemption{"tools/sweep_report.cpp", "sweep_command_test.cpp reads it"},
    Exemption{"tools/testing/test_main.cpp", "is the main function of every test"},
    Exemption{"tools/tidy/fixtures/", "is bad on purpose; symbol_scan_test.cpp reads it"},
    Exemption{"tools/tidy/functions.cpp", "tidy_test.cpp tests it through the rule"},
    Exemption{"tools/tidy/source_text.cpp", "tidy_test.cpp tests it through every rule"},
    Exemption{"traces/test_support.cpp", "is part of this layer's tests"},
    Exemption{"tools/benchmarks/", "benchmarks are run, not tested"},
};

}  // namespace lockstep::tools
