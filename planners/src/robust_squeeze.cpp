// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/robust_squeeze.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::planners {
namespace {

using lp::kInfinity;

// 2^n vertices of the friction box are all looked at.
constexpr Index kMostUnsure = 12;
// A requirement that is missed by less than this is met [N].
constexpr double kMet = 1e-9;

Index place_in(const std::vector<Index>& contacts, Index contact) {
  const auto found = std::find(contacts.begin(), contacts.end(), contact);
  return found == contacts.end() ? -1 : std::distance(contacts.begin(), found);
}

}  // namespace

bool RobustVertex::same_as(const RobustVertex& other) const {
  return contact == other.contact && kind == other.kind && side == other.side &&
         mu.size() == other.mu.size() && mu == other.mu;
}

RobustSolver::RobustSolver(Uncertainty uncertainty, SqueezeLimits limits,
                           std::vector<std::string> contact_names, Index n_x)
    : uncertainty_{std::move(uncertainty)},
      limits_{std::move(limits)},
      contact_names_{std::move(contact_names)},
      n_x_{n_x} {
  const auto n_C = static_cast<Index>(contact_names_.size());
  VectorXd& fraction = uncertainty_.mu_fraction;
  VectorXd& wrench = uncertainty_.wrench;
  if (fraction.size() == 0) fraction = VectorXd::Zero(n_C);
  if (wrench.size() == 0) wrench = VectorXd::Zero(n_x);
  ENFOLD_REQUIRE(fraction.size() == n_C && wrench.size() == n_x,
                 "RobustSolver: {} friction fractions for {} contacts, {} entries of the wrench for {}",
                 fraction.size(), n_C, wrench.size(), n_x);
  ENFOLD_REQUIRE(fraction.minCoeff() >= 0.0 && fraction.maxCoeff() <= 1.0,
                 "RobustSolver: friction fractions are {} … {}, expected 0 … 1", fraction.minCoeff(),
                 fraction.maxCoeff());
  ENFOLD_REQUIRE(wrench.minCoeff() >= 0.0 && wrench.allFinite(),
                 "RobustSolver: half widths of the wrench must be finite and ≥ 0, the smallest is {}",
                 wrench.minCoeff());
  ENFOLD_REQUIRE((fraction.array() > 0.0).count() <= kMostUnsure,
                 "RobustSolver: the friction of {} contacts is unsure, at most {} are possible",
                 (fraction.array() > 0.0).count(), kMostUnsure);
}

const RobustSqueeze& RobustSolver::solve(SqueezeProgram& program, const SqueezeInstant& at,
                                         const MotionPoint& motion) {
  out_.binding = {};
  out_.reason.clear();
  out_.status = RobustStatus::kSolved;
  if (!certify(at, motion)) return out_;
  fill_vertices(at, motion);
  SqueezeInstant with = at;
  std::vector<RobustVertex> held;
  for (;;) {
    rows_.clear();
    held.clear();
    for (const Asked& asked : asked_) rows_.push_back(row_of(asked, at));
    if (uncertainty_.held) add_held(at, held);
    with.added = rows_;
    out_.squeeze = program.solve(with);
    // More requirements than those of the last time: the program grows until it knows all that matter.
    if (!out_.squeeze.ok() || !add_violated(out_.squeeze.tau, at)) break;
  }
  if (!out_.squeeze.ok()) return out_;
  for (const RowPrice& price : out_.squeeze.prices) {
    if (price.kind != Requirement::kAdded) continue;
    const auto row = static_cast<std::size_t>(price.who);
    out_.binding = row < asked_.size() ? vertex_of(asked_[row], at) : held[row - asked_.size()];
    break;
  }
  return out_;
}

bool RobustSolver::certify(const SqueezeInstant& at, const MotionPoint& motion) {
  const auto refuse = [&](RobustStatus status, std::string reason) {
    out_.status = status;
    out_.reason = std::move(reason);
    return false;
  };
  const uniqueness::GraspFamily rows =
      uniqueness::friction_family(motion.dynamics.M, motion.kinematics, motion.modes);
  if (!rows.ok())
    return refuse(RobustStatus::kNotDecided,
                  fmt::format("the contact matrix can't be built: {}", uniqueness::to_string(rows.status)));
  const VectorXd& fraction = uncertainty_.mu_fraction;
  const uniqueness::FrictionBox box{rows.rows_of(at.mu.cwiseProduct((1.0 - fraction.array()).matrix())),
                                    rows.rows_of(at.mu.cwiseProduct((1.0 + fraction.array()).matrix()))};
  const uniqueness::Certificate proof = uniqueness::certify(rows.family, box);
  if (proof.status == uniqueness::CertificateStatus::kCertified) return true;
  if (proof.status != uniqueness::CertificateStatus::kRefuted)
    return refuse(RobustStatus::kNotDecided,
                  fmt::format("whether rigid contact has one answer for every friction of the box is {}",
                              uniqueness::to_string(proof.status)));
  std::vector<std::string> where;
  for (std::size_t r = 0; r < rows.contacts.size(); ++r)
    where.push_back(fmt::format("{} {:.4g}", contact_names_[static_cast<std::size_t>(rows.contacts[r])],
                                proof.witness[static_cast<Index>(r)]));
  return refuse(
      RobustStatus::kNotUnique,
      fmt::format("rigid contact has several answers or none for a friction of the box: at mu of {} A is no "
                  "P-matrix; make planner.robust.mu_fraction smaller",
                  fmt::join(where, ", ")));
}

