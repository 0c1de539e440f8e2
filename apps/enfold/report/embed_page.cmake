# Writes OUTPUT, a C++ source with the parts of the report page. FOLDER holds page.html, style.css and the modules; MODULES lists
# them in the order of their use; LIBRARY and LIBRARY_STYLE are dygraphs' files.
#
# The modules are ES modules, so that editors and tests read them as they are. In the page they share one scope: lines that
# import are left out, and so is the word export.
set(script "(() => {\n\"use strict\";\n")
foreach(module IN LISTS MODULES)
  file(READ ${FOLDER}/${module} text)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "// ---- ${module}\n${text}\n")
endforeach()
string(APPEND script "})();\n")

file(READ ${FOLDER}/page.html html)
file(READ ${FOLDER}/style.css style)
file(READ ${LIBRARY} library)
file(READ ${LIBRARY_STYLE} library_style)
string(REGEX REPLACE "//# sourceMappingURL=[^\n]*" "" library "${library}")
string(REGEX REPLACE "/\\*# sourceMappingURL=[^*]*\\*/" "" library_style "${library_style}")

set(entries "")
foreach(part IN ITEMS html style script library_style library)
  if(part MATCHES "script|library$" AND "${${part}}" MATCHES "</script")
    message(FATAL_ERROR "${part} would end its script element")
  endif()
  string(APPEND entries "      R\"enfold_page(${${part}})enfold_page\",\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from apps/enfold/report/page and dygraphs.
#include \"report/report_page.hpp\"

namespace enfold::app {

const PageParts& page_parts() {
  static const PageParts parts{
${entries}  };
  return parts;
}

}  // namespace enfold::app
")
