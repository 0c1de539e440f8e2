// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/constrained_path.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/planners/closed_configuration.hpp"

namespace enfold::planners {
namespace {

// Named coordinates that show less than this part of the object's motion don't tell it any more.
constexpr double kDependent = 1e-3;
constexpr double kLongestStep = 1e-3;  // [s]

}  // namespace

/// What one evaluation of the constraints needs.
struct ConstrainedPath::Work {
  contact::ContactKinematics kinematics;
  grasp::GraspMatrices grasp;
  grasp::MotionCoordinates motion;
  control::Reference reference;
  VectorXd rest, rows, xi, v, rate, difference, q_des;
};

ConstrainedPath::ConstrainedPath(ConstrainedPathProblem problem) : problem_{std::move(problem)} {
  ENFOLD_REQUIRE(problem_.mechanism && problem_.contacts && problem_.trajectory,
                 "ConstrainedPath: mechanism, contacts and trajectory must all be given");
  const Index n = problem_.contacts->n_contacts();
  ENFOLD_REQUIRE(problem_.mu.size() == n && static_cast<Index>(problem_.modes.size()) == n,
                 "ConstrainedPath: {} friction coefficients and {} modes for {} contacts", problem_.mu.size(),
                 problem_.modes.size(), n);
  ENFOLD_REQUIRE(!problem_.coordinates.empty(), "ConstrainedPath: no coordinate is named");
  for (const Index c : problem_.coordinates)
    ENFOLD_REQUIRE(c >= 0 && c < problem_.mechanism->n_x(), "ConstrainedPath: coordinate {} of {}", c,
                   problem_.mechanism->n_x());
  integrate();
}

void ConstrainedPath::stop(End end, std::string reason) {
  end_ = end;
  reason_ = std::move(reason);
}

void ConstrainedPath::integrate() {
  const double T = duration();
  const auto n = std::clamp<long>(std::lround(std::ceil(T / kLongestStep - 1e-9)), 100, 100'000);
  Work work;
  work.rest.setZero(problem_.mechanism->n_v());
  problem_.trajectory->sample(0.0, work.reference);
  ClosedConfiguration start = closed_configuration(*problem_.mechanism, *problem_.contacts, problem_.modes,
                                                   work.reference.x, problem_.coordinates);
  if (!start.closure.closed()) {
    stop(End::kNotClosed, start.closure.message);
    return;
  }
  VectorXd q = std::move(start.q);
  knots_.reserve(static_cast<std::size_t>(n) + 1);
  for (long i = 0; i <= n; ++i) {
    const double t = T * static_cast<double>(i) / static_cast<double>(n);
    if (!check(t, q, work)) return;
    if (i == 0 && !project(t, q, work)) {
      stop(End::kDependent, "the contacts can't all be closed with the named coordinates as they are");
      return;
    }
    knots_.push_back(knot_at(t, q, work));
    if (i == n) return;
    const double next = T * static_cast<double>(i + 1) / static_cast<double>(n);
    if (!step(t, next - t, q, work)) {
      stop(End::kDependent,
           fmt::format(
               "the motion can't be continued beyond t = {:.4g} s: no pose near by closes all contacts "
               "with the wanted coordinates",
               t));
      return;
    }
  }
}

/// Whether the constraints and ξ tell the motion at q, and all contacts are on their links.
bool ConstrainedPath::check(double t, const VectorXd& q, Work& work) {
  const mechanics::Mechanism& mechanism = *problem_.mechanism;
  problem_.contacts->kinematics(q, work.rest, work.kinematics);
  for (Index i = 0; i < work.kinematics.edge_distance.size(); ++i) {
    if (problem_.modes[static_cast<std::size_t>(i)] == contact::ContactMode::kOpen ||
        work.kinematics.edge_distance[i] >= 0.0)
      continue;
    stop(End::kOffLink,
         fmt::format(
             "contact {} is {:.2g} m beyond the end of its link at t = {:.4g} s; lengthen the link or "
             "shorten the motion",
             problem_.contacts->names()[static_cast<std::size_t>(i)], -work.kinematics.edge_distance[i], t));
    return false;
  }
  grasp::assemble(work.kinematics, problem_.modes, problem_.mu, mechanism.n_x(), work.grasp);
  const auto n_xi = static_cast<Index>(problem_.coordinates.size());
  mechanics::Dynamics dynamics;
  mechanism.dynamics(q, work.rest, dynamics);
  const MatrixXd M_o = dynamics.M.topLeftCorner(mechanism.n_x(), mechanism.n_x());
  bool sound = work.grasp.k() + n_xi <= mechanism.n_v();
  if (sound) {
    work.motion.compute(work.grasp, problem_.coordinates);
    sound = work.motion.rank_ratio() > 1e-9;
  }
  const grasp::ObjectFreedom freedom = grasp::object_freedom(work.grasp, M_o, problem_.coordinates);
  const bool tells = sound && freedom.rank == n_xi && freedom.independence >= kDependent;
  if (tells && t > 0.0) return true;
  const std::vector<std::string>& names = mechanism.object_position_names();
  if (freedom.rank == n_xi && freedom.independence < kDependent && t > 0.0) {
    std::vector<std::string> xi;
    for (const Index c : problem_.coordinates)
      xi.push_back(grasp::plain_names(names)[static_cast<std::size_t>(c)]);
    stop(End::kDependent,
         fmt::format(
             "the coordinates ({}) become dependent at t = {:.4g} s: the object can move along ({}) "
             "while they rest (they show {:.1e} of its motion); name other coordinates or stop before",
             fmt::join(xi, ", "), t, grasp::direction_text(freedom.unseen, names), freedom.independence));
    return false;
  }
  const grasp::GraspAudit audit =
      grasp::audit(mechanism, *problem_.contacts, q, problem_.modes, problem_.mu, problem_.coordinates);
  std::string reason = grasp::refusal(audit);
  if (tells && reason.empty()) return true;
  if (reason.empty())
    reason = fmt::format("the named coordinates show only {:.1e} of the object's motion along ({})",
                         freedom.independence, grasp::direction_text(freedom.unseen, names));
  stop(sound ? End::kDependent : End::kOverdetermined, std::move(reason));
  return false;
}

ConstrainedPath::Knot ConstrainedPath::knot_at(double t, const VectorXd& q, Work& work) const {
  Knot knot{t, q, {}, {}};
  const mechanics::Mechanism& mechanism = *problem_.mechanism;
  const auto pick = [&](const VectorXd& x) {
    work.xi.resize(static_cast<Index>(problem_.coordinates.size()));
    for (Index i = 0; i < work.xi.size(); ++i)
      work.xi[i] = x[problem_.coordinates[static_cast<std::size_t>(i)]];
  };
  problem_.trajectory->sample(t, work.reference);
  problem_.contacts->kinematics(q, work.rest, work.kinematics);
  grasp::assemble(work.kinematics, problem_.modes, problem_.mu, mechanism.n_x(), work.grasp);
  work.motion.compute(work.grasp, problem_.coordinates);
  work.rows.setZero(work.grasp.k());
  pick(work.reference.x_dot);
  work.motion.solve(work.rows, work.xi, knot.v);
  problem_.contacts->kinematics(q, knot.v, work.kinematics);
  grasp::assemble(work.kinematics, problem_.modes, problem_.mu, mechanism.n_x(), work.grasp);
  work.rows = -work.grasp.bias;
  pick(work.reference.x_ddot);
  work.motion.solve(work.rows, work.xi, knot.v_dot);
  return knot;
}

bool ConstrainedPath::step(double t, double h, VectorXd& q, Work& work) const {
  const mechanics::Mechanism& mechanism = *problem_.mechanism;
  const auto rate = [&](double time, const VectorXd& at) -> VectorXd {
    const Knot knot = knot_at(time, at, work);
    mechanism.configuration_rate(at, knot.v, work.rate);
    return work.rate;
  };
  const VectorXd k_1 = rate(t, q);
  const VectorXd k_2 = rate(t + 0.5 * h, q + 0.5 * h * k_1);
  const VectorXd k_3 = rate(t + 0.5 * h, q + 0.5 * h * k_2);
  const VectorXd k_4 = rate(t + h, q + h * k_3);
  const VectorXd by = h / 6.0 * (k_1 + 2.0 * k_2 + 2.0 * k_3 + k_4);
  if (!by.allFinite()) return false;
  q += by;
  return project(t + h, q, work);
}

/// The nearest q, among those that roll there, with closed gaps and ξ = ξ_d.
bool ConstrainedPath::project(double t, VectorXd& q, Work& work) const {
  const mechanics::Mechanism& mechanism = *problem_.mechanism;
  problem_.trajectory->sample(t, work.reference);
  work.xi.resize(static_cast<Index>(problem_.coordinates.size()));
  const VectorXd before = q;
  for (int iteration = 0; iteration < 8; ++iteration) {
    problem_.contacts->kinematics(q, work.rest, work.kinematics);
    grasp::assemble(work.kinematics, problem_.modes, problem_.mu, mechanism.n_x(), work.grasp);
    work.rows.setZero(work.grasp.k());
    for (Index s = 0; s < work.grasp.n_S(); ++s)
      work.rows[s] = -work.kinematics.gap[work.grasp.sliding[static_cast<std::size_t>(s)]];
    for (Index r = 0; r < work.grasp.n_R(); ++r)
      work.rows[work.grasp.n_S() + r] = -work.kinematics.gap[work.grasp.rolling[static_cast<std::size_t>(r)]];
    work.q_des = q;
    work.q_des.head(work.reference.x.size()) = work.reference.x;
    work.difference.resize(mechanism.n_v());
    mechanism.difference(q, work.q_des, work.difference);
    for (Index i = 0; i < work.xi.size(); ++i)
      work.xi[i] = work.difference[problem_.coordinates[static_cast<std::size_t>(i)]];
    const double missed = std::max(work.rows.lpNorm<Eigen::Infinity>(), work.xi.lpNorm<Eigen::Infinity>());
    if (!std::isfinite(missed)) return false;
    if (missed < 1e-14) return true;
    if (iteration == 7) return missed < 1e-10;
    work.motion.compute(work.grasp, problem_.coordinates);
    work.motion.solve(work.rows, work.xi, work.v);
    work.rate.resize(q.size());
    mechanism.configuration_rate(q, work.v, work.rate);
    q += work.rate;
    if (!q.allFinite() || (q - before).lpNorm<Eigen::Infinity>() > 0.1) return false;
  }
  return true;
}

void ConstrainedPath::configuration(double t, VectorXd& q) const {
  ENFOLD_REQUIRE(reaches(t), "ConstrainedPath: t = {} s is not reached: {}", t, reason_);
  const double at = std::clamp(t, 0.0, knots_.back().time);
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), at,
                                      [](double time, const Knot& knot) { return time < knot.time; });
  const Knot& knot = after == knots_.begin() ? knots_.front() : *(after - 1);
  q = knot.q;
  if (at - knot.time < 1e-15) return;
  Work work;
  work.rest.setZero(problem_.mechanism->n_v());
  (void)step(knot.time, at - knot.time, q, work);
}