void RobustSolver::fill_vertices(const SqueezeInstant& at, const MotionPoint& motion) {
  causes_.set(motion, n_x_);
  const VectorXd& fraction = uncertainty_.mu_fraction;
  std::vector<Index> unsure;
  VectorXd mu = at.mu;
  for (Index i = 0; i < mu.size(); ++i) {
    if (fraction[i] == 0.0 || mu[i] == 0.0) continue;
    if (place_in(at.grasp.sliding, i) >= 0) {
      unsure.push_back(i);
    } else {
      mu[i] *= 1.0 - fraction[i];  // only the cone knows it, and the narrowest is the worst
    }
  }
  vertices_.resize(std::size_t{1} << unsure.size());
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    for (std::size_t bit = 0; bit < unsure.size(); ++bit) {
      const Index i = unsure[bit];
      mu[i] = at.mu[i] * ((v >> bit) & 1U ? 1.0 + fraction[i] : 1.0 - fraction[i]);
    }
    vertices_[v] = {mu, causes_.at(mu)};
  }
}

std::vector<RobustSolver::Asked> RobustSolver::requirements_at(std::size_t vertex,
                                                               const SqueezeInstant& at) const {
  std::vector<Asked> all;
  for (const std::vector<Index>* contacts : {&at.grasp.sliding, &at.grasp.rolling}) {
    for (const Index i : *contacts) {
      all.push_back({vertex, RobustFailure::kFloor, i});
      if (std::isfinite(limits_.max_normal)) all.push_back({vertex, RobustFailure::kCeiling, i});
    }
  }
  for (const Index i : at.grasp.rolling)
    for (const double side : {1.0, -1.0}) all.push_back({vertex, RobustFailure::kCone, i, side});
  return all;
}

/// w of a requirement wᵀλ ≥ bound, for a cone with the friction μ.
Eigen::RowVectorXd RobustSolver::weights_of(const Asked& asked, double mu, const SqueezeInstant& at) const {
  const grasp::GraspMatrices& grasp = at.grasp;
  Eigen::RowVectorXd w = Eigen::RowVectorXd::Zero(grasp.k());
  const Index slides = place_in(grasp.sliding, asked.contact);
  const Index rolls = place_in(grasp.rolling, asked.contact);
  const Index normal = slides >= 0 ? slides : grasp.n_S() + rolls;
  w[normal] = asked.kind == RobustFailure::kCeiling ? -1.0 : 1.0;
  if (asked.kind != RobustFailure::kCone) return w;
  const double kept_back = limits_.friction_margin.size() == 0 ? 0.0 : limits_.friction_margin[asked.contact];
  w[normal] = (1.0 - kept_back) * mu;
  w[grasp.n_C() + rolls] = asked.side;
  return w;
}

double RobustSolver::bound_of(const Asked& asked, const SqueezeInstant& at) const {
  if (asked.kind == RobustFailure::kFloor) return at.min_normal[asked.contact];
  return asked.kind == RobustFailure::kCeiling ? -limits_.max_normal : 0.0;
}

RobustVertex RobustSolver::vertex_of(const Asked& asked, const SqueezeInstant& at) const {
  const Vertex& vertex = vertices_[asked.vertex];
  const Eigen::RowVectorXd by_wrench =
      weights_of(asked, vertex.mu[asked.contact], at) * vertex.forces.by_wrench;
  RobustVertex out{asked.kind, asked.contact, asked.side, vertex.mu, {}};
  out.wrench = (-by_wrench.transpose().array().sign() * uncertainty_.wrench.array()).matrix();
  return out;
}

