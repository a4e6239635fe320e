#include "sim/scenario/parse_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/text_check.h"
#include "sim/scenario/yaml_marks.h"

namespace faultline {
namespace {

// "!training" as written; yaml-cpp spells `!!str` out and invents "?" and "!" for untagged nodes.
std::string written_tag(const std::string& tag) {
  constexpr std::string_view kCore = "tag:yaml.org,2002:";
  if (tag == "?" || tag == "!") return "";
  if (tag.compare(0, kCore.size(), kCore) == 0) return "!!" + tag.substr(kCore.size());
  return tag;
}

constexpr const char* kNoAnchors =
    "anchors (`&name`) are not supported: write the values, or share them with `extends: FILE`";
constexpr const char* kNoAliases =
    "aliases (`*name`) are not supported: write the values, or share them with `extends: FILE`";

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const YamlMarks& marks, Diagnostics& diagnostics)
      : marks_(marks), diagnostics_(diagnostics) {}

  Tree take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& place, YAML::anchor_t anchor) override {
    Tree node;
    node.mark = marks_.at(place);
    // At the end of the text, yaml-cpp drops the tag of an empty value.
    node.tag = marks_.tag_at(place);
    if (!node.tag.empty()) {
      node.kind = Tree::Kind::kScalar;
      node.mark.width = count_characters(node.tag);
    }
    if (refuse_anchor(node.mark, anchor)) node.kind = Tree::Kind::kBroken;
    place_node(std::move(node));
  }
  void OnAlias(const YAML::Mark& place, YAML::anchor_t) override {
    Tree node;
    node.kind = Tree::Kind::kBroken;
    node.mark = marks_.at(place);
    if (!refused_alias_) complain(node.mark, kNoAliases);
    refused_alias_ = true;
    place_node(std::move(node));
  }
  void OnScalar(const YAML::Mark& place, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Tree node;
    node.kind = Tree::Kind::kScalar;
    node.text = value;
    node.quoted = tag == "!";
    node.tag = written_tag(tag);
    node.mark = marks_.at(place, count_characters(value) + (node.quoted ? 2 : 0));
    if (!node.tag.empty()) node.mark.width += count_characters(node.tag) + (value.empty() ? 0 : 1);
    if (refuse_anchor(node.mark, anchor)) node.kind = Tree::Kind::kBroken;
    if (node.quoted && !marks_.closes_quote(place)) {
      node.kind = Tree::Kind::kBroken;
      complain(node.mark, "the closing quote is missing");
    }
    place_node(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& place, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Tree::Kind::kList, place, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& place, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Tree::Kind::kMap, place, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  // A collection under construction, with the key that waits for its value.
  struct Open {
    Tree node;
    bool broken = false;
    bool has_key = false;
    bool keep = true;  // false: the value of a refused key, read and dropped
    TreeEntry entry;
    std::map<std::string, int> line_of_key;
  };

  void complain(const Mark& mark, std::string problem, std::string expected = "") {
    diagnostics_.add({mark, "", std::move(problem), "", std::move(expected), ""});
  }
  bool refuse_anchor(const Mark& mark, YAML::anchor_t anchor) {
    if (anchor == 0) return false;
    if (!refused_anchor_) complain(mark, kNoAnchors);
    refused_anchor_ = true;
    return true;
  }

  void open(Tree::Kind kind, const YAML::Mark& place, const std::string& tag,
            YAML::anchor_t anchor) {
    Open opened;
    opened.node.kind = kind;
    opened.node.tag = written_tag(tag);
    opened.node.mark = marks_.at(place, std::max(1, count_characters(opened.node.tag)));
    opened.broken = refuse_anchor(opened.node.mark, anchor);
    if (static_cast<int>(open_.size()) >= kDeepestTree) {
      opened.broken = true;
      if (!too_deep_) {
        complain(opened.node.mark,
                 "is nested more than " + std::to_string(kDeepestTree) + " levels deep");
      }
      too_deep_ = true;
    }
    open_.push_back(std::move(opened));
  }

  void close() {
    Tree node = std::move(open_.back().node);
    if (open_.back().broken) node = make_tree(Tree::Kind::kBroken, node.mark);
    open_.pop_back();
    place_node(std::move(node));
  }

  void place_node(Tree node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Tree::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      take_key(parent, node);
    } else {
      // yaml-cpp places a value that is not there at the next thing that is.
      const Mark& key = parent.entry.mark;
      if (node.kind == Tree::Kind::kNull && node.mark.line != key.line) node.mark = key;
      parent.entry.value = std::move(node);
      parent.has_key = false;
      if (parent.keep) parent.node.entries.push_back(std::move(parent.entry));
    }
  }

  void take_key(Open& parent, const Tree& key) {
    const bool was_incomplete = parent.node.incomplete;
    parent.has_key = true;
    parent.keep = false;
    parent.node.incomplete = true;
    if (key.kind == Tree::Kind::kBroken) return;
    if (key.kind != Tree::Kind::kScalar || !key.tag.empty()) {
      complain(key.mark, "a key must be plain text",
               key.kind == Tree::Kind::kScalar ? "no tag" : "`key: value`");
      return;
    }
    if (key.text == "<<" && !key.quoted) {
      complain(key.mark, "merge keys (`<<`) are not supported",
               "`extends: FILE`, which takes a file and changes what the map names");
      return;
    }
    const auto [first, is_new] = parent.line_of_key.emplace(key.text, key.mark.line);
    parent.node.incomplete = was_incomplete;
    if (!is_new) {
      complain(key.mark, "key `" + printable(key.text) + "` is given twice (first in line " +
                             std::to_string(first->second) + ")");
      return;
    }
    parent.keep = true;
    parent.entry = {key.text, key.mark, Tree()};
  }

  const YamlMarks& marks_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  Tree root_;
  // Each of these is said once: a file that does it, does it often.
  bool too_deep_ = false;
  bool refused_anchor_ = false;
  bool refused_alias_ = false;
};

