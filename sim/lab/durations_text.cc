#include "sim/lab/durations_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

namespace faultline {
namespace {

using Numbers = std::vector<std::int64_t>;

template <class Durations, class Use>
void for_each_histogram(Durations& durations, Use use) {
  for (auto& detection : durations.detections) use(detection.since_fault);
  for (auto& histogram : durations.fault_to_ready_by_channel) use(histogram);
  for (auto& histogram : durations.fault_to_ready_by_class) use(histogram);
  for (auto& histogram : durations.phases) use(histogram);
  for (auto& of_class : durations.stalls.by_class) use(of_class.lengths);
}

void append(std::string& text, const char* name, const Numbers& numbers) {
  fmt::format_to(std::back_inserter(text), "{}\"{}\":[", text.empty() ? '{' : ',', name);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ',';
    text += fmt::format_int(numbers[i]).c_str();
  }
  text += ']';
}

void append(Numbers& numbers, const TimeSum& sum) {
  numbers.insert(numbers.end(), {sum.whole_seconds(), sum.ns()});
}

Numbers buckets_of(const PooledDurations& durations) {
  Numbers numbers;
  std::int64_t number = 0;
  for_each_histogram(durations, [&](const Histogram& histogram) {
    if (histogram.count() > 0) {
      for (std::size_t b = 0; b < Histogram::kBuckets; ++b) {
        const auto& [count, least, greatest] = histogram.buckets()[b];
        if (count == 0) continue;
        numbers.insert(numbers.end(),
                       {number, static_cast<std::int64_t>(b), static_cast<std::int64_t>(count),
                        least.ns(), (greatest - least).ns()});
      }
    }
    ++number;
  });
  return numbers;
}

// The numbers of `"NAME":[...]`, which `text` begins with; takes them away from it.
std::optional<Numbers> take_numbers(std::string_view& text, std::string_view begin,
                                    std::size_t in_a_group) {
  if (!text.starts_with(begin)) return std::nullopt;
  Numbers numbers;
  const char* at = text.data() + begin.size();
  const char* const end = text.data() + text.size();
  while (at != end && *at != ']') {
    std::int64_t number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc() || after == end) return std::nullopt;
    numbers.push_back(number);
    at = *after == ',' ? after + 1 : after;
  }
  if (at == end || numbers.size() % in_a_group != 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()) + 1);
  return numbers;
}

bool add_buckets(PooledDurations& into, const Numbers& numbers) {
  std::size_t at = 0;
  std::int64_t number = 0;
  bool good = true;
  for_each_histogram(into, [&](Histogram& histogram) {
    for (; good && at < numbers.size() && numbers[at] == number; at += 5) {
      const auto b = static_cast<std::uint64_t>(numbers[at + 1]);
      good = b < Histogram::kBuckets && numbers[at + 2] > 0;
      if (!good) break;
      const Duration least = Duration::nanoseconds(numbers[at + 3]);
      histogram.add(b, {.count = static_cast<std::uint64_t>(numbers[at + 2]),
                        .least = least,
                        .greatest = least + Duration::nanoseconds(numbers[at + 4])});
    }
    ++number;
  });
  return good && at == numbers.size();
}

TimeSum time_sum(const std::int64_t* numbers) { return {numbers[0], numbers[1]}; }

bool add_stalls(StallRecords& into, const Numbers& numbers) {
  for (std::size_t at = 0; at < numbers.size(); at += 4) {
    const auto c = static_cast<std::uint64_t>(numbers[at]);
    if (c >= into.by_class.size()) return false;
    into.by_class[c].count += static_cast<std::uint64_t>(numbers[at + 1]);
    into.by_class[c].lost.add(time_sum(&numbers[at + 2]));
  }
  return true;
}

bool add_savings(StallRecords& into, const Numbers& numbers) {
  for (std::size_t at = 0; at < numbers.size(); at += 7) {
    const auto s = static_cast<std::uint64_t>(numbers[at]);
    if (s >= into.savings.size()) return false;
    into.savings[s].add({.saved = time_sum(&numbers[at + 1]),
                         .regained = time_sum(&numbers[at + 3]),
                         .shortened = static_cast<std::uint64_t>(numbers[at + 5]),
                         .cut = static_cast<std::uint64_t>(numbers[at + 6])});
  }
  return true;
}

}  // namespace

std::string durations_to_text(const PooledDurations& durations) {
  Numbers stalls;
  for (std::size_t c = 0; c < durations.stalls.by_class.size(); ++c) {
    const StallRecords::OfClass& of_class = durations.stalls.by_class[c];
    if (of_class.count == 0) continue;
    stalls.insert(stalls.end(),
                  {static_cast<std::int64_t>(c), static_cast<std::int64_t>(of_class.count)});
    append(stalls, of_class.lost);
  }
  Numbers savings;
  for (std::size_t s = 0; s < durations.stalls.savings.size(); ++s) {
    const StallRecords::Saving& saving = durations.stalls.savings[s];
    if (saving.shortened == 0 && saving.cut == 0) continue;
    savings.push_back(static_cast<std::int64_t>(s));
    append(savings, saving.saved);
    append(savings, saving.regained);
    savings.insert(savings.end(), {static_cast<std::int64_t>(saving.shortened),
                                   static_cast<std::int64_t>(saving.cut)});
  }
  std::string text;
  append(text, "buckets", buckets_of(durations));
  append(text, "stalls", stalls);
  append(text, "savings", savings);
  return text + "}";
}

bool add_durations(PooledDurations& into, std::string_view text) {
  const auto buckets = take_numbers(text, R"({"buckets":[)", 5);
  const auto stalls = take_numbers(text, R"(,"stalls":[)", 4);
  const auto savings = take_numbers(text, R"(,"savings":[)", 7);
  return buckets && stalls && savings && text == "}" && add_buckets(into, *buckets) &&
         add_stalls(into.stalls, *stalls) && add_savings(into.stalls, *savings);
}

void move_durations(PooledDurations& from, PooledDurations& into) {
  std::vector<Histogram*> targets;
  for_each_histogram(into, [&](Histogram& histogram) { targets.push_back(&histogram); });
  auto target = targets.begin();
  for_each_histogram(from, [&](Histogram& histogram) {
    if (histogram.count() > 0) {
      (*target)->add(histogram);
      histogram = Histogram();
    }
    ++target;
  });
  // What is left are sums beside histograms that are empty by now.
  for (std::size_t c = 0; c < from.stalls.by_class.size(); ++c) {
    into.stalls.by_class[c].count += from.stalls.by_class[c].count;
    into.stalls.by_class[c].lost.add(from.stalls.by_class[c].lost);
    from.stalls.by_class[c].count = 0;
    from.stalls.by_class[c].lost = {};
  }
  for (std::size_t s = 0; s < from.stalls.savings.size(); ++s) {
    into.stalls.savings[s].add(from.stalls.savings[s]);
  }
  from.stalls.savings = {};
}

}  // namespace faultline
