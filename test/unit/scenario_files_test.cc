// Files on a real disk, and paths.
#include "sim/scenario/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sim/scenario/memory_files.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

class ScenarioFiles : public testing::Test {
 protected:
  ScenarioFiles()
      : folder_(fs::temp_directory_path() / ("faultline_files_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "inner");
  }
  ~ScenarioFiles() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }

  fs::path folder_;
};

TEST_F(ScenarioFiles, ReadsWholeFiles) {
  const std::string content(200'000, 'x');
  write("big.yaml", content);
  write("empty.yaml", "");
  const DiskFiles files("");
  EXPECT_EQ(files.read(path("big.yaml")), content);
  EXPECT_EQ(files.read(path("empty.yaml")), "");
  EXPECT_TRUE(files.exists(path("big.yaml")));
  EXPECT_FALSE(files.exists(path("small.yaml")));
}

TEST_F(ScenarioFiles, SaysWhyAFileCannotBeRead) {
  const DiskFiles files("");
  EXPECT_EQ(files.read(path("none.yaml")).error(), "does not exist");
  EXPECT_EQ(files.read(path("inner")).error(), "is a folder, not a file");
  write("huge.yaml", std::string(FileSystem::kLargestFile + 1, ' '));
  EXPECT_EQ(files.read(path("huge.yaml")).error(),
            "is larger than 16 MiB, the most that a file may have");
}

TEST_F(ScenarioFiles, UnreadableFile) {
  if (geteuid() == 0) GTEST_SKIP() << "root can read every file";
  write("secret.yaml", "name: a\n");
  fs::permissions(path("secret.yaml"), fs::perms::none);
  EXPECT_EQ(DiskFiles("").read(path("secret.yaml")).error(), "cannot be read: Permission denied");
}

TEST_F(ScenarioFiles, ListsSorted) {
  write("b.yaml", "");
  write("a.yaml", "");
  const DiskFiles files("");
  EXPECT_EQ(files.list(folder_.string()), (std::vector<std::string>{"a.yaml", "b.yaml", "inner"}));
  EXPECT_TRUE(files.list(path("none")).empty());
}

TEST_F(ScenarioFiles, RootIsEmptyWhereItIsTheWorkingFolder) {
  EXPECT_EQ(DiskFiles(fs::current_path().string()).project_root(), "");
  EXPECT_EQ(DiskFiles(folder_.string()).project_root(), folder_.string());
}

TEST(ScenarioPaths, JoinAndFolder) {
  EXPECT_EQ(join_path("", "a.yaml"), "a.yaml");
  EXPECT_EQ(join_path("x/y", "../a.yaml"), "x/a.yaml");
  EXPECT_EQ(join_path("x", "/a.yaml"), "/a.yaml");
  EXPECT_EQ(join_path("x", ""), "x");
  EXPECT_EQ(join_path("x", "."), "x");
  EXPECT_EQ(join_path("", ""), "");
  EXPECT_EQ(file_name_of("x/y/a.yaml"), "a.yaml");
  EXPECT_EQ(folder_of("x/y/a.yaml"), "x/y");
  EXPECT_EQ(folder_of("a.yaml"), "");
}

TEST(ScenarioPaths, FindFile) {
  const MemoryFiles files({{"here/a.yaml", ""}, {"root/a.yaml", ""}, {"root/b.yaml", ""}}, "root");
  EXPECT_EQ(find_file(files, "here", "a.yaml"), "here/a.yaml");
  EXPECT_EQ(find_file(files, "here", "b.yaml"), "root/b.yaml");
  EXPECT_EQ(find_file(files, "here", "c.yaml"), std::nullopt);
  EXPECT_EQ(find_file(files, "here", ""), std::nullopt);
}

}  // namespace
}  // namespace faultline
