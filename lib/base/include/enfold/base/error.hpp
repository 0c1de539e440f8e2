// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace enfold {

/// The caller broke a precondition; the message names the value found and the value expected.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A scenario can't be used as written. The message starts with file:line:column and names the key. → exit 2
class ScenarioError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The world is wrong: a missing file, a full disk, an unreadable folder. → exit 1
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace enfold
