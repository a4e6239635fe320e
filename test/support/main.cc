// The main of every test binary. `--file=NAME_test.cc` runs the tests that are written in that file;
// a file without tests is an error, so that a test cannot vanish silently. Without it, all run.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

bool ends_with_file(std::string_view path, std::string_view file) {
  return path == file || path.ends_with("/" + std::string(file));
}

// A Google Test filter that names each test of the file.
std::string filter_of_file(std::string_view file) {
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      if (!ends_with_file(test.file(), file)) continue;
      filter += std::string(filter.empty() ? "" : ":") + suite.name() + "." + test.name();
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view kFileOption = "--file=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with(kFileOption)) continue;
    const std::string_view file = argument.substr(kFileOption.size());
    testing::GTEST_FLAG(filter) = filter_of_file(file);
    if (testing::GTEST_FLAG(filter).empty()) {
      std::fprintf(stderr, "no test is written in %s\n", argv[i]);
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
