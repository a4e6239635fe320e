#include "models/observed/picture.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline::observed {

Picture::Picture(std::vector<std::string> condition_types, const std::vector<bool>& published)
    : condition_types_(std::move(condition_types)),
      taint_names_{"karpenter.sh/disrupted", "node.kubernetes.io/unreachable",
                   "node.kubernetes.io/not-ready"} {
  new_node_.conditions.resize(condition_types_.size());
  for (std::size_t c = 0; c < condition_types_.size(); ++c) {
    new_node_.conditions[c].status =
        published[c] ? ConditionStatus::kTrue : ConditionStatus::kAbsent;
  }
}

PoolId Picture::add_pool(std::string name, std::int64_t limit) {
  pools_.push_back({.name = std::move(name), .limit = limit, .matching = {}});
  pools_.back().matching.resize(counted_);
  return PoolId(pools_.size() - 1);
}

OwnerKey Picture::add_owner(PodOwner owner) {
  owners_.push_back(std::move(owner));
  return OwnerKey(owners_.size() - 1);
}

BudgetKey Picture::add_budget(std::string name, std::int64_t max_unavailable) {
  budgets_.push_back({.name = std::move(name), .max_unavailable = max_unavailable});
  return BudgetKey(budgets_.size() - 1);
}

LabelsKey Picture::add_labels(Labels labels) {
  labels_.push_back(std::move(labels));
  return LabelsKey(labels_.size() - 1);
}

TaintName Picture::add_taint_name(std::string name) {
  const auto known = std::find(taint_names_.begin(), taint_names_.end(), name);
  if (known != taint_names_.end()) {
    return TaintName(static_cast<std::size_t>(known - taint_names_.begin()));
  }
  taint_names_.push_back(std::move(name));
  return TaintName(taint_names_.size() - 1);
}

std::size_t Picture::add_counter(std::vector<ConditionMatch> matches) {
  FAULTLINE_CHECK(nodes() == 0 && counted_ < kMaxCounters,
                  "a counter comes after the first node, or is one too many");
  if (!matches.empty()) counters_.push_back({.number = counted_, .matches = std::move(matches)});
  for (Pool& pool : pools_) pool.matching.push_back(0);
  return counted_++;
}

void Picture::remember() {
  nodes_.remember();
  machines_.remember();
  pods_.remember();
  devices_.remember();
  claims_.remember();
  pools_at_start_ = pools_;
  budgets_at_start_ = budgets_;
}

void Picture::reset() {
  nodes_.reset();
  machines_.reset();
  pods_.reset();
  devices_.reset();
  claims_.reset();
  owner_of_pod_.resize(pods_.size());
  while (!names_.empty() && names_.rbegin()->first.index() >= nodes_.size()) {
    by_name_.erase(names_.rbegin()->second);
    names_.erase(std::prev(names_.end()));
  }
  // (member by member: their names and lists keep their memory)
  for (std::size_t p = 0; p < pools_at_start_.size(); ++p) pools_[p] = pools_at_start_[p];
  for (std::size_t b = 0; b < budgets_at_start_.size(); ++b) budgets_[b] = budgets_at_start_[b];
}

std::string_view Picture::label(NodeKey key, std::string_view label) const {
  const LabelsKey labels = node(key).labels;
  if (!labels.valid()) return {};
  for (const auto& [name, value] : labels_[labels.index()]) {
    if (name == label) return value;
  }
  return {};
}

std::string_view Picture::name(NodeKey key) const {
  const auto found = names_.find(key);
  return found == names_.end() ? std::string_view() : found->second;
}

std::optional<NodeKey> Picture::find_node(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

}  // namespace faultline::observed