void ConstrainedPath::sample(double t, control::Reference& out) const {
  problem_.trajectory->sample(t, out);
  if (knots_.empty()) return;
  const Index n_x = out.x_dot.size();
  const Index n = out.x.size();
  const double at = std::clamp(t, 0.0, knots_.back().time);
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), at,
                                      [](double time, const Knot& knot) { return time < knot.time; });
  const auto last = static_cast<std::size_t>(after - knots_.begin());
  const Knot& b = knots_[std::min(last, knots_.size() - 1)];
  const Knot& a = knots_[last == 0 ? 0 : last - 1];
  const double h = b.time - a.time;
  const double u = h > 0.0 ? (at - a.time) / h : 0.0;
  const bool rests = t != at || &a == &b;
  const auto told = [&](Index i) {
    return std::find(problem_.coordinates.begin(), problem_.coordinates.end(), i) !=
           problem_.coordinates.end();
  };
  // Coordinates of the plane: a pose's rate is its velocity. Others would need their own interpolation.
  for (Index i = 0; i < n && i < n_x; ++i) {
    if (told(i)) continue;  // exactly the trajectory's
    if (rests) {
      const Knot& hold = &a == &b || t > at ? b : a;
      out.x[i] = hold.q[i];
      out.x_dot[i] = t == at ? hold.v[i] : 0.0;
      out.x_ddot[i] = t == at ? hold.v_dot[i] : 0.0;
      out.x_dddot[i] = 0.0;
      continue;
    }
    // x = a₀ + … + a₅ u⁵ with value, rate and second rate of both ends.
    const double x_0 = a.q[i], v_0 = h * a.v[i], w_0 = 0.5 * h * h * a.v_dot[i];
    const double d = b.q[i] - (x_0 + v_0 + w_0);
    const double e = h * b.v[i] - (v_0 + 2.0 * w_0);
    const double f = h * h * b.v_dot[i] - 2.0 * w_0;
    const double c_3 = 10.0 * d - 4.0 * e + 0.5 * f;
    const double c_4 = -15.0 * d + 7.0 * e - f;
    const double c_5 = 6.0 * d - 3.0 * e + 0.5 * f;
    out.x[i] = x_0 + u * (v_0 + u * (w_0 + u * (c_3 + u * (c_4 + u * c_5))));
    out.x_dot[i] = (v_0 + u * (2.0 * w_0 + u * (3.0 * c_3 + u * (4.0 * c_4 + u * 5.0 * c_5)))) / h;
    out.x_ddot[i] = (2.0 * w_0 + u * (6.0 * c_3 + u * (12.0 * c_4 + u * 20.0 * c_5))) / (h * h);
    out.x_dddot[i] = (6.0 * c_3 + u * (24.0 * c_4 + u * 60.0 * c_5)) / (h * h * h);
  }
}

}  // namespace enfold::planners
