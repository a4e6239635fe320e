#include "sim/lab/expression/metric_reference.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/units_text.h"
#include "sim/engine/metric_help.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

void add_once(std::vector<std::string>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

// The names that a short one stands for: one, or several that differ in their unit.
std::vector<std::string> meanings(std::string_view name, const std::vector<MetricName>& metrics) {
  std::vector<std::string> names;
  for (const MetricName& metric : metrics) {
    if (metric.name == name) return {std::string(name)};
    if (without_unit(metric.name) == name) add_once(names, metric.name);
  }
  return names;
}

std::string shortest(const std::string& name, const std::vector<MetricName>& metrics) {
  const std::string_view brief = without_unit(name);
  return meanings(brief, metrics) == std::vector<std::string>{name} ? std::string(brief) : name;
}

tl::unexpected<MetricReferenceError> unknown(std::string_view name,
                                             const std::vector<MetricName>& metrics) {
  std::vector<std::string> brief;
  std::vector<std::string> all;
  for (const MetricName& metric : metrics) add_once(brief, shortest(metric.name, metrics));
  all = brief;
  for (const MetricName& metric : metrics) add_once(all, metric.name);
  const std::string meant = suggest(name, all);
  return tl::unexpected(MetricReferenceError{
      false, fmt::format("unknown metric {}; {}", text::quote(name),
                         meant.empty() ? "known are " + join_names(brief, brief.size())
                                       : fmt::format("did you mean {}?", meant))});
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

tl::expected<std::size_t, MetricReferenceError> find_metric(
    std::string_view name, const std::string_view* member, const std::vector<MetricName>& metrics) {
  const auto fail = [](bool in_member, std::string sentence) {
    return tl::unexpected(MetricReferenceError{in_member, std::move(sentence)});
  };
  const std::vector<std::string> families = meanings(name, metrics);
  if (families.empty()) return unknown(name, metrics);
  if (families.size() > 1) {
    return fail(false, fmt::format("{} is short for {}: write which one", text::quote(name),
                                   join_names(families)));
  }
  const std::string& family = families.front();
  std::string label;
  std::vector<std::string> members;
  std::size_t plain = metrics.size();
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    if (metrics[m].name != family) continue;
    if (metrics[m].label.empty()) {
      plain = m;
    } else {
      label = metrics[m].label;
      members.push_back(metrics[m].value);
    }
  }
  if (member == nullptr) {
    if (plain < metrics.size()) return plain;
    return fail(false,
                fmt::format("{} has one value per {}: write {}{{{}}}; known are {}", family, label,
                            name, members.front(), join_names(members, members.size())));
  }
  if (members.empty()) return fail(true, fmt::format("{} has no members", family));

  std::string_view value = trimmed(*member);
  if (const std::size_t equals = value.find('='); equals != std::string_view::npos) {
    const std::string_view typed = trimmed(value.substr(0, equals));
    if (typed != label) {
      return fail(true, fmt::format("the members of {} differ in {}, not in {}", family, label,
                                    text::quote(typed)));
    }
    value = trimmed(value.substr(equals + 1));
  }
  value = unquoted(value);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    if (metrics[m].name == family && !metrics[m].label.empty() && metrics[m].value == value) {
      return m;
    }
  }
  const std::string meant = suggest(value, members);
  return fail(true, fmt::format("{} has no {} {}; {}", family, label, text::quote(value),
                                meant.empty() ? "known are " + join_names(members, members.size())
                                              : fmt::format("did you mean {}?", meant)));
}

std::string short_name(const MetricName& metric, const std::vector<MetricName>& metrics) {
  const std::string brief = shortest(metric.name, metrics);
  return metric.label.empty() ? brief : fmt::format("{}{{{}}}", brief, metric.value);
}

}  // namespace faultline
