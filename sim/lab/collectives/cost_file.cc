#include "sim/lab/collectives/cost_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "models/collectives/simgrid_request.h"

namespace faultline {
namespace {

// To be raised with every change after which some cost is another one.
constexpr std::uint64_t kCostModelVersion = 1;
constexpr std::string_view kHeader = "faultline collective costs, version 1";

tl::unexpected<std::string> broken(const std::string& path, int line) {
  return tl::unexpected(
      fmt::format("`{}`, line {}: no cost of a collective; delete the file", path, line));
}

}  // namespace

std::string cost_file_name(const Fabric& fabric, std::string_view back_end) {
  WordHash hash;
  hash.add(kCostModelVersion);
  for (const char c : fabric_line(fabric)) hash.add(std::uint64_t{static_cast<unsigned char>(c)});
  hash.add(fabric.config().busbw ? fabric.config().busbw->bytes_per_second : 0.0);
  for (const char c : back_end) hash.add(std::uint64_t{static_cast<unsigned char>(c)});
  return fmt::format("collectives-{:016x}.txt", hash.value());
}

tl::expected<CostMemo, std::string> read_cost_file(const std::string& path) {
  CostMemo memo;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return memo;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line) || line != kHeader) return broken(path, 1);
  for (int number = 2; std::getline(in, line); ++number) {
    std::istringstream words(line);
    std::uint64_t key = 0;
    CollectiveCost cost;
    unsigned algorithm = 0;
    unsigned protocol = 0;
    std::uint32_t bottleneck = 0;
    words >> std::hex >> key >> std::dec >> cost.seconds >> cost.latency_part >> algorithm >>
        protocol >> bottleneck;
    std::string more;
    const bool good = words && !(words >> more) && key != 0 && memo.find(key) == nullptr &&
                      algorithm < EnumNames<CollectiveAlgorithm>::kNames.size() &&
                      protocol < EnumNames<Protocol>::kNames.size();
    if (!good) return broken(path, number);
    cost.algorithm = static_cast<CollectiveAlgorithm>(algorithm);
    cost.protocol = static_cast<Protocol>(protocol);
    cost.bottleneck = ElementId(bottleneck);
    memo.insert(key, cost);
  }
  return memo;
}

tl::expected<void, std::string> write_cost_file(const std::string& path, const CostMemo& memo) {
  std::string text(kHeader);
  text += '\n';
  for (const CostMemo::Entry& entry : memo.entries()) {
    const CollectiveCost& cost = entry.cost;
    fmt::format_to(std::back_inserter(text), "{:016x} {} {} {} {} {}\n", entry.key, cost.seconds,
                   cost.latency_part, static_cast<unsigned>(cost.algorithm),
                   static_cast<unsigned>(cost.protocol), cost.bottleneck.value());
  }
  const auto failed = [&] {
    return tl::unexpected(fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
  };
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const std::string beside = path + ".new";
  errno = 0;
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  if (!out) return failed();
  std::filesystem::rename(beside, path, error);
  if (!error) return {};
  errno = error.value();
  return failed();
}

}  // namespace faultline
