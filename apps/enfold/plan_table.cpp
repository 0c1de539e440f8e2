// SPDX-License-Identifier: BSD-3-Clause
#include "plan_table.hpp"

#include <fmt/format.h>

#include <iterator>

namespace enfold::app {

std::string plan_csv(const Setup& setup, const control::Plan& plan) {
  const std::vector<std::string>& contacts = setup.model.contacts->names();
  const std::vector<std::string>& joints = setup.model.mechanism->joint_names();
  std::string out = "time_s";
  auto to = std::back_inserter(out);
  const Index p = plan.empty() ? 0 : plan.points.front().alpha_des.size();
  for (Index i = 1; i <= p; ++i) fmt::format_to(to, ",alpha_des.{}_N", i);
  for (const std::string& name : contacts)
    fmt::format_to(to, ",lambda_N.{0}_N,lambda_T.{0}_N,mode.{0}", name);
  for (const std::string& name : joints) fmt::format_to(to, ",tau.{}_Nm", name);
  for (const std::string& name : joints) fmt::format_to(to, ",theta.{}_rad", name);
  out += ",critical_contact,shadow_price\n";
  for (const control::PlanPoint& point : plan.points) {
    fmt::format_to(to, "{}", point.time);
    for (const double alpha : point.alpha_des) fmt::format_to(to, ",{}", alpha);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto c = static_cast<Index>(i);
      fmt::format_to(to, ",{},{},{}", point.lambda_N[c], point.lambda_T[c], to_string(point.modes[i]));
    }
    for (const double tau : point.tau) fmt::format_to(to, ",{}", tau);
    for (const double theta : point.theta) fmt::format_to(to, ",{}", theta);
    const int critical = point.critical_contact;
    fmt::format_to(to, ",{},{}\n", critical < 0 ? "" : contacts[static_cast<std::size_t>(critical)],
                   point.shadow_price);
  }
  return out;
}

}  // namespace enfold::app
