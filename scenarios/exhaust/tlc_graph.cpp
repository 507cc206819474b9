#include "scenarios/exhaust/tlc_graph.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "protocol/leaderless_log/leaderless_log_module.h"
#include "sim/base/check.h"
#include "sim/base/value.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Action;
using protocol::leaderless_log::ActionKind;
using protocol::leaderless_log::Dialect;

constexpr std::string_view kLabel = "[label=\"";
constexpr std::string_view kArrow = " -> ";
constexpr std::string_view kConjunct = "/\\ ";

/// The text of a label that begins at `text`, up to its closing quote.
std::optional<std::string> Unquoted(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return out;
    const bool escaped = text[i] == '\\';
    if (escaped && ++i == text.size()) break;
    out.push_back(escaped && text[i] == 'n' ? '\n' : text[i]);
  }
  return std::nullopt;
}

/// `/\ a = 1` on one or several lines becomes `a=1`; all of them, sorted, a line each. White space
/// outside of strings is left out, because TLC breaks long values into lines.
std::string Canonical(std::string_view text) {
  std::vector<std::string> variables;
  bool in_string = false;
  while (!text.empty()) {
    if (!in_string && text.starts_with(kConjunct)) {
      variables.emplace_back();
      text.remove_prefix(kConjunct.size());
      continue;
    }
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"') in_string = !in_string;
    const bool is_space = c == ' ' || c == '\n';
    if (!variables.empty() && (in_string || !is_space)) variables.back().push_back(c);
  }
  std::sort(variables.begin(), variables.end());
  std::string out;
  for (const std::string& variable : variables) out.append(variable).append("\n");
  return out;
}

std::string StateText(const sim::Value& state) {
  std::string text;
  for (const auto& [name, value] : state.AsFields()) {
    text.append(kConjunct).append(name).append(" = ").append(value.ToTla()).append("\n");
  }
  return Canonical(text);
}

bool IsNodeId(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Node lines `ID [label="..."` and edge lines `ID -> ID [label="..."`; others are about looks.
class DotReader {
 public:
  std::optional<std::string> Line(std::string_view line) {
    const std::size_t at = line.find(kLabel);
    if (at == line.npos) return std::nullopt;
    std::string_view head = line.substr(0, at);
    while (head.ends_with(' ')) head.remove_suffix(1);
    const std::size_t arrow = head.find(kArrow);
    const std::string_view from = head.substr(0, arrow);
    if (!IsNodeId(from)) return std::nullopt;
    const auto label = Unquoted(line.substr(at + kLabel.size()));
    if (!label) return "a label without an end: " + std::string(line.substr(0, 80));
    if (arrow == head.npos) {
      nodes_.emplace(from, Canonical(*label));
    } else {
      edges_.push_back(
          {std::string(from), *label, std::string(head.substr(arrow + kArrow.size()))});
    }
    return std::nullopt;
  }

  std::variant<TlcGraph, std::string> Take() {
    TlcGraph graph;
    for (const auto& [id, text] : nodes_) graph.states.push_back(text);
    std::sort(graph.states.begin(), graph.states.end());
    if (std::adjacent_find(graph.states.begin(), graph.states.end()) != graph.states.end()) {
      return "two nodes with the same state";
    }
    std::map<std::string_view, std::uint32_t> position;
    for (const auto& [id, text] : nodes_) {
      const auto at = std::lower_bound(graph.states.begin(), graph.states.end(), text);
      position[id] = static_cast<std::uint32_t>(at - graph.states.begin());
    }
    for (const NamedEdge& edge : edges_) {
      const auto from = position.find(edge.from);
      const auto to = position.find(edge.to);
      if (from == position.end() || to == position.end()) {
        return "an edge between nodes that are not there: " + edge.from + " -> " + edge.to;
      }
      graph.edges.push_back({from->second, edge.action, to->second});
    }
    std::sort(graph.edges.begin(), graph.edges.end());
    return graph;
  }

 private:
  struct NamedEdge {
    std::string from;
    std::string action;
    std::string to;
  };
  std::map<std::string, std::string, std::less<>> nodes_;
  std::vector<NamedEdge> edges_;
};

}  // namespace