ForceRow RobustSolver::row_of(const Asked& asked, const SqueezeInstant& at) const {
  const CausedForces& forces = vertices_[asked.vertex].forces;
  const Eigen::RowVectorXd w = weights_of(asked, vertices_[asked.vertex].mu[asked.contact], at);
  const double bound = bound_of(asked, at);
  ForceRow row;
  row.tau = (w * forces.by_tau).transpose();
  row.lower =
      bound - w.dot(forces.offset) + (w * forces.by_wrench).cwiseAbs().dot(uncertainty_.wrench.transpose());
  row.name =
      fmt::format("{} at {}", requirement_text(asked, at), vertex_text(vertex_of(asked, at), contact_names_));
  row.contact = asked.kind == RobustFailure::kCeiling ? -1 : static_cast<int>(asked.contact);
  return row;
}

void RobustSolver::add_held(const SqueezeInstant& at, std::vector<RobustVertex>& vertices) {
  const MatrixXd by_wrench = -MatrixXd(at.grasp.G.completeOrthogonalDecomposition().pseudoInverse());
  const auto n_C = static_cast<Index>(contact_names_.size());
  for (Asked asked : requirements_at(0, at)) {
    const Eigen::RowVectorXd w = weights_of(asked, at.mu[asked.contact], at);
    const Eigen::RowVectorXd by_d = w * by_wrench;
    RobustVertex vertex{asked.kind, asked.contact, asked.side, at.mu, {}};
    vertex.wrench = (-by_d.transpose().array().sign() * uncertainty_.wrench.array()).matrix();
    ForceRow row;
    row.lambda_N = VectorXd::Zero(n_C);
    row.lambda_T = VectorXd::Zero(n_C);
    const Index rolls = place_in(at.grasp.rolling, asked.contact);
    const Index normal = rolls < 0 ? place_in(at.grasp.sliding, asked.contact) : at.grasp.n_S() + rolls;
    row.lambda_N[asked.contact] = w[normal];
    if (rolls >= 0) row.lambda_T[asked.contact] = w[at.grasp.n_C() + rolls];
    row.lower = bound_of(asked, at) + by_d.cwiseAbs().dot(uncertainty_.wrench.transpose());
    row.name = fmt::format("{} while it holds against {}", requirement_text(asked, at),
                           vertex_text(vertex, contact_names_));
    row.contact = asked.kind == RobustFailure::kCeiling ? -1 : static_cast<int>(asked.contact);
    rows_.push_back(std::move(row));
    vertices.push_back(std::move(vertex));
  }
}

std::string RobustSolver::requirement_text(const Asked& asked, const SqueezeInstant& at) const {
  const std::string& contact = contact_names_[static_cast<std::size_t>(asked.contact)];
  switch (asked.kind) {
    case RobustFailure::kFloor:
      return fmt::format("the normal force of {} ≥ {:.4g} N", contact, bound_of(asked, at));
    case RobustFailure::kCeiling:
      return fmt::format("the normal force of {} ≤ {:.4g} N", contact, limits_.max_normal);
    case RobustFailure::kCone:
      return fmt::format("the friction cone of {}", contact);
  }
  return {};
}

/// Asks for the requirement that is missed most, of each contact and kind. Whether there was any.
bool RobustSolver::add_violated(const VectorXd& tau, const SqueezeInstant& at) {
  struct Worst {
    Asked asked;
    double slack = -kMet;
  };
  std::vector<Worst> worst;
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    const std::vector<Asked> all = requirements_at(v, at);
    worst.resize(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      const CausedForces& forces = vertices_[v].forces;
      const Eigen::RowVectorXd w = weights_of(all[k], vertices_[v].mu[all[k].contact], at);
      const double slack = w.dot(forces.offset + forces.by_tau * tau) -
                           (w * forces.by_wrench).cwiseAbs().dot(uncertainty_.wrench.transpose()) -
                           bound_of(all[k], at);
      if (slack < worst[k].slack) worst[k] = {all[k], slack};
    }
  }
  bool added = false;
  for (const Worst& w : worst) {
    if (w.slack >= -kMet || std::find(asked_.begin(), asked_.end(), w.asked) != asked_.end()) continue;
    asked_.push_back(w.asked);
    added = true;
  }
  return added;
}

std::string vertex_text(const RobustVertex& vertex, const std::vector<std::string>& contacts) {
  std::vector<std::string> mu;
  for (Index i = 0; i < vertex.mu.size(); ++i)
    mu.push_back(fmt::format("{} {:.4g}", contacts[static_cast<std::size_t>(i)], vertex.mu[i]));
  std::string out = fmt::format("mu of {}", fmt::join(mu, ", "));
  const VectorXd& d = vertex.wrench;
  if (d.size() == 3 && !d.isZero(0.0))
    out += fmt::format("; force ({:.4g}, {:.4g}) N, moment {:.4g} N·m on the object", d[0], d[1], d[2]);
  return out;
}

}  // namespace enfold::planners
