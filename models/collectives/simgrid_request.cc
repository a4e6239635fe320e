#include "models/collectives/simgrid_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace faultline {
namespace {

class Writer {
 public:
  Writer& word(std::string_view text) {
    if (!line_.empty()) line_ += ' ';
    line_ += text;
    return *this;
  }
  // ({} of a double is the shortest text that reads back to it; also inf)
  template <class Number>
  Writer& number(Number value) {
    fmt::format_to(std::back_inserter(line_), " {}", value);
    return *this;
  }
  std::string take() { return std::move(line_); }

 private:
  std::string line_;
};

class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  std::string_view word() {
    const std::size_t begin = std::min(rest_.find_first_not_of(' '), rest_.size());
    const std::size_t end = std::min(rest_.find(' ', begin), rest_.size());
    const std::string_view word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }
  template <class Number>
  Number number() {
    const std::string_view text = word();
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    good_ = good_ && !text.empty() && error == std::errc() && end == text.data() + text.size();
    return value;
  }
  // A count of things that take at least two characters each.
  std::size_t count() {
    const auto n = number<std::size_t>();
    good_ = good_ && n <= rest_.size() / 2;
    return good_ ? n : 0;
  }
  // Everything was a number, and nothing is left.
  bool done() { return good_ && word().empty(); }
  bool good() const { return good_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

constexpr std::string_view kKinds[] = {"ring", "flows", "stall"};

tl::unexpected<std::string> malformed(std::string_view what) {
  return tl::unexpected(fmt::format("a malformed {} line", what));
}

}  // namespace

std::string fabric_line(const Fabric& fabric) {
  const FabricConfig& c = fabric.config();
  Writer line;
  line.word("fabric").number(static_cast<int>(c.topology));
  line.number(fabric.nodes()).number(fabric.gpus_per_node()).number(fabric.nics_per_node());
  line.number(c.nodes_per_leaf).number(c.spines).number(c.oversubscription);
  line.number(c.leaves_per_pod).number(c.cores).number(c.core_oversubscription);
  line.number(c.nvlink.bandwidth.bytes_per_second).number(c.nvlink.latency.ns());
  line.number(c.nic.bandwidth.bytes_per_second).number(c.nic.latency.ns());
  line.number(c.switch_latency.ns());
  return line.take();
}

Parsed<Fabric> parse_fabric_line(std::string_view line) {
  Words words(line);
  if (words.word() != "fabric") return malformed("fabric");
  FabricConfig c;
  c.topology = static_cast<FabricTopology>(words.number<int>());
  const auto nodes = words.number<std::uint32_t>();
  const auto gpus = words.number<std::uint32_t>();
  const auto nics = words.number<std::uint32_t>();
  c.nodes_per_leaf = words.number<std::int64_t>();
  c.spines = words.number<std::int64_t>();
  c.oversubscription = words.number<double>();
  c.leaves_per_pod = words.number<std::int64_t>();
  c.cores = words.number<std::int64_t>();
  c.core_oversubscription = words.number<double>();
  for (PortConfig* const port : {&c.nvlink, &c.nic}) {
    port->bandwidth.bytes_per_second = words.number<double>();
    port->latency = Duration::nanoseconds(words.number<std::int64_t>());
  }
  c.switch_latency = Duration::nanoseconds(words.number<std::int64_t>());
  if (!words.done()) return malformed("fabric");
  return Fabric(c, nodes, gpus, nics);
}

std::string request_line(const SimGridRequest& request) {
  Writer line;
  line.word(kKinds[static_cast<std::size_t>(request.kind)]);
  line.number(request.state.faults().size());
  for (const FabricFault& fault : request.state.faults()) {
    line.number(fault.element.value()).number(fault.bandwidth).number(fault.extra_latency.ns());
  }
  line.number(request.flows.size());
  for (const SimFlow& flow : request.flows) {
    line.number(flow.from).number(flow.to).number(flow.bytes).number(flow.start);
  }
  if (request.kind == SimGridRequest::Kind::kFlows) return line.take();
  line.number(request.ring).number(request.steps);
  line.number(request.latency.nvlink).number(request.latency.net);
  if (request.kind == SimGridRequest::Kind::kRing) return line.take();
  line.number(request.enqueued.size());
  for (const double time : request.enqueued) line.number(time);
  line.number(request.cable.value()).number(request.stops_at).number(request.goes_on_at);
  return line.number(request.timeout).take();
}

Parsed<SimGridRequest> parse_request_line(std::string_view line) {
  Words words(line);
  const std::string_view kind = words.word();
  SimGridRequest request;
  std::size_t k = 0;
  while (k < std::size(kKinds) && kKinds[k] != kind) ++k;
  if (k == std::size(kKinds)) return malformed("request");
  request.kind = static_cast<SimGridRequest::Kind>(k);
  std::vector<FabricFault> faults;
  for (std::size_t n = words.count(); n > 0 && words.good(); --n) {
    FabricFault& fault = faults.emplace_back();
    fault.element = ElementId(words.number<std::uint32_t>());
    fault.bandwidth = words.number<double>();
    fault.extra_latency = Duration::nanoseconds(words.number<std::int64_t>());
  }
  request.state = FabricState(std::move(faults));
  for (std::size_t n = words.count(); n > 0 && words.good(); --n) {
    SimFlow& flow = request.flows.emplace_back();
    flow.from = words.number<std::uint32_t>();
    flow.to = words.number<std::uint32_t>();
    flow.bytes = words.number<std::uint64_t>();
    flow.start = words.number<double>();
  }
  if (request.kind != SimGridRequest::Kind::kFlows) {
    request.ring = words.number<std::uint32_t>();
    request.steps = words.number<std::int64_t>();
    request.latency.nvlink = words.number<double>();
    request.latency.net = words.number<double>();
  }
  if (request.kind == SimGridRequest::Kind::kStall) {
    for (std::size_t n = words.count(); n > 0 && words.good(); --n) {
      request.enqueued.push_back(words.number<double>());
    }
    request.cable = ElementId(words.number<std::uint32_t>());
    request.stops_at = words.number<double>();
    request.goes_on_at = words.number<double>();
    request.timeout = words.number<double>();
  }
  if (!words.done()) return malformed("request");
  return request;
}

std::string answer_line(const std::vector<double>& numbers) {
  Writer line;
  line.word("seconds");
  for (const double number : numbers) line.number(number);
  return line.take();
}

Parsed<std::vector<double>> parse_answer_line(std::string_view line) {
  Words words(line);
  if (words.word() != "seconds") return malformed("answer");
  std::vector<double> numbers;
  while (true) {
    Words ahead = words;
    if (ahead.word().empty()) break;
    numbers.push_back(words.number<double>());
  }
  if (!words.good() || numbers.empty()) return malformed("answer");
  return numbers;
}

}  // namespace faultline
