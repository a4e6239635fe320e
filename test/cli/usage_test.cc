// What a person reads after a mistake on the command line: one line that names the word and the way out, on
// stderr, with exit code 2 and nothing on stdout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Mistake {
  std::vector<std::string> arguments;
  std::string err;
};

class UsageTest : public testing::TestWithParam<Mistake> {};

TEST_P(UsageTest, IsOneLineWithTheWayOut) {
  const ProgramResult result = faultline(GetParam().arguments);
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err, GetParam().err + "\n");
  EXPECT_EQ(result.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Words, UsageTest,
    testing::Values(
        Mistake{{"rnu", "small"}, "faultline: no command `rnu`; did you mean `run`?"},
        Mistake{{"xyzzy"},
                "faultline: no command `xyzzy`; there are run, tune, spares, compare, sweep, "
                "sensitivity, check, merge, export, validate, show, explain, ..."},
        Mistake{{"--verison"}, "faultline: no option `--verison`; did you mean `--version`?"},
        Mistake{{"--reps", "5", "run", "small"},
                "faultline: the command comes first: `faultline run ... --reps`"},
        Mistake{{"run"}, "faultline run: SCENARIO is missing; see `faultline run --help`"},
        Mistake{{"run", "small", "rsc1"}, "faultline run: unexpected argument `rsc1`"},
        Mistake{{"run", "small", "--rep", "5"},
                "faultline run: no option `--rep`; did you mean `--reps`?"},
        Mistake{{"run", "small", "--xyzzy=1"},
                "faultline run: no option `--xyzzy`; see `faultline run --help`"},
        Mistake{{"run", "small", "-x"},
                "faultline run: no option `-x`; see `faultline run --help`"},
        Mistake{{"run", "small", "--reps"},
                "faultline run: `--reps` needs a value: `--reps N|auto`"},
        Mistake{{"run", "small", "--set", "--quiet"},
                "faultline run: `--set` needs a value: `--set PATH=VALUE`"},
        Mistake{{"run", "small", "-o"}, "faultline run: `-o` needs a value: `-o FILE`"},
        Mistake{{"run", "small", "--quiet=yes"}, "faultline run: `--quiet` takes no value"},
        Mistake{{"run", "small", "--seed", "1", "--seed=2"},
                "faultline run: `--seed` is given twice"},
        Mistake{{"show"}, "faultline show: SCENARIO is missing; see `faultline show --help`"},
        Mistake{{"validate"},
                "faultline validate: FILE is missing; see `faultline validate --help`"},
        Mistake{{"why", "--journal", "x.jsonl"},
                "faultline why: SUBJECT is missing; see `faultline why --help`"}));

INSTANTIATE_TEST_SUITE_P(
    Values, UsageTest,
    testing::Values(
        Mistake{{"run", "small", "--reps", "0"},
                "faultline run: --reps: `0` is not a whole number from 1 to 1000000, or auto"},
        Mistake{{"run", "small", "--reps", "abc"},
                "faultline run: --reps: `abc` is not a whole number from 1 to 1000000, or auto"},
        Mistake{{"run", "small", "--reps=1e3"},
                "faultline run: --reps: `1e3` is not a whole number from 1 to 1000000, or auto"},
        Mistake{{"run", "small", "--reps", "99999999999999999999"},
                "faultline run: --reps: `99999999999999999999` is not a whole number from 1 to "
                "1000000, or auto"},
        Mistake{{"run", "small", "--threads", "-1"},
                "faultline run: --threads: `-1` is not a whole number from 0 to 1024"},
        Mistake{{"run", "small", "--seed", "1.5"},
                "faultline run: --seed: `1.5` is not a whole number from 0 to 9223372036854775807"},
        Mistake{{"run", "small", "--seed="}, "faultline run: `--seed` needs a value: `--seed N`"},
        Mistake{{"run", "small", "--seed", ""},
                "faultline run: --seed: `` is not a whole number from 0 to 9223372036854775807"},
        Mistake{{"run", "small", "--format", "xml"},
                "faultline run: --format: `xml` is not text, json, md or csv"},
        Mistake{{"run", "small", "--journal-replication", "3"},
                "faultline run: --journal-replication goes with --journal or --timeline"},
        Mistake{{"run", "small", "--journal", "a", "--timeline", "a"},
                "faultline run: --journal and --timeline would both write to `a`"},
        Mistake{{"run", "small", "-o", "x.db", "--journal", "x.db"},
                "faultline run: -o and --journal would both write to `x.db`"},
        Mistake{{"run", "small", "--journal", "-"},
                "faultline run: -o and --journal would both write to `-`"},
        Mistake{{"list", "polices"},
                "faultline list: there is no list of `polices`; did you mean `policies`?"},
        Mistake{{"list", "policies", "small"},
                "faultline list: `policies` do not depend on a scenario"},
        Mistake{
            {"why", "--journal", "x.jsonl", "job", "yesterday"},
            "faultline why: `yesterday` is no instant: write `12d3h4m` or `12d 03:04:05.678`"}));

