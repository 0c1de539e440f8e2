// SPDX-License-Identifier: BSD-3-Clause
#include "lcp_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "enfold/lcp/lcp_residual.hpp"
#include "enfold/lcp/lemke.hpp"

namespace enfold::app {
namespace {

using Json = nlohmann::ordered_json;
using lcp::ClassVerdict;
using lcp::EnumerationStatus;
using lcp::MatrixClass;

constexpr std::size_t kShownSolutions = 16;
constexpr Index kShownEntries = 12;

std::vector<Index> from_one(std::vector<Index> indices) {
  for (Index& i : indices) ++i;
  return indices;
}

std::string set_text(const std::vector<Index>& indices) {
  return fmt::format("{{{}}}", fmt::join(from_one(indices), ", "));
}

std::string vector_text(const VectorXd& v) {
  std::string text;
  for (Index i = 0; i < std::min(v.size(), kShownEntries); ++i)
    text += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", v(i) == 0.0 ? 0.0 : v(i));
  return fmt::format("({}{})", text, v.size() > kShownEntries ? ", …" : "");
}

bool is(const LcpReport& report, MatrixClass c) {
  return report.classes.verdict(c) == ClassVerdict::kYes;
}

// What is proved of the number of solutions; the enumeration first, then what class and Lemke together prove.
void judge(LcpReport& report) {
  const auto say = [&](std::string verdict, std::string reason) {
    report.verdict = std::move(verdict);
    report.verdict_reason = std::move(reason);
  };
  const Index n = report.A.rows();
  const auto count = static_cast<Index>(report.all.solutions.size());
  if (report.all.status == EnumerationStatus::kExact) {
    say(count == 0 ? "no solution" : (count == 1 ? "one solution" : fmt::format("{} solutions", count)),
        fmt::format("all {} complementary bases were tried", Index{1} << n));
  } else if (report.all.status == EnumerationStatus::kContinuum) {
    say("infinitely many solutions", "a singular basis is solved by a whole polyhedron");
  } else if (report.infeasible) {
    say("no solution", "Lemke's ray proves that no x ≥ 0 has Ax + b ≥ 0");
  } else if (is(report, MatrixClass::kP)) {
    say("one solution", "A is a P-matrix");
  } else {
    const std::string found = report.lemke.ok()
                                  ? "at least one solution exists; whether it is the only one is open"
                                  : "whether a solution exists is open";
    say("not proved", report.all.status == EnumerationStatus::kTooLarge
                          ? fmt::format("n = {} is above the limit of {} for enumeration; {}", n,
                                        lcp::EnumerationOptions{}.limit, found)
                          : "a basis is singular to rounding; " + found);
  }
}

std::string lemke_text(const LcpReport& report) {
  switch (report.lemke.status) {
    case lcp::LcpStatus::kSolved:
      return is(report, MatrixClass::kP) ? "solved; A is P, so this is the only solution" : "solved";
    case lcp::LcpStatus::kRayTermination:
      if (report.infeasible) return "ended in a ray, which proves that no x ≥ 0 has Ax + b ≥ 0";
      return "ended in a ray: no solution found, which proves nothing for this class";
    case lcp::LcpStatus::kMaxPivots:
      return "gave up at the pivot limit: nothing is proved";
    default:
      return "reached a basis whose residual is too large: nothing is proved";
  }
}

void add_solutions(const LcpReport& report, std::vector<std::string>& lines) {
  lines.push_back(fmt::format("number of solutions: {} ({})", report.verdict, report.verdict_reason));
  const bool continuum = report.all.status == EnumerationStatus::kContinuum;
  if (continuum) lines.emplace_back("  vertices of the solution set:");
  const auto& solutions = report.all.solutions;
  for (std::size_t k = 0; k < std::min(solutions.size(), kShownSolutions); ++k) {
    lines.push_back(fmt::format("  {:>2}. active {}, residual {:.2g}", k + 1, set_text(solutions[k].active),
                                solutions[k].residual));
    lines.push_back(fmt::format("      x = {}", vector_text(solutions[k].x)));
    lines.push_back(fmt::format("      y = {}", vector_text(solutions[k].y)));
  }
  if (solutions.size() > kShownSolutions)
    lines.push_back(fmt::format("  … and {} more; --json has them all", solutions.size() - kShownSolutions));
  lines.push_back(fmt::format("Lemke: {} (pivots: {})", lemke_text(report), report.lemke.pivots));
  if (report.lemke.ok()) {
    lines.push_back(fmt::format("      x = {}", vector_text(report.lemke.x)));
    lines.push_back(fmt::format("      y = {}", vector_text(report.lemke.y)));
    lines.push_back(fmt::format("      residual {:.2g}", report.lemke.residual));
  }
}

std::string count_text(const std::optional<Index>& count) {
  return count ? fmt::format("{}", *count) : std::string("infinitely many");
}

void add_change(const lcp::SolutionChange& change, std::vector<std::string>& lines) {
  using lcp::ChangeStatus;
  const std::string head = "nearest b with another number of solutions: ";
  if (change.status == ChangeStatus::kNever) {
    lines.push_back(head + "none, the number is the same for every b");
  } else if (change.status == ChangeStatus::kTooLarge) {
    lines.push_back(
        fmt::format("{}not proved (n is above the limit of {})", head, lcp::SolutionChangeOptions{}.limit));
  } else if (change.status == ChangeStatus::kUndecided) {
    lines.push_back(fmt::format("{}not proved (rounding hides it); none is nearer than {:.6g}", head,
                                change.lower_bound));
  } else {
    lines.push_back(fmt::format(
        "{}distance {}{:.6g}", head,
        change.status == ChangeStatus::kBetween ? fmt::format("between {:.6g} and ", change.lower_bound) : "",
        change.distance));
    lines.push_back(fmt::format("      b' = {}", vector_text(change.b_changed)));
    lines.push_back(fmt::format(
        "      there {}: {} → {}",
        change.kind == lcp::ChangeKind::kFold
            ? fmt::format("solutions {} and {} meet", set_text(change.active), set_text([&] {
                            std::vector<Index> S = change.active;
                            S.insert(std::upper_bound(S.begin(), S.end(), change.index), change.index);
                            return S;
                          }()))
            : fmt::format("the minor {} is zero", set_text(change.active)),
        count_text(change.count_before), count_text(change.count_after)));
  }
}

std::string second_text(const SecondFrontier& second) {
  switch (second.verdict) {
    case SecondVerdict::kFrontier:
      return fmt::format("P for 0 ≤ r < {:.9g}; at {:.9g}, {}", second.r, second.r, second.reason);
    case SecondVerdict::kNever:
      return "P for every r ≥ 0; " + second.reason;
    case SecondVerdict::kNotAtZero:
      return "not P at r = 0; " + second.reason;
    case SecondVerdict::kNotProved:
      return "not proved; " + second.reason;
  }
  return "";
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json numbers(const VectorXd& v) {
  return std::vector<double>(v.data(), v.data() + v.size());
}

Json vector_or_null(const VectorXd& v) {
  return v.size() > 0 ? numbers(v) : Json(nullptr);
}

Json count_json(const std::optional<Index>& count) {
  return count ? Json(*count) : Json(nullptr);
}

Json classes_json(const LcpReport& report) {
  Json classes = Json::object();
  for (const lcp::ClassFinding& finding : report.classes.findings) {
    classes[std::string(to_string(finding.matrix_class))] = {
        {"verdict", to_string(finding.verdict)},
        {"reason", finding.reason},
        {"meaning", lcp::meaning_for_lcp(finding.matrix_class)},
        {"indices", from_one(finding.indices)},
        {"witness", vector_or_null(finding.witness)},
        {"value", number(finding.value)},
    };
  }
  return classes;
}

Json solutions_json(const LcpReport& report) {
  Json list = Json::array();
  for (const lcp::EnumeratedSolution& s : report.all.solutions) {
    list.push_back(
        {{"active", from_one(s.active)}, {"x", numbers(s.x)}, {"y", numbers(s.y)}, {"residual", s.residual}});
  }
  return {{"verdict", report.verdict},
          {"reason", report.verdict_reason},
          {"enumeration", to_string(report.all.status)},
          {"count", count_json(report.all.count())},
          {"list", list}};
}

Json lemke_json(const LcpReport& report) {
  const lcp::LcpSolution& s = report.lemke;
  return {{"status", to_string(s.status)},
          {"text", lemke_text(report)},
          {"x", s.ok() ? numbers(s.x) : Json(nullptr)},
          {"y", s.ok() ? numbers(s.y) : Json(nullptr)},
          {"residual", number(s.residual)},
          {"pivots", s.pivots},
          {"proves_infeasible", report.infeasible}};
}

Json change_json(const lcp::SolutionChange& change) {
  return {{"status", to_string(change.status)},
          {"kind", to_string(change.kind)},
          {"distance", number(change.distance)},
          {"lower_bound", number(change.lower_bound)},
          {"b", vector_or_null(change.b_changed)},
          {"b_beyond", vector_or_null(change.b_beyond)},
          {"active", from_one(change.active)},
          {"index", change.index < 0 ? Json(nullptr) : Json(change.index + 1)},
          {"count_before", count_json(change.count_before)},
          {"count_after", count_json(change.count_after)}};
}

Json second_json(const SecondFrontier& second) {
  const char* verdict = second.verdict == SecondVerdict::kFrontier    ? "frontier"
                        : second.verdict == SecondVerdict::kNever     ? "never"
                        : second.verdict == SecondVerdict::kNotAtZero ? "not P at zero"
                                                                      : "not proved";
  return {{"verdict", verdict},
          {"r", second.verdict == SecondVerdict::kFrontier || second.verdict == SecondVerdict::kNotAtZero
                    ? number(second.r)
                    : Json(nullptr)},
          {"indices", from_one(second.indices)},
          {"reason", second.reason}};
}

}  // namespace

LcpReport make_lcp_report(const MatrixXd& A, const std::optional<VectorXd>& b) {
  LcpReport report;
  report.A = A;
  report.b = b;
  report.classes = lcp::classify(A);
  if (!b) return report;
  const lcp::LcpProblem problem{A, *b};
  report.all = lcp::enumerate_solutions(problem);
  report.lemke = lcp::solve_lemke(problem);
  report.infeasible = report.lemke.status == lcp::LcpStatus::kRayTermination &&
                      lcp::ray_proves_infeasibility(problem, report.lemke.ray);
  report.change = lcp::nearest_solution_change(problem);
  judge(report);
  return report;
}

std::vector<std::string> lcp_report_lines(const LcpReport& report) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("n = {}", report.A.rows()));
  lines.emplace_back("classes of A (indices count from 1):");
  for (const lcp::ClassFinding& finding : report.classes.findings) {
    lines.push_back(fmt::format("  {:<23}{:<11}{}", to_string(finding.matrix_class),
                                to_string(finding.verdict), finding.reason));
    if (finding.verdict == ClassVerdict::kYes)
      lines.push_back(fmt::format("{:36}⇒ {}", "", lcp::meaning_for_lcp(finding.matrix_class)));
  }
  if (report.b) {
    add_solutions(report, lines);
    add_change(report.change, lines);
  }
  if (report.second) lines.push_back("A + r·B: " + second_text(*report.second));
  return lines;
}

std::string lcp_report_json(const LcpReport& report) {
  Json A = Json::array();
  for (Index i = 0; i < report.A.rows(); ++i) A.push_back(numbers(report.A.row(i).transpose()));
  Json out;
  out["n"] = report.A.rows();
  out["A"] = A;
  out["b"] = report.b ? numbers(*report.b) : Json(nullptr);
  out["classes"] = classes_json(report);
  if (report.b) {
    out["solutions"] = solutions_json(report);
    out["lemke"] = lemke_json(report);
    out["nearest_change"] = change_json(report.change);
  }
  if (report.second) out["second"] = second_json(*report.second);
  return out.dump(2) + "\n";
}

}  // namespace enfold::app
