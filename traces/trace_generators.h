// RapidCheck generators of everything a trace is made of, for the tests of this layer.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "traces/schedule_file.h"
#include "traces/test_support.h"
#include "traces/trace.h"

namespace lockstep::traces {

/// Text with what is hard for JSON: quotes, controls, backslashes, letters beyond ASCII.
inline rc::Gen<std::string> TextGen() {
  const auto piece = rc::gen::element<std::string>("a", "Z", "0", " ", "\"", "\\", "/", "\n", "\r",
                                                   "\t", "\x01", "\x7f", "\xc3\xa9", "\xe2\x82\xac",
                                                   "\xf0\x9f\x90\x99", "#", "<");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& one : pieces) text.append(one);
                        return text;
                      });
}

/// A field name: any text, save that '#' in front is reserved.
inline rc::Gen<std::string> NameGen() {
  return rc::gen::map(TextGen(), [](std::string text) {
    if (text.starts_with('#') || text == "name") text.insert(text.begin(), '_');
    return text;
  });
}

inline rc::Gen<sim::Value> ValueGen(int depth);

inline rc::Gen<sim::Value> RecordGen(int depth) {
  const auto field = rc::gen::pair(NameGen(), ValueGen(depth - 1));
  using Fields = std::vector<std::pair<std::string, sim::Value>>;
  return rc::gen::map(rc::gen::scale(0.3, rc::gen::container<Fields>(field)), [](Fields fields) {
    Fields unique;
    for (auto& [name, value] : fields) {
      const bool taken = std::any_of(
          unique.begin(), unique.end(),
          [&taken_name = name](const auto& other) { return other.first == taken_name; });
      if (!taken) unique.emplace_back(std::move(name), std::move(value));
    }
    return sim::Value::RecordOf(std::move(unique));
  });
}

inline rc::Gen<sim::Value> ValueGen(int depth) {
  using sim::Value;
  const auto scalar = rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<bool>(), &Value::Bool),
                                     rc::gen::map(rc::gen::arbitrary<std::int64_t>(), &Value::Int),
                                     rc::gen::map(TextGen(), &Value::String));
  if (depth <= 0) return scalar;
  const auto items =
      rc::gen::scale(0.3, rc::gen::container<std::vector<Value>>(ValueGen(depth - 1)));
  return rc::gen::oneOf(scalar, rc::gen::map(items, &Value::SeqOf),
                        rc::gen::map(items, &Value::SetOf), RecordGen(depth));
}

inline rc::Gen<std::vector<std::string>> TextsGen() {
  return rc::gen::scale(0.2, rc::gen::container<std::vector<std::string>>(TextGen()));
}

inline rc::Gen<sim::Schedule> ScheduleGen() {
  return rc::gen::container<sim::Schedule>(rc::gen::exec([] {
    const auto bound = *rc::gen::suchThat<std::uint32_t>([](std::uint32_t n) { return n >= 2; });
    return sim::Choice{
        static_cast<sim::ChoiceKind>(*rc::gen::inRange<int>(0, int{sim::kChoiceKinds})), bound,
        *rc::gen::inRange<std::uint32_t>(0, bound)};
  }));
}

inline rc::Gen<Header> HeaderGen() {
  return rc::gen::exec([] {
    Header header;
    for (std::string* text :
         {&header.lockstep_version, &header.scenario, &header.seed, &header.mutant,
          &header.strategy, &header.spec, &header.tla_module, &header.tla_next, &header.tla_init}) {
      *text = *TextGen();
    }
    header.max_steps = *rc::gen::nonNegative<std::int64_t>();
    header.faults = *TextsGen();
    header.dialect = *TextsGen();
    header.invariants = *TextsGen();
    header.actions = {{*TextGen(), *TextsGen(), *TextGen()}};
    header.constants = *RecordGen(2);
    header.initial = *RecordGen(2);
    return header;
  });
}

inline rc::Gen<Step> StepGen() {
  return rc::gen::exec([] {
    Step step;
    step.time = *rc::gen::nonNegative<std::int64_t>();
    step.node = *TextGen();
    step.event = Record({{"kind", Text(*TextGen())}, {"what", *ValueGen(1)}});
    step.parameters = Record({});
    step.changed = Record({});
    if (*rc::gen::arbitrary<bool>()) {
      step.action = *TextGen();
      step.parameters = *RecordGen(1);
      step.changed = *RecordGen(2);
    }
    return step;
  });
}

inline rc::Gen<Trace> TraceGen() {
  return rc::gen::exec([] {
    Trace trace;
    trace.header = *HeaderGen();
    trace.steps = *rc::gen::scale(0.2, rc::gen::container<std::vector<Step>>(StepGen()));
    std::int64_t number = 0;
    for (Step& step : trace.steps) step.number = ++number;
    trace.schedule = *ScheduleGen();
    trace.footer.verdict = *rc::gen::element<std::string>("holds", "violated", "inconclusive");
    if (trace.footer.verdict != "violated") return trace;
    ViolationRecord violation;
    violation.property = *TextGen();
    violation.kind =
        *rc::gen::element<std::string>("safety", "liveness", "conformance", "nondeterminism");
    violation.step = *rc::gen::inRange<std::int64_t>(0, number + 1);
    violation.action = *TextGen();
    violation.message = *TextGen();
    violation.expected = *ValueGen(2);
    violation.actual = *ValueGen(2);
    violation.enabled = *TextsGen();
    violation.observed = *RecordGen(2);
    trace.footer.violation = violation;
    return trace;
  });
}

}  // namespace lockstep::traces
