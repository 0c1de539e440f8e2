# The report page: our modules and Debian's dygraphs become part of the program; a page needs no other file.
find_file(ENFOLD_DYGRAPHS dygraph.min.js PATHS /usr/share/javascript/dygraphs /usr/share/nodejs/dygraphs/dist)
find_file(ENFOLD_DYGRAPHS_STYLE dygraph.min.css PATHS /usr/share/javascript/dygraphs /usr/share/nodejs/dygraphs/dist)
if(NOT ENFOLD_DYGRAPHS OR NOT ENFOLD_DYGRAPHS_STYLE)
  message(FATAL_ERROR "dygraph.min.js was not found: install libjs-dygraphs (scripts/setup does), or set ENFOLD_DYGRAPHS and ENFOLD_DYGRAPHS_STYLE")
endif()
set(page_folder ${CMAKE_CURRENT_LIST_DIR}/page)
set(page_modules format.js p_matrix.js run.js theme.js clock.js scene.js plot_card.js plots.js strips.js mu_map.js tables.js
  compare.js transport.js main.js)
list(TRANSFORM page_modules PREPEND ${page_folder}/ OUTPUT_VARIABLE page_sources)
set(embedded_page ${CMAKE_CURRENT_BINARY_DIR}/embedded_page.cpp)
add_custom_command(OUTPUT ${embedded_page}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded_page} -DFOLDER=${page_folder} "-DMODULES=${page_modules}"
    -DLIBRARY=${ENFOLD_DYGRAPHS} -DLIBRARY_STYLE=${ENFOLD_DYGRAPHS_STYLE} -P ${CMAKE_CURRENT_LIST_DIR}/embed_page.cmake
  DEPENDS ${page_sources} ${page_folder}/page.html ${page_folder}/style.css ${ENFOLD_DYGRAPHS} ${ENFOLD_DYGRAPHS_STYLE}
    ${CMAKE_CURRENT_LIST_DIR}/embed_page.cmake VERBATIM)

target_sources(enfold_app PRIVATE ${embedded_page} report_command.cpp
  report/base64.cpp report/report_page.cpp report/report_run.cpp report/run_table.cpp report/thin_rows.cpp)