std::variant<TlcGraph, std::string> ReadTlcDot(std::string_view dot) {
  if (!dot.starts_with("strict digraph")) return "not a graph that TLC dumped";
  DotReader reader;
  while (!dot.empty()) {
    const std::size_t end = std::min(dot.find('\n'), dot.size());
    if (auto problem = reader.Line(dot.substr(0, end))) return std::move(*problem);
    dot.remove_prefix(std::min(end + 1, dot.size()));
  }
  return reader.Take();
}

TlcActionLabel TlcLabelsOf(const LogExploreModel& model) {
  return [&model](std::uint32_t code) {
    const Action action = LogExploreModel::ActionOf(code);
    const Dialect& dialect = model.config().constants.dialect;
    std::string label(OperatorName(dialect, action.kind));
    // There the disjunct is `Resume /\ CompactResume`: TLC names the operator around it.
    const bool nameless = dialect.end_boundary_guard && !dialect.rounds;
    if (action.kind == ActionKind::CompactResume && nameless) label = NextName(dialect);
    const sim::Value parameters = model.ActionParameters(code);
    std::string values;
    for (const std::string_view name : OperatorParameters(action.kind)) {
      const sim::Value* value = parameters.Find(name);
      LOCKSTEP_CHECK(value != nullptr);
      values.append(values.empty() ? "" : ",").append(value->ToTla());
    }
    return values.empty() ? label : label + "(" + values + ")";
  };
}

TlcGraph ToTlcGraph(const ExploreModel& model, const StateGraph& graph,
                    const TlcActionLabel& label) {
  TlcGraph out;
  std::vector<std::string> by_node;
  for (const StateGraph::Node& node : graph.nodes) {
    by_node.push_back(StateText(model.StateToValue(node.state)));
  }
  out.states = by_node;
  std::sort(out.states.begin(), out.states.end());
  const auto position = [&](std::uint32_t node) {
    LOCKSTEP_CHECK_MSG(node != kNoState, "a graph with a constraint");
    const auto at = std::lower_bound(out.states.begin(), out.states.end(), by_node[node]);
    return static_cast<std::uint32_t>(at - out.states.begin());
  };
  for (const StateGraph::Edge& edge : graph.edges) {
    out.edges.push_back({position(edge.from), label(edge.action), position(edge.to)});
  }
  std::sort(out.edges.begin(), out.edges.end());
  return out;
}

std::optional<std::string> Difference(const TlcGraph& ours, const TlcGraph& theirs) {
  std::vector<std::string> only;
  const auto subtract = [&only](const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
    only.clear();
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
    return !only.empty();
  };
  if (subtract(ours.states, theirs.states)) return "only ours is the state\n" + only.front();
  if (subtract(theirs.states, ours.states)) return "only TLC's is the state\n" + only.front();

  std::vector<TlcGraph::Edge> edges;
  const auto describe = [&](const char* whose) {
    const TlcGraph::Edge& edge = edges.front();
    return std::string("only ") + whose + " is the step " + edge.action + " from\n" +
           ours.states[edge.from] + "to\n" + ours.states[edge.to];
  };
  std::set_difference(ours.edges.begin(), ours.edges.end(), theirs.edges.begin(),
                      theirs.edges.end(), std::back_inserter(edges));
  if (!edges.empty()) return describe("ours");
  std::set_difference(theirs.edges.begin(), theirs.edges.end(), ours.edges.begin(),
                      ours.edges.end(), std::back_inserter(edges));
  if (!edges.empty()) return describe("TLC's");
  return std::nullopt;
}

}  // namespace lockstep::scenarios