INSTANTIATE_TEST_SUITE_P(
    Experiments, UsageTest,
    testing::Values(
        Mistake{{"sweep", "small", "--shard", "8/7"},
                "faultline sweep: --shard: `8/7` is no share: write `2/7` for the second of seven"},
        Mistake{{"sweep", "small", "--format", "xml"},
                "faultline sweep: --format: `xml` is not text, json, md or csv"},
        Mistake{{"sweep", "small", "--reps", "auto"},
                "faultline sweep: --reps: `auto` is not a whole number from 1 to 1000000"},
        Mistake{{"sweep", "small", "-o", "a.db", "-o", "b.sqlite"},
                "faultline sweep: -o: `a.db` and `b.sqlite` are two result stores; one of each "
                "kind can be given"},
        Mistake{{"sweep", "small", "-o", "a", "-o", "b"},
                "faultline sweep: -o: `a` and `b` are two reports; one of each kind can be given"},
        Mistake{{"sweep", "small", "--stored"},
                "faultline sweep: --stored goes with a result store: `-o X.db`"},
        Mistake{{"sweep", "small", "--vary", "policy.gate=10%..50%"},
                "faultline sweep: --vary policy.gate=10%..50%: column 21: a range needs a step: "
                "`0s..30m/1m`"},
        Mistake{{"sweep", "small", "--vari", "policy.gate=10%"},
                "faultline sweep: no option `--vari`; did you mean `--vary`?"},
        Mistake{
            {"sweep", "small", "--metric", "etr"},
            "faultline sweep: --metric etr: column 1: unknown metric `etr`; did you mean ettr?"},
        Mistake{{"merge", "a.db"},
                "faultline merge: name the result store that gets everything: `-o all.db`"},
        Mistake{{"merge", "a.db", "-o", "report"},
                "faultline merge: name the result store that gets everything: `-o all.db`"},
        Mistake{{"export", "a.db", "--format", "json"},
                "faultline export: --format: `json` is not csv or jsonl"}));

TEST(UsageTest, NoArgumentsPrintHelp) {
  const ProgramResult result = faultline({});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("Usage: faultline"));
}

TEST(UsageTest, ScenarioErrorsHavePlaceAndSuggestion) {
  ProgramResult result = faultline({"run", "lama3"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, StartsWith("lama3: there is no scenario of this name"));
  EXPECT_THAT(result.err, HasSubstr("did you mean llama3?"));

  result = faultline({"run", "small", "--set", "policy.gaet=off"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("--set policy.gaet=off"));
  EXPECT_THAT(result.err, HasSubstr("did you mean gate?"));

  result = faultline({"explain", "policy.tolerances"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, StartsWith("faultline explain: "));
  EXPECT_THAT(result.err, HasSubstr("tolerations"));
}

}  // namespace
}  // namespace faultline::test
