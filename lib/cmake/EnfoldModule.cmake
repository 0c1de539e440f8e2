# enfold_add_module(NAME lcp SOURCES … HEADERS … DEPS enfold::math … PRIVATE_DEPS glpk …)
#
# Makes the library enfold_<name> (alias enfold::<name>) with its own include root, so that an #include of a
# module that is not in DEPS does not compile: this is how the layers of docs/architecture.md are enforced.
# Headers are listed relative to include/enfold/<name>/, sources relative to src/.
include(GNUInstallDirs)

# Eigen and fmt are most of what a module compiles: one precompiled header for all of them.
file(WRITE ${CMAKE_BINARY_DIR}/enfold_pch.cpp "")
add_library(enfold_pch OBJECT ${CMAKE_BINARY_DIR}/enfold_pch.cpp)
target_compile_features(enfold_pch PUBLIC cxx_std_20)
target_link_libraries(enfold_pch PRIVATE Eigen3::Eigen fmt::fmt enfold_warnings)
target_precompile_headers(enfold_pch PRIVATE
  <Eigen/Dense> <algorithm> <cmath> <fmt/format.h> <memory> <string> <string_view> <vector>)

function(enfold_add_module)
  cmake_parse_arguments(M "" "NAME" "SOURCES;HEADERS;DEPS;PRIVATE_DEPS" ${ARGN})
  list(TRANSFORM M_SOURCES PREPEND src/)
  list(TRANSFORM M_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/include/enfold/${M_NAME}/)
  set(target enfold_${M_NAME})
  if(M_SOURCES)
    add_library(${target} STATIC ${M_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:enfold_warnings>)
    target_precompile_headers(${target} REUSE_FROM enfold_pch)
    foreach(dep IN LISTS M_PRIVATE_DEPS)
      target_link_libraries(${target} PRIVATE ${dep})
    endforeach()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(enfold::${M_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${M_NAME} VERIFY_INTERFACE_HEADER_SETS ON)
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${M_DEPS})
  target_sources(${target} ${scope} FILE_SET HEADERS
    BASE_DIRS ${CMAKE_CURRENT_SOURCE_DIR}/include FILES ${M_HEADERS})
  install(TARGETS ${target} EXPORT enfoldTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  set_property(GLOBAL APPEND PROPERTY ENFOLD_MODULES ${M_NAME})
endfunction()

# enfold_add_test(NAME lcp_unit LABELS unit SOURCES … DEPS …): one executable, one ctest entry per TEST.
# LABELS: unit, property, golden, integration or docs; also slow (scripts/test --full only) or no_sanitizer.
function(enfold_add_test)
  cmake_parse_arguments(T "" "NAME" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${T_NAME}_test ${T_SOURCES})
  # The precompiled header is C++20, and a test may have no enfold:: dependency to take that from.
  target_compile_features(${T_NAME}_test PRIVATE cxx_std_20)
  target_link_libraries(${T_NAME}_test PRIVATE ${T_DEPS} enfold_test_support enfold_warnings)
  # False alarms of GCC 12 that depend on inlining: overruns in string + "…", a use after free in Eigen's aligned memory. The sanitizers look for the real ones.
  target_compile_options(${T_NAME}_test PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-restrict;-Wno-use-after-free>")
  target_precompile_headers(${T_NAME}_test REUSE_FROM enfold_test_pch)
  # The files of one program instantiate the same Eigen templates: compiled as one, they do so once.
  set_target_properties(${T_NAME}_test PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  gtest_discover_tests(${T_NAME}_test DISCOVERY_TIMEOUT 120 PROPERTIES TIMEOUT 600)
  # gtest_discover_tests cannot carry a list as the value of a property, and a test may have several labels.
  set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/${T_NAME}_labels.cmake)
  file(WRITE ${labels_file} "foreach(test IN LISTS ${T_NAME}_test_TESTS)
  set_tests_properties(\"\${test}\" PROPERTIES LABELS \"${T_LABELS}\")
endforeach()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
endfunction()
