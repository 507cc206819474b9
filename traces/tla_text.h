// Values and names as TLA+ and as what TLC reads, so that nothing in a trace can be taken for TLA+.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/value.h"

namespace lockstep::traces {

/// A name that an exporter may write as it is: a letter, then letters, digits and _, no reserved
/// word, not beginning with "Replay" in any case (those are the exporter's own).
bool IsTlaName(std::string_view name);

/// Why TLC cannot hold `value`, or nothing: its integers have 32 bits, and a string must be
/// printable ASCII, because what a TLA+ tool makes of other bytes depends on the machine.
std::optional<std::string> WhyNotForTlc(const sim::Value& value);

/// JSON that TLC's Json module turns into the value, except that a set comes out as a sequence
/// (tla_shape.h turns it back). REQUIRES: WhyNotForTlc(value) is nothing.
void AppendTlcJson(std::string& out, const sim::Value& value);

/// The value as a .cfg can write it, or nothing if it cannot. A .cfg has numbers, strings, booleans
/// and sets of them.
std::optional<std::string> AsCfgText(const sim::Value& value);

/// Why `value` cannot be written into a module, or nothing: a field name that is no TLA+ name.
std::optional<std::string> WhyNotInModule(const sim::Value& value);

/// `text` for a comment: letters, digits and a few signs; anything else becomes '?'.
std::string CommentText(std::string_view text);

}  // namespace lockstep::traces