// Notes only that a document is there, and where.
class DocumentSpotter final : public YAML::EventHandler {
 public:
  const YAML::Mark& place() const { return place_; }

  void OnDocumentStart(const YAML::Mark& place) override { place_ = place; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  YAML::Mark place_;
};

std::string in_plain_words(const std::string& message) {
  using Words = std::pair<std::string_view, std::string_view>;
  const std::array<Words, 12> words{
      Words{YAML::ErrorMsg::MAP_VALUE,
            "a `:` stands where no key can be: check the indentation, or put a text with `: ` in "
            "quotes"},
      Words{YAML::ErrorMsg::MAP_KEY, "a `?` stands where no key can be"},
      Words{YAML::ErrorMsg::END_OF_MAP, "does not continue the map above: check the indentation"},
      Words{YAML::ErrorMsg::END_OF_SEQ, "does not continue the list above: check the indentation"},
      Words{YAML::ErrorMsg::END_OF_MAP_FLOW,
            "the `{` before it is not closed: `,` or `}` is missing"},
      Words{YAML::ErrorMsg::END_OF_SEQ_FLOW,
            "the `[` before it is not closed: `,` or `]` is missing"},
      Words{YAML::ErrorMsg::FLOW_END, "a `]` or `}` closes nothing"},
      Words{YAML::ErrorMsg::BLOCK_ENTRY, "a list item (`- `) cannot stand here"},
      Words{YAML::ErrorMsg::EOF_IN_SCALAR, "the closing quote is missing"},
      Words{YAML::ErrorMsg::UNKNOWN_TOKEN, "this character needs quotes around the text"},
      Words{YAML::ErrorMsg::UNKNOWN_ANCHOR, kNoAliases},
      Words{YAML::ErrorMsg::BAD_FILE, "is nested too deep"}};
  for (const auto& [theirs, ours] : words) {
    if (message.compare(0, theirs.size(), theirs) == 0) return std::string(ours);
  }
  return "is not valid YAML: " + message;
}

// The last line up to the place of a syntax error that is indented with a tab: the likely culprit.
std::optional<std::size_t> indenting_tab(const std::string& text, const YamlMarks& marks,
                                         int line) {
  const auto& begins = marks.line_begins();
  const auto first = std::min(static_cast<std::size_t>(std::max(0, line)), begins.size() - 1);
  for (std::size_t i = first + 1; i-- > 0;) {
    const std::size_t content = text.find_first_not_of(" \t", begins[i]);
    const std::size_t tab = text.find('\t', begins[i]);
    if (tab < content && content != std::string::npos && text[content] != '\n' &&
        text[content] != '\r' && text[content] != '#') {
      return tab;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Tree> parse_yaml(const SourcePtr& source, Diagnostics& diagnostics,
                               std::size_t begin) {
  const YamlMarks marks(source, begin);
  if (const auto bad = first_bad_byte(source->text)) {
    Mark mark = marks.at_byte(bad->byte);
    if (bad->binary) mark.line = 0;  // such a line is nothing to show
    diagnostics.add({mark, "", bad->problem, "", "a YAML file in UTF-8", ""});
    return std::nullopt;
  }
  try {
    std::istringstream in(source->text.substr(begin));
    YAML::Parser parser(in);
    TreeBuilder builder(marks, diagnostics);
    if (!parser.HandleNextDocument(builder)) return make_tree(Tree::Kind::kNull, {source, 0, 0, 1});
    Tree root = builder.take_root();
    DocumentSpotter second;
    if (parser.HandleNextDocument(second)) {
      diagnostics.add({marks.at(second.place()), "", "a second document starts here", "",
                       "one document in a file", ""});
    }
    return root;
  } catch (const YAML::Exception& error) {
    if (const auto tab = indenting_tab(source->text, marks, error.mark.line)) {
      diagnostics.add({marks.at_byte(*tab), "", "a tab indents this line", "",
                       "spaces: YAML does not allow tabs here", ""});
    } else {
      const bool at_end = marks.is_past_text(error.mark);
      diagnostics.add({at_end ? marks.at_end() : marks.at(error.mark), "",
                       in_plain_words(error.msg), "", "", ""});
    }
  } catch (const std::exception& error) {
    diagnostics.add({{source, 0, 0, 1}, "", "cannot be parsed", error.what(), "", ""});
  }
  return std::nullopt;
}

}  // namespace faultline
