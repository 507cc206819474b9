// Which layer may include which, as data. The lint reads it; tools/cmake/Layer.cmake holds the same
// arrows for the linker, and a test compares the two.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lockstep::tools {

// A set of layers, one bit each.
using Layers = std::uint32_t;

inline constexpr Layers kSim = 1U << 0U;
inline constexpr Layers kProtocol = 1U << 1U;
inline constexpr Layers kInvariants = 1U << 2U;
inline constexpr Layers kTraces = 1U << 3U;
inline constexpr Layers kScenarios = 1U << 4U;
inline constexpr Layers kTools = 1U << 5U;

// Where a run is decided: everything there must follow from the seed.
inline constexpr Layers kDecided = kSim | kProtocol | kInvariants | kScenarios;
inline constexpr Layers kBelowTools = kDecided | kTraces;
inline constexpr Layers kEverywhere = kBelowTools | kTools;

struct LayerRow {
  std::string_view name;
  Layers layer;
  Layers may_include;  // Besides itself.
};

inline constexpr std::array kLayerTable{
    LayerRow{"sim", kSim, 0},
    LayerRow{"protocol", kProtocol, kSim},
    LayerRow{"invariants", kInvariants, kProtocol | kSim},
    LayerRow{"traces", kTraces, kProtocol | kSim},
    LayerRow{"scenarios", kScenarios, kInvariants | kTraces | kProtocol | kSim},
    LayerRow{"tools", kTools, kBelowTools},
};

// Inside sim a folder includes only folders to its left. A file directly in sim/ stands at the
// right end.
inline constexpr std::array<std::string_view, 9> kSimOrder{
    "base", "random", "choice", "time", "history", "fault", "fiber", "store", "world"};

// Third-party headers that are not for everybody: include prefix, and the folders that may.
struct ThirdPartyRow {
  std::string_view prefix;
  std::array<std::string_view, 4> folders;
};

inline constexpr std::array kThirdPartyTable{
    ThirdPartyRow{"boost/", {"sim/fiber/"}},
    ThirdPartyRow{"nlohmann/", {"traces/", "scenarios/", "tools/"}},
    ThirdPartyRow{"CLI/", {"tools/"}},
    ThirdPartyRow{"benchmark/", {"tools/benchmarks/"}},
};

// The row of a layer by its folder's name; nullptr for any other name.
[[nodiscard]] constexpr const LayerRow* FindLayer(std::string_view name) {
  for (const LayerRow& row : kLayerTable) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace lockstep::tools
