# Warnings for our own targets. Werror comes from the presets (ENFOLD_WERROR), never from an exported build.
add_library(enfold_warnings INTERFACE)
target_compile_options(enfold_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wdouble-promotion $<$<BOOL:${ENFOLD_WERROR}>:-Werror>)
# Same bytes for the same scenario, seed and build: no fused operations behind our back.
target_compile_options(enfold_warnings INTERFACE -ffp-contract=off)

if(ENFOLD_SANITIZE)
  # null, alignment and vptr would nearly double the compile time of Eigen: AddressSanitizer stops at a null pointer as well, and
  # Eigen asserts alignment itself. Under sanitizers GCC 12 sees uninitialised members in std::regex that are not.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment,vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(EIGEN_INITIALIZE_MATRICES_BY_NAN)
endif()
if(ENFOLD_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
