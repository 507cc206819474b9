#include "protocol/leaderless_log/log_step.h"

#include <algorithm>

namespace lockstep::protocol::leaderless_log {

void ObservedChanges::Clear() {
  index.clear();
  counter.reset();
  log_state.reset();
  cursor.reset();
  round.reset();
  objects_written.clear();
  objects_deleted.clear();
  malformed_key.reset();
}

bool ObservedChanges::empty() const {
  return index.empty() && !counter && !log_state && !cursor && !round && objects_written.empty() &&
         objects_deleted.empty() && !malformed_key;
}

Ledger::Owner& Ledger::At(Offset offset) {
  const auto i = static_cast<std::size_t>(offset);
  if (i >= owners_.size()) owners_.resize(std::max(i + 1, owners_.size() * 2));
  return owners_[i];
}

void Ledger::Assign(const Assignment& assignment) {
  const Offset begin = assignment.end - assignment.count + 1;
  for (Offset offset = std::max<Offset>(begin, 1); offset <= assignment.end; ++offset) {
    Owner& owner = At(offset);
    if (owner.assigned != 0) continue;
    owner.assigned = assignment.operation;
    owner.assigned_record = offset - begin + 1;
  }
  const auto i = static_cast<std::size_t>(assignment.operation);
  if (i >= assignments_.size()) assignments_.resize(std::max(i + 1, assignments_.size() * 2));
  if (assignments_[i].end == 0) assignments_[i] = assignment;
}

void Ledger::Acknowledge(const Acknowledgement& ack) {
  const Offset begin = ack.end - ack.count + 1;
  for (Offset offset = std::max<Offset>(begin, 1); offset <= ack.end; ++offset) {
    Owner& owner = At(offset);
    if (owner.acknowledged != 0) continue;
    owner.acknowledged = ack.operation;
    owner.acknowledged_record = offset - begin + 1;
  }
  highest_acknowledged_ = std::max(highest_acknowledged_, ack.end);
}

OperationId Ledger::AssignedAt(Offset offset) const {
  const auto i = static_cast<std::size_t>(offset);
  return i < owners_.size() ? owners_[i].assigned : 0;
}

std::int64_t Ledger::RecordAssignedAt(Offset offset) const {
  const auto i = static_cast<std::size_t>(offset);
  return i < owners_.size() ? owners_[i].assigned_record : 0;
}

OperationId Ledger::AcknowledgedAt(Offset offset) const {
  const auto i = static_cast<std::size_t>(offset);
  return i < owners_.size() ? owners_[i].acknowledged : 0;
}

std::int64_t Ledger::RecordAcknowledgedAt(Offset offset) const {
  const auto i = static_cast<std::size_t>(offset);
  return i < owners_.size() ? owners_[i].acknowledged_record : 0;
}

const Assignment* Ledger::AssignmentOf(OperationId operation) const {
  const auto i = static_cast<std::size_t>(operation);
  if (i >= assignments_.size() || assignments_[i].end == 0) return nullptr;
  return &assignments_[i];
}

}  // namespace lockstep::protocol::leaderless_log
