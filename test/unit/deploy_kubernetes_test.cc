// deploy/kubernetes/indexed-job.yaml against the fields of Kubernetes' batch/v1 Job, and against itself.
// Source of the fields and rules: Kubernetes API reference v1.33, Job v1 batch and PodTemplateSpec v1 core.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The fields that the API server knows, by the path of their object; a list stands for its elements. Only
// of those parts of a pod that a Job like ours can need.
const std::map<std::string, std::set<std::string>> kFields{
    {"", {"apiVersion", "kind", "metadata", "spec"}},
    {"metadata", {"name", "namespace", "labels", "annotations"}},
    {"spec",
     {"activeDeadlineSeconds", "backoffLimit", "backoffLimitPerIndex", "completionMode",
      "completions", "managedBy", "manualSelector", "maxFailedIndexes", "parallelism",
      "podFailurePolicy", "podReplacementPolicy", "selector", "successPolicy", "suspend",
      "template", "ttlSecondsAfterFinished"}},
    {"spec.podFailurePolicy", {"rules"}},
    {"spec.podFailurePolicy.rules", {"action", "onExitCodes", "onPodConditions"}},
    {"spec.podFailurePolicy.rules.onExitCodes", {"containerName", "operator", "values"}},
    {"spec.podFailurePolicy.rules.onPodConditions", {"type", "status"}},
    {"spec.template", {"metadata", "spec"}},
    {"spec.template.metadata", {"labels", "annotations"}},
    {"spec.template.spec",
     {"activeDeadlineSeconds", "affinity", "automountServiceAccountToken", "containers",
      "imagePullSecrets", "initContainers", "nodeSelector", "priorityClassName", "restartPolicy",
      "securityContext", "serviceAccountName", "terminationGracePeriodSeconds", "tolerations",
      "volumes"}},
    {"spec.template.spec.containers",
     {"args", "command", "env", "envFrom", "image", "imagePullPolicy", "name", "resources",
      "securityContext", "volumeMounts", "workingDir"}},
    {"spec.template.spec.containers.env", {"name", "value", "valueFrom"}},
    {"spec.template.spec.containers.resources", {"requests", "limits"}},
    {"spec.template.spec.containers.resources.requests", {"cpu", "memory", "ephemeral-storage"}},
    {"spec.template.spec.containers.resources.limits", {"cpu", "memory", "ephemeral-storage"}},
    {"spec.template.spec.containers.volumeMounts", {"name", "mountPath", "readOnly", "subPath"}},
    {"spec.template.spec.volumes",
     {"name", "persistentVolumeClaim", "emptyDir", "hostPath", "configMap", "nfs"}},
    {"spec.template.spec.volumes.persistentVolumeClaim", {"claimName", "readOnly"}}};

void check_fields(const YAML::Node& node, const std::string& path,
                  std::vector<std::string>& problems) {
  if (node.IsSequence()) {
    for (const auto& element : node) {
      if (element.IsMap()) check_fields(element, path, problems);
    }
    return;
  }
  const auto known = kFields.find(path);
  for (const auto& entry : node) {
    const auto key = entry.first.as<std::string>();
    const std::string at = path.empty() ? key : path + "." + key;
    if (known == kFields.end() || !known->second.contains(key)) {
      if (!path.ends_with("labels")) problems.push_back(at + " is no field");
    } else if (!entry.second.IsScalar()) {
      check_fields(entry.second, at, problems);
    }
  }
}

