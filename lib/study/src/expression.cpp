// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::study {
namespace {

using Operation = Expression::Operation;

struct Function {
  std::string_view name;
  Operation operation;
  int arguments;
};
constexpr std::array<Function, 9> kFunctions{{{"abs", Operation::kAbs, 1},
                                              {"sqrt", Operation::kSqrt, 1},
                                              {"exp", Operation::kExp, 1},
                                              {"log", Operation::kLog, 1},
                                              {"sin", Operation::kSin, 1},
                                              {"cos", Operation::kCos, 1},
                                              {"tan", Operation::kTan, 1},
                                              {"min", Operation::kMin, 2},
                                              {"max", Operation::kMax, 2}}};

/// Recursive descent, one function per strength of binding; writes the postfix program as it goes.
class Parser {
 public:
  Parser(const std::string& text, std::vector<std::string>& variables, std::vector<Expression::Step>& program)
      : text_{text}, variables_{variables}, program_{program} {}

  void parse() {
    any_of();
    skip_spaces();
    if (at_ < text_.size()) fail(fmt::format("'{}' is not expected there", text_[at_]));
  }

 private:
  void any_of() {
    all_of();
    while (take_word("or")) {
      all_of();
      emit(Operation::kOr);
    }
  }
  void all_of() {
    negation();
    while (take_word("and")) {
      negation();
      emit(Operation::kAnd);
    }
  }
  void negation() {
    const Nested nested(*this);
    if (take_word("not")) {
      negation();
      emit(Operation::kNot);
    } else {
      comparison();
    }
  }
  void comparison() {
    sum();
    static constexpr std::array<std::pair<std::string_view, Operation>, 6> kSigns{
        {{"<=", Operation::kLessEqual},
         {">=", Operation::kGreaterEqual},
         {"==", Operation::kEqual},
         {"!=", Operation::kNotEqual},
         {"<", Operation::kLess},
         {">", Operation::kGreater}}};
    for (const auto& [sign, operation] : kSigns) {
      if (!take(sign)) continue;
      sum();
      emit(operation);
      return;
    }
  }
  void sum() {
    product();
    for (;;) {
      const bool plus = take("+");
      if (!plus && !take("-")) return;
      product();
      emit(plus ? Operation::kAdd : Operation::kSubtract);
    }
  }
  void product() {
    sign();
    for (;;) {
      const bool times = take("*");
      if (!times && !take("/")) return;
      sign();
      emit(times ? Operation::kMultiply : Operation::kDivide);
    }
  }
  void sign() {
    const Nested nested(*this);
    if (take("-")) {
      sign();
      emit(Operation::kNegate);
    } else if (take("+")) {
      sign();
    } else {
      power();
    }
  }
  void power() {
    atom();
    if (!take("^")) return;
    sign();  // to the right, and 2^-1 is allowed
    emit(Operation::kPower);
  }
  void atom() {
    skip_spaces();
    if (at_ == text_.size()) fail("it ends where a value is expected");
    const char c = text_[at_];
    if (take("(")) {
      any_of();
      expect(")");
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      number();
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
      name();
    } else {
      fail(fmt::format("a value is expected, found '{}'", c));
    }
  }
  void number() {
    double value = 0.0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail("not a number");
    at_ += static_cast<std::size_t>(end - begin);
    program_.push_back({Operation::kNumber, value, 0});
  }
  void name() {
    const std::size_t begin = at_;
    const std::string word = peek_word();
    at_ += word.size();
    if (word == "pi") {
      program_.push_back({Operation::kNumber, std::numbers::pi, 0});
      return;
    }
    if (word == "and" || word == "or" || word == "not") {
      at_ = begin;
      fail(fmt::format("a value is expected, found '{}'", word));
    }
    if (take("(")) {
      const auto function = std::find_if(kFunctions.begin(), kFunctions.end(),
                                         [&](const Function& f) { return f.name == word; });
      if (function == kFunctions.end()) {
        at_ = begin;
        fail(fmt::format("there is no function '{}'; known: abs sqrt exp log sin cos tan min max", word));
      }
      any_of();
      for (int i = 1; i < function->arguments; ++i) {
        expect(",");
        any_of();
      }
      expect(")");
      emit(function->operation);
      return;
    }
    const auto known = std::find(variables_.begin(), variables_.end(), word);
    const auto index = static_cast<std::size_t>(known - variables_.begin());
    if (known == variables_.end()) variables_.push_back(word);
    program_.push_back({Operation::kVariable, 0.0, index});
  }

