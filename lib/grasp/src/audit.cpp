// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/grasp/audit.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"
#include "enfold/grasp/internal_forces.hpp"

namespace enfold::grasp {
namespace {

using Svd = Eigen::JacobiSVD<MatrixXd>;

struct Ranked {
  Index rank = 0;
  double cond = std::numeric_limits<double>::infinity();
  MatrixXd right_null;  // columns span the null space
};

Ranked ranked(const MatrixXd& A) {
  Ranked out;
  if (A.size() == 0) return out;
  const Svd svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const VectorXd& sigma = svd.singularValues();
  const double tol = 1e-10 * std::max(1e-300, sigma[0]);
  out.rank = (sigma.array() > tol).count();
  if (out.rank == std::min(A.rows(), A.cols())) out.cond = sigma[0] / sigma[sigma.size() - 1];
  out.right_null = svd.matrixV().rightCols(A.cols() - out.rank);
  return out;
}

// Column c of the stacked forces belongs to this contact.
Index contact_of_column(const GraspMatrices& grasp, Index c) {
  if (c < grasp.n_S()) return grasp.sliding[static_cast<std::size_t>(c)];
  return grasp.rolling[static_cast<std::size_t>((c - grasp.n_S()) % grasp.n_R())];
}

std::vector<std::string> contacts_in(const GraspMatrices& grasp, const MatrixXd& combination,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> out;
  std::vector<bool> named(names.size(), false);
  for (Index c = 0; c < combination.rows(); ++c) {
    const auto i = static_cast<std::size_t>(contact_of_column(grasp, c));
    if (combination.row(c).norm() > 1e-6 && !named[i]) {
      named[i] = true;
      out.push_back(names[i]);
    }
  }
  return out;
}

// Names of the contacts that have columns, or of those that have none.
std::vector<std::string> touching(const GraspMatrices& grasp, const std::vector<std::string>& names,
                                  bool touch) {
  std::vector<bool> has_column(names.size(), false);
  for (const Index i : grasp.sliding) has_column[static_cast<std::size_t>(i)] = true;
  for (const Index i : grasp.rolling) has_column[static_cast<std::size_t>(i)] = true;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (has_column[i] == touch) out.push_back(names[i]);
  return out;
}

// Whose rows make J̃ a rectangle: rolling contacts have one more each than sliding ones, open contacts have
// none.
std::vector<std::string> blamed_for_shape(const GraspMatrices& grasp, const std::vector<std::string>& names,
                                          Index n_theta) {
  if (grasp.k() < n_theta) return touching(grasp, names, false);
  if (grasp.n_R() == 0) return touching(grasp, names, true);
  std::vector<std::string> out;
  for (const Index i : grasp.rolling) out.push_back(names[static_cast<std::size_t>(i)]);
  return out;
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_determined(const GraspMatrices& grasp, const Ranked& W, const std::vector<std::string>& names,
                      GraspAudit& out) {
  if (out.k <= out.n && W.rank == out.k) return;
  Violation v;
  v.assumption = "statically determined";
  v.contacts = contacts_in(grasp, W.right_null, names);
  v.reason = out.k > out.n ? fmt::format(
                                 "k = {} constraint rows on n = {} coordinates: the rigid model cannot tell "
                                 "the forces at {}; let a contact slide, or use the compliant model",
                                 out.k, out.n, joined(v.contacts))
                           : fmt::format(
                                 "rank W = {} of k = {}: the forces at {} can change together without moving "
                                 "anything",
                                 W.rank, out.k, joined(v.contacts));
  out.violations.push_back(std::move(v));
}

void check_manipulable(const GraspMatrices& grasp, const std::vector<std::string>& names,
                       const Ranked& G_tilde, GraspAudit& out) {
  if (G_tilde.rank < grasp.G_tilde.rows()) {
    out.violations.push_back(
        {"manipulable",
         fmt::format("rank G̃ = {} of {}: the contacts cannot move the object in every direction",
                     G_tilde.rank, grasp.G_tilde.rows()),
         touching(grasp, names, true)});
  }
  if (out.k != out.n_theta) {
    out.violations.push_back(
        {"manipulable",
         fmt::format(
             "J̃ is {} × {}, not square: {} constraint rows for {} joints, so that (8) does not give joint "
             "velocities from object velocities",
             out.k, out.n_theta, out.k, out.n_theta),
         blamed_for_shape(grasp, names, out.n_theta)});
    return;
  }
  const auto blame = [&](const MatrixXd& J, Index rank, const char* symbol) {
    if (rank == out.k) return;
    const Ranked left = ranked(J.transpose());
    Violation v{"manipulable", "", contacts_in(grasp, left.right_null, names)};
    v.reason =
        fmt::format("rank {} = {} of {}: the joints cannot move the contact points at {} independently",
                    symbol, rank, out.k, joined(v.contacts));
    out.violations.push_back(std::move(v));
  };
  blame(grasp.J_tilde, out.rank_J_tilde, "J̃");
  blame(grasp.J, out.rank_J, "J");
}

void check_squeeze(const GraspMatrices& grasp, const std::vector<std::string>& names, GraspAudit& out) {
  if (out.p != 1) {
    out.squeeze_exists = out.p > 1;
    return;
  }
  InternalForces internal;
  internal.compute(grasp.G);
  internal.align_to_squeeze(grasp.n_C());
  out.squeeze = internal.basis().col(0) / internal.basis().col(0).cwiseAbs().maxCoeff();
  out.squeeze_exists = out.squeeze.head(grasp.n_C()).minCoeff() > 0.0;
  if (out.squeeze_exists) return;
  std::vector<std::string> opened;
  for (Index c = 0; c < grasp.n_C(); ++c)
    if (out.squeeze[c] <= 0.0) opened.push_back(names[static_cast<std::size_t>(contact_of_column(grasp, c))]);
  out.warnings.push_back(
      fmt::format("no squeeze presses all contacts at once: squeezing harder opens {}", joined(opened)));
}

}  // namespace

MatrixXd contact_matrix(const MatrixXd& M, const GraspMatrices& grasp) {
  const Index n_C = grasp.n_C();
  const MatrixXd full = grasp.W_tilde().transpose() * M.llt().solve(grasp.W());
  if (grasp.n_R() == 0) return full;
  const Index n_R = grasp.n_R();
  const MatrixXd A_tt = full.bottomRightCorner(n_R, n_R);
  return full.topLeftCorner(n_C, n_C) -
         full.topRightCorner(n_C, n_R) * A_tt.fullPivLu().solve(full.bottomLeftCorner(n_R, n_C));
}

GraspAudit audit(const mechanics::Mechanism& mechanism, const contact::ContactSet& contacts,
                 const VectorXd& q, std::span<const contact::ContactMode> modes, const VectorXd& mu) {
  ENFOLD_REQUIRE(q.size() == mechanism.n_q(), "audit: q has {} entries, expected {}", q.size(),
                 mechanism.n_q());
  const VectorXd v = VectorXd::Zero(mechanism.n_v());
  contact::ContactKinematics kinematics;
  contacts.kinematics(q, v, kinematics);
  mechanics::Dynamics dynamics;
  mechanism.dynamics(q, v, dynamics);
  GraspMatrices grasp;
  assemble(kinematics, modes, mu, mechanism.n_x(), grasp);

  GraspAudit out;
  out.n = mechanism.n_v();
  out.n_theta = mechanism.n_theta();
  out.n_R = grasp.n_R();
  out.n_S = grasp.n_S();
  out.k = grasp.k();
  const Ranked W = ranked(grasp.W());
  const Ranked W_tilde = ranked(grasp.W_tilde());
  const Ranked G_tilde = ranked(grasp.G_tilde);
  const Ranked G = ranked(grasp.G);
  const Ranked J_tilde = ranked(grasp.J_tilde);
  const Ranked J = ranked(grasp.J);
  out.m = out.n - W_tilde.rank;
  out.p = out.k - G.rank;
  out.rank_W = W.rank;
  out.cond_W = W.cond;
  out.rank_G_tilde = G_tilde.rank;
  out.cond_G_tilde = G_tilde.cond;
  out.rank_J_tilde = J_tilde.rank;
  out.cond_J_tilde = J_tilde.cond;
  out.rank_J = J.rank;
  out.cond_J = J.cond;
  out.route_difference =
      out.k == 0
          ? 0.0
          : (grasp.W() - assemble_from_frames(mechanism, contacts, q, modes, mu).W()).cwiseAbs().maxCoeff();
  out.equation_22 = out.k < out.n && W.rank == out.k;

  const std::vector<std::string>& names = contacts.names();
  check_determined(grasp, W, names, out);
  check_manipulable(grasp, names, G_tilde, out);
  if (out.k >= mechanism.n_x() && G.rank == mechanism.n_x()) check_squeeze(grasp, names, out);

  if (out.k > 0 && W_tilde.rank == out.k && out.k <= out.n) {
    out.A = contact_matrix(dynamics.M, grasp);
    out.p_matrix = lcp::test_p_matrix(out.A);
  }
  if (out.k == out.n_theta && J_tilde.rank == out.k && J.rank == out.k) {
    const Index n_x = mechanism.n_x();
    const MatrixXd H_tilde = grasp.J_tilde.lu().solve(grasp.G_tilde.transpose());  // [eq:S4.8]
    const MatrixXd H = grasp.J.lu().solve(grasp.G.transpose());
    const MatrixXd M_a = dynamics.M.bottomRightCorner(out.n_theta, out.n_theta);
    out.det_YMZ = (H.transpose() * M_a * H_tilde + dynamics.M.topLeftCorner(n_x, n_x)).determinant();
  }
  // Free bodies have one answer as well.
  const bool unique = out.k == 0 || out.p_matrix.status == lcp::PMatrixStatus::kP;
  out.scenario = !out.equation_22 ? ContactScenario::kIndeterminate
                 : unique         ? ContactScenario::kRigidUnique
                                  : ContactScenario::kRigidAmbiguous;
  return out;
}

std::vector<std::string> describe(const GraspAudit& a) {
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("coordinates n = {}, joints n_θ = {}, contacts {} sliding + {} rolling, rows k = {}", a.n,
                  a.n_theta, a.n_S, a.n_R, a.k));
  lines.push_back(fmt::format("mobility m = {}, internal forces p = {} (m + p = {}, n_θ = {})", a.m, a.p,
                              a.m + a.p, a.n_theta));
  lines.push_back(fmt::format("rank W = {} of {} (cond {:.3g}); rank G̃ = {} (cond {:.3g})", a.rank_W, a.k,
                              a.cond_W, a.rank_G_tilde, a.cond_G_tilde));
  lines.push_back(fmt::format("rank J̃ = {} (cond {:.3g}); rank J = {} (cond {:.3g})", a.rank_J_tilde,
                              a.cond_J_tilde, a.rank_J, a.cond_J));
  lines.push_back(fmt::format("the two assemblies of W differ by {:.1e}", a.route_difference));
  lines.push_back(fmt::format("eq. (22): {}", a.equation_22 ? "holds" : "fails"));
  lines.push_back(
      fmt::format("A: {}{}", to_string(a.p_matrix.status),
                  std::isnan(a.p_matrix.smallest.value)
                      ? std::string{}
                      : fmt::format(", smallest principal minor {:.4g}", a.p_matrix.smallest.value)));
  lines.emplace_back(
      a.scenario == ContactScenario::kRigidUnique
          ? "scenario 1 of S4 Sec. 5.1: the rigid model has one answer"
      : a.scenario == ContactScenario::kRigidAmbiguous
          ? "scenario 2 of S4 Sec. 5.1: the rigid answer is not unique for all forces; use the compliant "
            "model"
          : "scenario 3 of S4 Sec. 5.1: statically indeterminate; only the compliant model tells the forces");
  if (a.p == 1) lines.emplace_back(a.squeeze_exists ? "a squeeze exists" : "no squeeze exists");
  for (const Violation& v : a.violations) lines.push_back(fmt::format("not {}: {}", v.assumption, v.reason));
  for (const std::string& w : a.warnings) lines.push_back("warning: " + w);
  return lines;
}

}  // namespace enfold::grasp
