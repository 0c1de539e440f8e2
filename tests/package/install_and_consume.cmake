# The steps of a user of the installed package, each of which must succeed.
file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)

function(must_succeed what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result}):\n${output}")
  endif()
  message(STATUS "${what}: done")
endfunction()

must_succeed("install" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
must_succeed("configure the consumer" ${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX_COMPILER} -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
  -D "CMAKE_CXX_FLAGS=${CXX_FLAGS}")
must_succeed("build the consumer" ${CMAKE_COMMAND} --build ${WORK_DIR}/build)
must_succeed("run with enfold::lcp" ${WORK_DIR}/build/with_lcp)
must_succeed("run with enfold::enfold" ${WORK_DIR}/build/with_enfold)


# The examples are a project of their own, too.
must_succeed("configure the example" ${CMAKE_COMMAND} -S ${EXAMPLES_DIR} -B ${WORK_DIR}/example -G ${GENERATOR}
  -D ENFOLD_EXAMPLES=01_turn_an_ellipse
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX_COMPILER} -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
  -D "CMAKE_CXX_FLAGS=${CXX_FLAGS}")
must_succeed("build the example" ${CMAKE_COMMAND} --build ${WORK_DIR}/example)
must_succeed("run the example" ${WORK_DIR}/example/01_turn_an_ellipse ${WORK_DIR})

# An installed package must not lean on the tree that it was built from.
file(GLOB_RECURSE package_files ${prefix}/*/cmake/enfold/*.cmake)
foreach(package_file IN LISTS package_files)
  file(READ ${package_file} text)
  string(FIND "${text}" "${BUILD_DIR}" found)
  string(FIND "${text}" "${WORK_DIR}" found_prefix)
  if(NOT found EQUAL -1 OR NOT found_prefix EQUAL -1)
    message(FATAL_ERROR "${package_file} names the build tree or the prefix that it was installed to")
  endif()
endforeach()
if(NOT package_files)
  message(FATAL_ERROR "no package files under ${prefix}")
endif()
