// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"

int main(int argc, char** argv) {
  return enfold::app::run_command_line(argc, argv);
}
