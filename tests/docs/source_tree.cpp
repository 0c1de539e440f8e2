// SPDX-License-Identifier: BSD-3-Clause
#include "source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>

#include "enfold/test/source_dir.hpp"

namespace enfold::test {

namespace fs = std::filesystem;

fs::path source_root() {
  return fs::path(source_dir());
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string relative_name(const fs::path& file) {
  return file.lexically_relative(source_root()).generic_string();
}

std::vector<fs::path> files_below(const fs::path& folder, std::initializer_list<std::string_view> endings) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (entry.is_regular_file() && std::find(endings.begin(), endings.end(), ending) != endings.end())
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> code_files() {
  std::vector<fs::path> files;
  for (const char* folder : {"lib", "controllers", "planners", "models", "apps"}) {
    const std::vector<fs::path> some = files_below(source_root() / folder, {".hpp", ".cpp"});
    files.insert(files.end(), some.begin(), some.end());
  }
  return files;
}

std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex directive(R"(#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"])");
  std::vector<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), directive), end; it != end; ++it)
    names.push_back((*it)[1].str());
  return names;
}

}  // namespace enfold::test
