// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/grasp/audit.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/grasp/motion_coordinates.hpp"
#include "enfold/lp/lp_solver.hpp"

namespace enfold::grasp {
namespace {

using Svd = Eigen::JacobiSVD<MatrixXd>;

struct Ranked {
  Index rank = 0;
  double cond = std::numeric_limits<double>::infinity();
  MatrixXd right_null;  // columns span the null space
  MatrixXd left_null;   // of the transpose
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
  out.left_null = svd.matrixU().rightCols(A.rows() - out.rank);
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

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_determined(const GraspMatrices& grasp, const Ranked& W, const Ranked& W_tilde,
                      const std::vector<std::string>& names, GraspAudit& out) {
  if (out.k <= out.n && W.rank == out.k && W_tilde.rank < out.k) {
    const std::vector<std::string> who = contacts_in(grasp, W_tilde.right_null, names);
    out.violations.push_back(
        {"statically determined",
         fmt::format("rank W̃ = {} of k = {}: the constraints at {} depend on one another, so that gaps can't "
                     "be kept by any force",
                     W_tilde.rank, out.k, joined(who)),
         who});
  }
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

// The contacts whose friction or constraints hold the object: rolling ones, or all if none rolls.
std::vector<std::string> holding(const GraspMatrices& grasp, const std::vector<std::string>& names) {
  if (grasp.n_R() == 0) return touching(grasp, names, true);
  std::vector<std::string> out;
  for (const Index i : grasp.rolling) out.push_back(names[static_cast<std::size_t>(i)]);
  return out;
}

std::string each_direction(const MatrixXd& directions, std::span<const std::string> names) {
  std::vector<std::string> texts;
  for (Index c = 0; c < directions.cols(); ++c) texts.push_back(direction_text(directions.col(c), names));
  return fmt::format("{}", fmt::join(texts, "; "));
}

struct Names {
  const std::vector<std::string>& contacts;
  const std::vector<std::string>& object;
};

void check_forces(const GraspMatrices& grasp, const Names& names, const Ranked& G_tilde, const Ranked& G,
                  GraspAudit& out) {
  const Index n_x = grasp.G.rows();
  for (const auto& [found, symbol] : {std::pair{&G_tilde, "G̃"}, std::pair{&G, "G"}}) {
    if (found->rank == n_x) continue;
    // An empty matrix has no factors; then every direction is lost.
    const MatrixXd lost = found->left_null.size() > 0 ? found->left_null : MatrixXd::Identity(n_x, n_x);
    out.violations.push_back(
        {"manipulable",
         fmt::format("rank {} = {} of {}: the contacts cannot move the object in every direction, no force "
                     "acts along ({})",
                     symbol, found->rank, n_x, each_direction(lost, names.object)),
         touching(grasp, names.contacts, true), lost});
    return;
  }
}

/// Whether ξ tells the motion: as many coordinates as the object has motions, and independent ones.
void check_coordinates(const GraspMatrices& grasp, const Names& names, const MatrixXd& M_o, GraspAudit& out) {
  const Index n_x = grasp.G.rows();
  const ObjectFreedom freedom = object_freedom(grasp, M_o, out.coordinates);
  const std::vector<std::string> plain = plain_names(names.object);
  out.r_x = freedom.rank;
  out.n_eta = out.m - out.r_x;
  const auto n_xi = static_cast<Index>(out.coordinates.size());
  const auto fail = [&](std::string reason, MatrixXd lost) {
    out.violations.push_back(
        {"told by its coordinates", std::move(reason), holding(grasp, names.contacts), std::move(lost)});
  };
  if (out.r_x == 0) {
    fail(fmt::format(
             "the contacts lock the object (m = {}): no motion of it is left to control; let a contact "
             "slide",
             out.m),
         freedom.locked);
  } else if (n_xi != out.r_x) {
    std::vector<std::string> best;
    for (const Index c : best_coordinates(freedom, M_o)) best.push_back(plain[static_cast<std::size_t>(c)]);
    fail(fmt::format("the contacts allow {} independent motion{} of the object, but the task tells {} "
                     "coordinates ({}); {}name {} of {} in task.coordinates, best [{}]",
                     out.r_x, out.r_x == 1 ? "" : "s", n_xi, fmt::join(out.xi, ", "),
                     out.r_x < n_x
                         ? fmt::format("locked: ({}); ", each_direction(freedom.locked, names.object))
                         : std::string{},
                     out.r_x, fmt::join(plain, ", "), fmt::join(best, ", ")),
         freedom.locked);
  } else if (freedom.independence < 1e-9) {
    fail(fmt::format("the coordinates ({}) depend on one another while the contacts hold: {} does not change",
                     fmt::join(out.xi, ", "), direction_text(freedom.dependent, out.xi)),
         freedom.locked);
  }
}

// Where the object moves in every direction, the joints must be able to move all contact points.
void check_joints(const GraspMatrices& grasp, const Names& names, GraspAudit& out) {
  if (out.k > out.n_theta) return;
  const auto blame = [&](const MatrixXd& J, Index rank, const char* symbol) {
    // Rows of contacts with the environment are zero in J: no joint moves them, nor need it.
    Index own = 0;
    for (Index row = 0; row < J.rows(); ++row) own += J.row(row).norm() > 0.0 ? 1 : 0;
    if (rank == own) return;
    const Ranked left = ranked(J.transpose());
    Violation v{"manipulable", "", contacts_in(grasp, left.right_null, names.contacts)};
    v.reason =
        fmt::format("rank {} = {} of {}: the joints cannot move the contact points at {} independently",
                    symbol, rank, own, joined(v.contacts));
    out.violations.push_back(std::move(v));
  };
  blame(grasp.J_tilde, out.rank_J_tilde, "J̃");
  blame(grasp.J, out.rank_J, "J");
}

/// YᵀMZ, on which the error equations rest. @pre rank W = rank W̃ = k < n
void check_regular(const MatrixXd& M, const Ranked& W, const Ranked& W_tilde, const Names& names,
                   const GraspMatrices& grasp, GraspAudit& out) {
  const MatrixXd& Y = W.left_null;
  const MatrixXd& Z = W_tilde.left_null;
  const Ranked YMZ = ranked(Y.transpose() * M * Z);
  out.cond_YMZ = YMZ.cond;
  const Index n_x = grasp.G.rows();
  if (!std::isfinite(out.cond_T)) {
    out.det_YMZ = 0.0;  // ξ does not tell the motion
  } else if (out.n_eta > 0) {
    out.det_YMZ = (Y.transpose() * M * Z).determinant();
  } else if (static_cast<Index>(out.coordinates.size()) == out.m) {
    MatrixXd S_Z(out.m, out.m);
    MatrixXd S_Y(out.m, out.m);
    for (Index i = 0; i < out.m; ++i) {
      S_Z.row(i) = Z.row(out.coordinates[static_cast<std::size_t>(i)]);
      S_Y.row(i) = Y.row(out.coordinates[static_cast<std::size_t>(i)]);
    }
    const double scale = S_Z.determinant() * S_Y.determinant();
    if (std::abs(scale) > 1e-15) out.det_YMZ = (Y.transpose() * M * Z).determinant() / scale;
  }
  if (YMZ.rank == out.m) return;
  const MatrixXd moved = Z.topRows(n_x) * YMZ.right_null;
  out.violations.push_back(
      {"regular",
       fmt::format(
           "YᵀMZ has rank {} of {}: friction makes forces and motion depend on one another, no torque "
           "decides the motion along ({}); this is where det A = 0",
           YMZ.rank, out.m, each_direction(moved, names.object)),
       touching(grasp, names.contacts, true), moved});
}

/// The squeeze whose smallest normal force is largest, inside the cones of rolling contacts.
VectorXd best_squeeze(const GraspMatrices& grasp, const VectorXd& mu, const MatrixXd& basis) {
  const Index n_C = grasp.n_C();
  const Index p = basis.cols();
  lp::LpProblem lp = lp::unconstrained_lp(p + 1, n_C + 2 * grasp.n_R());  // α and the smallest normal force
  lp.c[p] = -1.0;
  lp.lower.setConstant(-1.0);
  lp.upper.setConstant(1.0);
  lp.row_lower.setZero();
  for (Index c = 0; c < n_C; ++c) {
    lp.R.row(c).head(p) = basis.row(c);
    lp.R(c, p) = -1.0;
  }
  for (Index r = 0; r < grasp.n_R(); ++r) {
    const Index N = grasp.n_S() + r;
    const double friction = mu[grasp.rolling[static_cast<std::size_t>(r)]];
    for (const double sign : {1.0, -1.0})
      lp.R.row(n_C + 2 * r + (sign > 0.0 ? 0 : 1)).head(p) =
          friction * basis.row(N) + sign * basis.row(n_C + r);
  }
  const lp::LpSolution solved = lp::solve_lp(lp);
  if (!solved.ok()) return VectorXd::Zero(basis.rows());
  return basis * solved.z.head(p);
}

void check_squeeze(const GraspMatrices& grasp, const VectorXd& mu, const std::vector<std::string>& names,
                   GraspAudit& out) {
  if (out.p < 1) return;
  InternalForces internal;
  internal.compute(grasp.G);
  internal.align_to_squeeze(grasp.n_C());
  out.squeeze = out.p == 1 ? VectorXd(internal.basis().col(0)) : best_squeeze(grasp, mu, internal.basis());
  const double largest = out.squeeze.cwiseAbs().maxCoeff();
  if (largest > 0.0) out.squeeze /= largest;
  out.squeeze_exists = out.squeeze.head(grasp.n_C()).minCoeff() > (out.p == 1 ? 0.0 : 1e-9);
  if (out.squeeze_exists) return;
  if (out.p > 1) {
    out.warnings.emplace_back(
        "no squeeze presses all contacts at once within the friction of those that roll");
    return;
  }
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
                 const VectorXd& q, std::span<const contact::ContactMode> modes, const VectorXd& mu,
                 std::span<const Index> coordinates) {
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

  out.coordinates.assign(coordinates.begin(), coordinates.end());
  const Index n_x = mechanism.n_x();
  if (coordinates.empty())
    for (Index i = 0; i < n_x; ++i) out.coordinates.push_back(i);
  const std::vector<std::string> plain = plain_names(mechanism.object_position_names());
  for (const Index c : out.coordinates) {
    ENFOLD_REQUIRE(c >= 0 && c < n_x, "audit: coordinate {} of {}", c, n_x);
    out.xi.push_back(plain[static_cast<std::size_t>(c)]);
  }

  MatrixXd T(out.k + static_cast<Index>(out.coordinates.size()), out.n);
  T.topRows(out.k) = grasp.W_tilde().transpose();
  T.bottomRows(T.rows() - out.k).setZero();
  for (Index i = out.k; i < T.rows(); ++i) T(i, out.coordinates[static_cast<std::size_t>(i - out.k)]) = 1.0;
  out.cond_T = T.rows() <= out.n ? ranked(T).cond : std::numeric_limits<double>::infinity();

  const Names names{contacts.names(), mechanism.object_position_names()};
  check_determined(grasp, W, W_tilde, names.contacts, out);
  check_forces(grasp, names, G_tilde, G, out);
  check_coordinates(grasp, names, dynamics.M.topLeftCorner(n_x, n_x), out);
  if (static_cast<Index>(out.coordinates.size()) == n_x) check_joints(grasp, names, out);
  if (out.k > 0 && W.rank == out.k && W_tilde.rank == out.k && out.m > 0)
    check_regular(dynamics.M, W, W_tilde, names, grasp, out);
  if (out.k >= n_x && G.rank == n_x) check_squeeze(grasp, mu, names.contacts, out);

  if (out.k > 0 && W_tilde.rank == out.k && out.k <= out.n) {
    out.A = contact_matrix(dynamics.M, grasp);
    out.p_matrix = lcp::test_p_matrix(out.A);
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
  lines.push_back(fmt::format(
      "the object can move in {} way{}, told by ({}); self-motions of the arms: {}; cond of [W̃ᵀ; S] = {:.3g}",
      a.r_x, a.r_x == 1 ? "" : "s", fmt::join(a.xi, ", "), a.n_eta, a.cond_T));
  if (a.cond_YMZ > 0.0)
    lines.push_back(fmt::format("det YᵀMZ = {:.4g} (cond {:.3g})", a.det_YMZ, a.cond_YMZ));
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
  if (a.p >= 1) lines.emplace_back(a.squeeze_exists ? "a squeeze exists" : "no squeeze exists");
  for (const Violation& v : a.violations) lines.push_back(fmt::format("not {}: {}", v.assumption, v.reason));
  for (const std::string& w : a.warnings) lines.push_back("warning: " + w);
  return lines;
}

std::string refusal(const GraspAudit& a) {
  std::string out;
  for (const Violation& v : a.violations)
    out += (out.empty() ? "" : "; ") + fmt::format("not {}: {}", v.assumption, v.reason);
  return out;
}

}  // namespace enfold::grasp