  void emit(Operation operation) { program_.push_back({operation, 0.0, 0}); }
  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  [[nodiscard]] std::string peek_word() const {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 ||
                                  text_[end] == '_' || text_[end] == '.')) {
      ++end;
    }
    return text_.substr(at_, end - at_);
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  bool take_word(std::string_view word) {
    skip_spaces();
    if (peek_word() != word) return false;
    at_ += word.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("'{}' is expected", token));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InvalidArgument(fmt::format("'{}', character {}: {}", text_, at_ + 1, what));
  }

  /// Brackets and signs nest by recursion: a limit keeps hostile texts off the end of the stack.
  struct Nested {
    explicit Nested(Parser& parser) : parser_{parser} {
      if (++parser_.depth_ > 200) parser_.fail("nested too deeply");
    }
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    Parser& parser_;
  };

  const std::string& text_;
  std::vector<std::string>& variables_;
  std::vector<Expression::Step>& program_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

double truth(bool value) {
  return value ? 1.0 : 0.0;
}

double apply(Operation operation, double a) {
  switch (operation) {
    case Operation::kNegate:
      return -a;
    case Operation::kNot:
      return truth(a == 0.0);
    case Operation::kAbs:
      return std::abs(a);
    case Operation::kSqrt:
      return std::sqrt(a);
    case Operation::kExp:
      return std::exp(a);
    case Operation::kLog:
      return std::log(a);
    case Operation::kSin:
      return std::sin(a);
    case Operation::kCos:
      return std::cos(a);
    default:
      return std::tan(a);
  }
}

double apply(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::kAdd:
      return a + b;
    case Operation::kSubtract:
      return a - b;
    case Operation::kMultiply:
      return a * b;
    case Operation::kDivide:
      return a / b;
    case Operation::kPower:
      return std::pow(a, b);
    case Operation::kLess:
      return truth(a < b);
    case Operation::kLessEqual:
      return truth(a <= b);
    case Operation::kGreater:
      return truth(a > b);
    case Operation::kGreaterEqual:
      return truth(a >= b);
    case Operation::kEqual:
      return truth(a == b);
    case Operation::kNotEqual:
      return truth(a != b);
    case Operation::kAnd:
      return truth(a != 0.0 && b != 0.0);
    case Operation::kOr:
      return truth(a != 0.0 || b != 0.0);
    case Operation::kMin:
      return std::min(a, b);
    default:
      return std::max(a, b);
  }
}

bool is_unary(Operation operation) {
  return operation == Operation::kNegate || operation == Operation::kNot ||
         (operation >= Operation::kAbs && operation <= Operation::kTan);
}

}  // namespace

Expression::Expression(std::string text) : text_{std::move(text)} {
  Parser(text_, variables_, program_).parse();
}

double Expression::evaluate(std::span<const double> values) const {
  ENFOLD_REQUIRE(values.size() == variables_.size(), "'{}' has {} variables, got {} values", text_,
                 variables_.size(), values.size());
  std::vector<double> stack;
  stack.reserve(program_.size());
  for (const Step& step : program_) {
    if (step.operation == Operation::kNumber) {
      stack.push_back(step.number);
    } else if (step.operation == Operation::kVariable) {
      stack.push_back(values[step.variable]);
    } else if (is_unary(step.operation)) {
      stack.back() = apply(step.operation, stack.back());
    } else {
      const double b = stack.back();
      stack.pop_back();
      stack.back() = apply(step.operation, stack.back(), b);
    }
  }
  return stack.back();
}

}  // namespace enfold::study
