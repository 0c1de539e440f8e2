// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/closed_configuration.hpp"

#include <Eigen/QR>
#include <algorithm>

#include "enfold/base/require.hpp"

namespace enfold::planners {
namespace {

// A gap below this counts as closed [m].
constexpr double kClosed = 1e-9;

/// Numbers of the closed contacts that no joint can move.
std::vector<Index> environment(const contact::ContactSet& contacts,
                               std::span<const contact::ContactMode> modes, const VectorXd& q) {
  std::vector<Index> out;
  for (Index i = 0; i < contacts.n_contacts(); ++i)
    if (modes[static_cast<std::size_t>(i)] != contact::ContactMode::kOpen && contacts.frame(q, i).link < 0)
      out.push_back(i);
  return out;
}

}  // namespace

ClosedConfiguration closed_configuration(const mechanics::Mechanism& mechanism,
                                         const contact::ContactSet& contacts,
                                         std::span<const contact::ContactMode> modes, const VectorXd& x,
                                         std::span<const Index> told) {
  const Index n_x = mechanism.n_x();
  const Index n_theta = mechanism.n_theta();
  ENFOLD_REQUIRE(x.size() == mechanism.n_q() - n_theta,
                 "closed_configuration: pose has {} entries, expected {}", x.size(),
                 mechanism.n_q() - n_theta);
  ENFOLD_REQUIRE(static_cast<Index>(modes.size()) == contacts.n_contacts(),
                 "closed_configuration: {} modes for {} contacts", modes.size(), contacts.n_contacts());
  ClosedConfiguration out;
  out.q.setZero(mechanism.n_q());
  out.q.head(x.size()) = x;
  const VectorXd rest = VectorXd::Zero(mechanism.n_v());
  contact::ContactKinematics kinematics;
  const std::vector<Index> fixed = environment(contacts, modes, out.q);
  std::vector<Index> free;
  for (Index c = 0; c < n_x; ++c)
    if (!told.empty() && std::find(told.begin(), told.end(), c) == told.end()) free.push_back(c);
  VectorXd step = rest;
  VectorXd rate(out.q.size());
  for (int iteration = 0; iteration < 50 && !fixed.empty(); ++iteration) {
    contacts.kinematics(out.q, rest, kinematics);
    const VectorXd gaps = kinematics.gap(fixed);
    if (gaps.lpNorm<Eigen::Infinity>() < 1e-14 || free.empty()) break;
    const MatrixXd rows = kinematics.W_N(free, fixed).transpose();
    const VectorXd change = rows.completeOrthogonalDecomposition().solve(-gaps);
    step.setZero();
    for (std::size_t i = 0; i < free.size(); ++i) step[free[i]] = change[static_cast<Index>(i)];
    mechanism.configuration_rate(out.q, step, rate);
    out.q += rate;
    if (!out.q.allFinite()) break;
  }
  out.moved = (out.q.head(x.size()) - x).lpNorm<Eigen::Infinity>();
  if (!fixed.empty()) {
    contacts.kinematics(out.q, rest, kinematics);
    for (const Index i : fixed) {
      if (std::abs(kinematics.gap[i]) <= kClosed) continue;
      out.closure.status = contact::Closure::Status::kDoesNotReach;
      out.closure.contact = i;
      out.closure.shortfall = kinematics.gap[i];
      out.closure.message = fmt::format(
          "contact {} has a gap of {:.3g} m at this pose, and the object's coordinates that the task does "
          "not "
          "tell can't close it; change the pose, or name the coordinates that are free in task.coordinates",
          contacts.names()[static_cast<std::size_t>(i)], kinematics.gap[i]);
      return out;
    }
  }
  out.closure = contacts.close(out.q.head(x.size()));
  if (out.closure.closed()) out.q.tail(n_theta) = out.closure.theta;
  return out;
}

}  // namespace enfold::planners
