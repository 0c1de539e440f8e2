# Umbrella target enfold::enfold, and the CMake package `enfold` that an installed tree offers.
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY ENFOLD_MODULES)
add_library(enfold_enfold INTERFACE)
add_library(enfold::enfold ALIAS enfold_enfold)
set_target_properties(enfold_enfold PROPERTIES EXPORT_NAME enfold)
foreach(module IN LISTS modules)
  target_link_libraries(enfold_enfold INTERFACE enfold_${module})
endforeach()
install(TARGETS enfold_enfold EXPORT enfoldTargets)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/enfold)
install(EXPORT enfoldTargets NAMESPACE enfold:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/enfoldConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/enfoldConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/enfoldConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/enfoldConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/enfoldConfigVersion.cmake DESTINATION ${package_dir})
