// Trace to bytes: canonical NDJSON, so that equal traces have equal bytes and equal digests.
// README.md has the grammar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/trace.h"

namespace lockstep::traces {

/// The whole file. REQUIRES: every Value that trace.h calls a record is one (or a default Value,
/// which counts as the empty record); no parameter is called "name".
std::string WriteTrace(const Trace& trace);

/// What WriteTrace puts into the footer: "xxh3:<32 hex>".
std::string TraceDigest(const Trace& trace);

/// The digest that stands in the footer of `bytes`, the result of WriteTrace.
std::string_view DigestOfWritten(std::string_view bytes);

/// The lines of the file, each with its line feed. The footer's ends before the digest.
void AppendHeaderLine(std::string& out, const Header& header);
void AppendStepLine(std::string& out, const Step& step);
void AppendScheduleLine(std::string& out, const sim::Schedule& schedule);
void AppendFooterUpToDigest(std::string& out, const Footer& footer, std::int64_t steps);

/// What follows the digest.
inline constexpr std::string_view kFooterEnd = "\"}\n";

/// ["a","b"]
void AppendJsonStrings(std::string& out, const std::vector<std::string>& items);

/// 'e' for kEvent, ...: the letter of a kind in the schedule line.
char ChoiceLetter(sim::ChoiceKind kind);

}  // namespace lockstep::traces
