# Writes OUTPUT, a C++ source with the text of FILES as raw strings.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"yaml(${text})yaml\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from scenarios/*.yaml.
#include \"embedded_scenarios.hpp\"

namespace enfold::app {

const std::vector<EmbeddedScenario>& embedded_scenarios() {
  static const std::vector<EmbeddedScenario> all = {
${entries}  };
  return all;
}

}  // namespace enfold::app
")
