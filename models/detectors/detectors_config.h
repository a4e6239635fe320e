// Detection as a scenario describes it: the reason-code contract, and how fast each channel sees.
//
// Modelled on the EKS node monitoring agent (aws/eks-node-monitoring-agent 51af5494); other agents
// are other files of the same shape.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "models/base/kubernetes.h"
#include "models/detectors/monitoring_config.h"

namespace faultline {

enum class Severity {
  kFatal,    // sets the condition to False
  kWarning,  // a Kubernetes Event only: no controller acts on it
};
template <>
struct EnumNames<Severity> {
  static constexpr std::array kNames{std::pair{Severity::kFatal, std::string_view("fatal")},
                                     std::pair{Severity::kWarning, std::string_view("warning")}};
};

// The source calls the agent (DCGM's policy callbacks).
struct PushChannel {
  static constexpr std::string_view kTag = "push";
  Distribution delay;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("delay", &PushChannel::delay,
          {.help = "Time from the signal to the agent.", .required = true});
  }
};

// The agent asks, every `period`, with a phase of its own on every node.
struct PollChannel {
  static constexpr std::string_view kTag = "poll";
  Duration period = 300_s;
  double first_tick_jitter = 0.2;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("period", &PollChannel::period,
          {.help = "Time between two polls.", .required = true, .more_than_zero = true});
    visit("first_tick_jitter", &PollChannel::first_tick_jitter,
          {.help = "The first poll comes one period plus up to this share of it after the agent's "
                   "start; later ones exactly a period apart.",
           .ratio = true});
  }
};

// The agent follows a log that is written to it in batches.
struct LogChannel {
  static constexpr std::string_view kTag = "log";
  Duration flush;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("flush", &LogChannel::flush,
          {.help = "Cadence at which new lines reach the agent; 0s: at once.", .required = true});
  }
};

// The kubelet renews a lease; the node controller declares the node Unknown when it is too old.
struct LeaseChannel {
  static constexpr std::string_view kTag = "lease";
  Duration renew = 10_s;
  Duration grace = 50_s;
  Duration monitor = 5_s;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("renew", &LeaseChannel::renew,
          {.help = "Time between two renewals of the lease.", .more_than_zero = true});
    visit("grace", &LeaseChannel::grace,
          {.help = "Age of the last renewal at which the node is not healthy any more: "
                   "--node-monitor-grace-period of the kube-controller-manager.",
           .by_kubernetes = &kNodeMonitorGracePeriod});
    visit("monitor", &LeaseChannel::monitor,
          {.help = "Time between two looks of the node controller; 0s: it sees at once."});
  }
};

// The cloud provider looks at the machine from outside, so it sees a host that is gone, whose agent can
// tell nothing. It tells so itself: no agent's report, no latching.
struct StatusCheckChannel {
  static constexpr std::string_view kTag = "status_check";
  Duration period = 60_s;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit(
        "period", &StatusCheckChannel::period,
        {.help = "Time between two looks at a machine, with a phase of its own; 0s: it is seen at "
                 "once. What crashes a job and silences the kubelet fails the check too."});
  }
};

// Detectors of nodes that are slow without being broken. What is slower by less than `factor` they
// do not see.

// The job itself watches its step time.
struct ProgressChannel {
  static constexpr std::string_view kTag = "progress";
  double factor = 1.1;
  Duration window = 5_min;
  bool names_machine = false;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("factor", &ProgressChannel::factor,
          {.help = "Steps must take so many times as long as they should.", .at_least = 1});
    visit("window", &ProgressChannel::window,
          {.help = "For so long, without a break.", .more_than_zero = true});
    visit(
        "names_machine", &ProgressChannel::names_machine,
        {.help = "false: it knows that the job is slow, not which node makes it slow; its reasons "
                 "can only be warnings. true: ranks report their own times, and it knows."});
  }
};

// Each machine of a job is compared with its peers (Minder, NSDI 2025).
struct PeersChannel {
  static constexpr std::string_view kTag = "peers";
  double factor = 1.1;
  Duration continuity = 4_min;
  Duration alert = 3600_ms;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("factor", &PeersChannel::factor,
          {.help = "A machine stands out if it is so many times as slow as its peers.",
           .at_least = 1});
    visit("continuity", &PeersChannel::continuity,
          {.help = "It must stand out for so long, without a break (Minder: 4 min)."});
    visit("alert", &PeersChannel::alert,
          {.help = "From then to the alert (Minder: 3.6 s on average)."});
  }
};

