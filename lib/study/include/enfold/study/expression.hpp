// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::study {

/// A formula over named numbers, such as `0.5*length_m^2/12` or `smallest_normal_N >= 0.4 and abs(e) < 1e-3`.
///
/// Weakest first: or; and; not; < <= > >= == !=; + −; * /; sign; ^ (to the right). Functions abs sqrt exp log
/// sin cos tan min max, the constant pi. True is 1 and false 0; any number but 0 counts as true. A comparison
/// with NaN is false, `!=` apart. Names are letters, digits, `_` and `.`, not starting with a digit.
class Expression {
 public:
  /// Throws InvalidArgument that says what is wrong and where, counting characters from 1.
  explicit Expression(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The names it uses, each once, in the order of their first use.
  [[nodiscard]] const std::vector<std::string>& variables() const { return variables_; }
  /// @param values of variables(), in that order  @pre sizes agree (throws InvalidArgument)
  [[nodiscard]] double evaluate(std::span<const double> values) const;

  enum class Operation : std::uint8_t {
    kNumber,
    kVariable,
    kNegate,
    kNot,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kNotEqual,
    kAnd,
    kOr,
    kAbs,
    kSqrt,
    kExp,
    kLog,
    kSin,
    kCos,
    kTan,
    kMin,
    kMax
  };
  /// One step of the postfix program.
  struct Step {
    Operation operation;
    double number = 0.0;
    std::size_t variable = 0;
  };

 private:
  std::string text_;
  std::vector<std::string> variables_;
  std::vector<Step> program_;
};

}  // namespace enfold::study
