#include "sim/cli/argument_check.h"

#include <fmt/format.h>

#include <map>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

bool looks_like_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::string name_part(const std::string& word) { return word.substr(0, word.find('=')); }

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// Nothing for a positional or an unknown word.
const CLI::Option* find_option(const CLI::App& app, const std::string& name) {
  return looks_like_option(name) ? app.get_option_no_throw(name) : nullptr;
}

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& allowed) {
  const std::string suggestion = suggest(typed, allowed);
  return suggestion.empty() ? "" : fmt::format("; did you mean `{}`?", suggestion);
}

class CommandCheck {
 public:
  CommandCheck(const CLI::App& command, const std::vector<std::string>& words)
      : command_(command), words_(words), prefix_("faultline " + command.get_name() + ": ") {}

  std::optional<std::string> problem() {
    for (at_ = 1; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      auto found = looks_like_option(word) ? option_problem(word) : positional_problem(word);
      if (found) return prefix_ + *found;
      if (asks_for_help_) return std::nullopt;
    }
    return missing_positional();
  }

 private:
  std::optional<std::string> option_problem(const std::string& word) {
    const bool is_long = word.starts_with("--");
    const std::string name = is_long ? name_part(word) : word.substr(0, 2);
    const CLI::Option* option = find_option(command_, name);
    if (option == nullptr) {
      const std::string typed = name_part(word);
      // (One letter is close to every other one.)
      const std::string suggestion =
          is_long ? did_you_mean(typed, option_names(command_)) : std::string();
      return fmt::format("no option `{}`{}", printable(typed),
                         suggestion.empty()
                             ? fmt::format("; see `faultline {} --help`", command_.get_name())
                             : suggestion);
    }
    const bool has_value = word.size() > name.size();
    if (option->get_items_expected_min() == 0) {
      if (has_value) return fmt::format("`{}` takes no value", name);
      asks_for_help_ = asks_for_help_ || option == command_.get_help_ptr();
      return std::nullopt;
    }
    const bool next_is_value =
        at_ + 1 < words_.size() && find_option(command_, name_part(words_[at_ + 1])) == nullptr;
    if (word == name + "=" || (!has_value && !next_is_value)) {
      return fmt::format("`{}` needs a value: `{} {}`", name, name, option->get_type_name());
    }
    if (!has_value) ++at_;
    const bool repeats = option->get_items_expected_max() > 1;
    if (++times_[option] > 1 && !repeats) return fmt::format("`{}` is given twice", name);
    return std::nullopt;
  }

  std::optional<std::string> positional_problem(const std::string& word) {
    int most = 0;
    for (const CLI::Option* option : command_.get_options()) {
      if (option->get_positional()) most += option->get_items_expected_max();
    }
    if (++positionals_ > most) return fmt::format("unexpected argument `{}`", printable(word));
    return std::nullopt;
  }

  std::optional<std::string> missing_positional() const {
    int needed = 0;
    for (const CLI::Option* option : command_.get_options()) {
      if (!option->get_positional() || !option->get_required()) continue;
      if (++needed > positionals_) {
        return fmt::format("{}{} is missing; see `faultline {} --help`", prefix_,
                           option->get_name(true), command_.get_name());
      }
    }
    return std::nullopt;
  }

  const CLI::App& command_;
  const std::vector<std::string>& words_;
  const std::string prefix_;
  std::size_t at_ = 1;
  int positionals_ = 0;
  bool asks_for_help_ = false;
  std::map<const CLI::Option*, int> times_;
};

}  // namespace

std::optional<std::string> usage_problem(const CLI::App& app,
                                         const std::vector<std::string>& arguments) {
  const std::string& word = arguments.front();
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == word) return CommandCheck(*command, arguments).problem();
    commands.push_back(command->get_name());
  }
  if (!looks_like_option(word)) {
    const std::string suggestion = did_you_mean(word, commands);
    return fmt::format("faultline: no command `{}`{}", printable(word),
                       suggestion.empty() ? "; there are " + join_names(commands) : suggestion);
  }
  const std::string name = name_part(word);
  if (find_option(app, name) != nullptr) return std::nullopt;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (find_option(*command, name) != nullptr) {
      return fmt::format("faultline: the command comes first: `faultline {} ... {}`",
                         command->get_name(), name);
    }
  }
  return fmt::format("faultline: no option `{}`{}", printable(name),
                     did_you_mean(name, option_names(app)));
}

}  // namespace faultline