// Pairs of nodes are tested by a schedule, beside the job, which it does not slow.
struct ProbeChannel {
  static constexpr std::string_view kTag = "probe";
  double factor = 1.1;
  Duration period = 1_h;
  Duration takes = 1_min;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("factor", &ProbeChannel::factor,
          {.help = "A pair must be so many times as slow as it should.", .at_least = 1});
    visit("period", &ProbeChannel::period,
          {.help = "From one test of a node to the next, with a phase of its own.",
           .required = true,
           .more_than_zero = true});
    visit("takes", &ProbeChannel::takes,
          {.help = "Length of a test: the fault must be there all the while."});
  }

  void check(FieldProblems& problems) const {
    if (takes > period) problems.add("takes", "is longer than `period`: tests would pile up");
  }
};

struct ChannelConfig {
  std::string name;
  std::string monitor;
  std::variant<PushChannel, PollChannel, LogChannel, LeaseChannel, ProgressChannel, PeersChannel,
               ProbeChannel, StatusCheckChannel>
      by;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &ChannelConfig::name, {.help = "Name of the channel.", .required = true});
    visit("monitor", &ChannelConfig::monitor,
          {.help = "The monitor that it belongs to; a disabled monitor publishes nothing.",
           .required = true});
    visit("by", &ChannelConfig::by,
          {.help = "How the agent learns: !push, !poll, !log, !lease, !progress, !peers, !probe or "
                   "!status_check.",
           .required = true});
  }
};

struct ReasonConfig {
  std::string name;
  std::string condition;
  Severity severity = Severity::kWarning;
  std::string channel;
  std::int64_t occurrences = 1;
  double coverage = 1.0;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &ReasonConfig::name, {.help = "The reason code.", .required = true});
    visit("condition", &ReasonConfig::condition,
          {.help = "The node condition type that it belongs to.", .required = true});
    visit("severity", &ReasonConfig::severity,
          {.help = "`fatal` sets the condition to False, `warning` is an event only.",
           .required = true});
    visit("channel", &ReasonConfig::channel,
          {.help = "The channel through which the agent sees it.", .required = true});
    visit("occurrences", &ReasonConfig::occurrences,
          {.help = "Sightings before it is reported: polls in a row, or log lines of any age.",
           .more_than_zero = true});
    visit("coverage", &ReasonConfig::coverage,
          {.help = "Share of the signals that the agent really catches.", .ratio = true});
  }
};

// Xid codes make reasons of their own: NvidiaXID79Error (fatal), NvidiaXID43Warning (all others).
struct XidConfig {
  std::vector<std::int64_t> fatal;
  std::string condition;
  std::string channel;
  double coverage = 1.0;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("fatal", &XidConfig::fatal,
          {.help = "Xid codes that are fatal; every other one is a warning.",
           .required = true,
           .identifier = true});
    visit("condition", &XidConfig::condition,
          {.help = "The node condition type that Xids belong to.", .required = true});
    visit("channel", &XidConfig::channel,
          {.help = "The channel through which the agent sees Xids.", .required = true});
    visit("coverage", &XidConfig::coverage,
          {.help = "Share of the Xids that the agent really catches.", .ratio = true});
  }
};

struct DetectorsConfig {
  std::string name;
  std::string source;
  Duration report = 15_s;
  bool latching = true;
  Duration recheck = 30_s;
  std::vector<std::string> disabled_monitors;
  std::vector<ChannelConfig> channels;
  XidConfig xids;
  std::vector<ReasonConfig> reasons;
  std::optional<MonitoringConfig> monitoring;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &DetectorsConfig::name, {.help = "Name of the agent.", .required = true});
    visit("source", &DetectorsConfig::source,
          {.help = "Where the contract was read.", .required = true});
    visit(
        "report", &DetectorsConfig::report,
        {.help =
             "The agent writes changed conditions to the API server at this cadence, with a phase "
             "of its own on every node; 0s: at once."});
    visit(
        "latching", &DetectorsConfig::latching,
        {.help =
             "A condition that went False stays False until the node is replaced or its agent "
             "restarts, as in the real agent. false: it returns to True when the fault is gone."});
    visit(
        "recheck", &DetectorsConfig::recheck,
        {.help = "Without latching: after a pushed or logged fault is gone, the time within which "
                 "the agent notices; 0s: at once."});
    visit("disabled_monitors", &DetectorsConfig::disabled_monitors,
          {.help = "Monitors that do not run: their conditions are absent (not Unknown)."});
    visit("channels", &DetectorsConfig::channels,
          {.help = "How the agent learns of things.", .required = true});
    visit("xids", &DetectorsConfig::xids,
          {.help = "How NVIDIA Xid codes are judged.", .required = true});
    visit("reasons", &DetectorsConfig::reasons,
          {.help = "The reason-code contract.", .required = true});
    visit("monitoring", &DetectorsConfig::monitoring,
          {.help = "The cores that the agent takes from the jobs that it watches, and when: the "
                   "account `agent_noise`, and `faultline noise`. Absent: none."});
  }
};

}  // namespace faultline