std::vector<std::string> problems_of(const YAML::Node& job) {
  std::vector<std::string> problems;
  check_fields(job, "", problems);
  const auto expect = [&](bool holds, const char* what) {
    if (!holds) problems.emplace_back(what);
  };
  const auto text = [](const YAML::Node& node) { return node.as<std::string>(""); };
  const auto number = [](const YAML::Node& node) { return node.as<int>(-1); };
  const YAML::Node spec = job["spec"];
  const YAML::Node pod = spec["template"]["spec"];
  const YAML::Node container = pod["containers"][0];
  expect(text(job["apiVersion"]) == "batch/v1" && text(job["kind"]) == "Job",
         "it is no batch/v1 Job");
  expect(text(spec["completionMode"]) == "Indexed", "JOB_COMPLETION_INDEX needs Indexed");
  expect(number(spec["completions"]) > 0, "Indexed needs completions");
  expect(
      number(spec["parallelism"]) > 0 && number(spec["parallelism"]) <= number(spec["completions"]),
      "parallelism is not from 1 to completions");
  expect(number(spec["parallelism"]) <= 100'000, "parallelism of an Indexed Job is at most 100000");
  // Both rules of the API server: podFailurePolicy and backoffLimitPerIndex.
  expect(text(pod["restartPolicy"]) == "Never", "restartPolicy is not Never");
  expect(number(spec["backoffLimitPerIndex"]) >= 0, "backoffLimitPerIndex is missing");
  expect(number(spec["maxFailedIndexes"]) <= number(spec["completions"]),
         "maxFailedIndexes is more than completions");
  for (const auto& rule : spec["podFailurePolicy"]["rules"]) {
    const std::set<std::string> actions{"Count", "FailIndex", "FailJob", "Ignore"};
    expect(actions.contains(text(rule["action"])), "an action that does not exist");
    expect(rule["onExitCodes"].IsDefined() != rule["onPodConditions"].IsDefined(),
           "a rule has either onExitCodes or onPodConditions");
    if (!rule["onExitCodes"]) continue;
    expect(text(rule["onExitCodes"]["containerName"]) == text(container["name"]),
           "a rule for a container that does not exist");
    const std::string values = text(rule["onExitCodes"]["operator"]);
    expect(values == "In" || values == "NotIn", "an operator that does not exist");
  }
  expect(text(container["env"][0]["name"]) == "FAULTLINE_SHARES" &&
             text(container["env"][0]["value"]) == text(spec["completions"]),
         "FAULTLINE_SHARES is not completions");
  for (const auto& variable : container["env"]) {
    expect(variable["value"].Tag() == "!", "the value of a variable is no text");
  }
  expect(text(container["volumeMounts"][0]["name"]) == text(pod["volumes"][0]["name"]),
         "a mount without its volume");
  return problems;
}

YAML::Node manifest() {
  return YAML::LoadFile(std::string(std::getenv("FAULTLINE_HOME")) +
                        "/deploy/kubernetes/indexed-job.yaml");
}

TEST(DeployKubernetesTest, TheManifestHoldsToTheApi) {
  EXPECT_THAT(problems_of(manifest()), IsEmpty());
}

TEST(DeployKubernetesTest, MistakesAreFound) {
  const auto with = [](auto change) {
    YAML::Node job = manifest();
    change(job["spec"]);
    return problems_of(job);
  };
  EXPECT_THAT(with([](YAML::Node spec) { spec["completionmode"] = "Indexed"; }),
              ElementsAre("spec.completionmode is no field"));
  EXPECT_THAT(with([](YAML::Node spec) { spec["completions"] = 9; }),
              ElementsAre("FAULTLINE_SHARES is not completions"));
  EXPECT_THAT(with([](YAML::Node spec) { spec["parallelism"] = 8; }),
              ElementsAre("parallelism is not from 1 to completions"));
  EXPECT_THAT(
      with([](YAML::Node spec) { spec["template"]["spec"]["restartPolicy"] = "OnFailure"; }),
      ElementsAre("restartPolicy is not Never"));
  EXPECT_THAT(
      with([](YAML::Node spec) { spec["template"]["spec"]["containers"][0]["volumeMount"] = "x"; }),
      ElementsAre("spec.template.spec.containers.volumeMount is no field"));
}

// The command of the container, run here as the kubelet would: every index has a share of its own.
TEST(DeployKubernetesTest, TheCommandRunsItsShare) {
  const TemporaryFolder folder;
  const YAML::Node container = manifest()["spec"]["template"]["spec"]["containers"][0];
  const auto script = container["command"][2].as<std::string>();
  folder.write("faultline", "#!/bin/sh\necho \"$@\"\n");
  std::filesystem::permissions(folder.file("faultline"), std::filesystem::perms::owner_all);
  const std::string run = folder.write("run", "PATH=" + folder.file("") + ":$PATH\n" + script);
  const std::string command = "JOB_COMPLETION_INDEX=2 FAULTLINE_SHARES=7 sh '" + run +
                              "' sweep small --reps=5 >'" + folder.file("out") + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_file(folder.file("out")),
            "sweep small --reps=5 --quiet --shard 3/7 -o /results/share-3-of-7.db\n");
}

}  // namespace
}  // namespace faultline::test
