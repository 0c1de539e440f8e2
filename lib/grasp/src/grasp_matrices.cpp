// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/grasp/grasp_matrices.hpp"

#include <algorithm>

#include "enfold/base/require.hpp"

namespace enfold::grasp {
namespace {

using contact::ContactMode;

void resize(GraspMatrices& out, Index n_x, Index n_theta) {
  out.G.resize(n_x, out.k());
  out.G_tilde.resize(n_x, out.k());
  out.J.resize(out.k(), n_theta);
  out.J_tilde.resize(out.k(), n_theta);
}

void require_friction(const char* who, std::size_t n_modes, const VectorXd& mu, Index n_C) {
  ENFOLD_REQUIRE(static_cast<Index>(n_modes) == n_C && mu.size() == n_C,
                 "{}: {} modes and {} friction coefficients for {} contacts", who, n_modes, mu.size(), n_C);
  for (Index i = 0; i < n_C; ++i)
    ENFOLD_REQUIRE(mu[i] >= 0.0, "{}: friction coefficient of contact {} is {}, expected ≥ 0", who, i, mu[i]);
}

double mu_s(std::span<const ContactMode> modes, const VectorXd& mu, Index i) {
  return -mu[i] * slip_sign(modes[static_cast<std::size_t>(i)]);
}

MatrixXd stack(const MatrixXd& G, const MatrixXd& J) {
  MatrixXd W(G.rows() + J.cols(), G.cols());
  W.topRows(G.rows()) = G;
  W.bottomRows(J.cols()) = -J.transpose();
  return W;
}

// The largest contact number that has a column; −1 if all are open.
Index last_contact(const GraspMatrices& grasp) {
  const Index sliding = grasp.sliding.empty() ? -1 : grasp.sliding.back();
  const Index rolling = grasp.rolling.empty() ? -1 : grasp.rolling.back();
  return std::max(sliding, rolling);
}

}  // namespace

void list_contacts(std::span<const ContactMode> modes, GraspMatrices& out) {
  out.sliding.clear();
  out.rolling.clear();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (is_sliding(modes[i])) out.sliding.push_back(static_cast<Index>(i));
    if (modes[i] == ContactMode::kRoll) out.rolling.push_back(static_cast<Index>(i));
  }
}

MatrixXd GraspMatrices::W() const {
  return stack(G, J);
}
MatrixXd GraspMatrices::W_tilde() const {
  return stack(G_tilde, J_tilde);
}

void assemble(const contact::ContactKinematics& kinematics, std::span<const ContactMode> modes,
              const VectorXd& mu, Index n_x, GraspMatrices& out) {
  const MatrixXd& W_N = kinematics.W_N;
  const MatrixXd& W_T = kinematics.W_T;
  ENFOLD_REQUIRE(W_T.cols() == W_N.cols(), "assemble: {} tangents for {} contacts, expected one each",
                 W_T.cols(), W_N.cols());
  ENFOLD_REQUIRE(kinematics.bias_N.size() == W_N.cols() && kinematics.bias_T.size() == W_N.cols(),
                 "assemble: {} and {} biases for {} contacts", kinematics.bias_N.size(),
                 kinematics.bias_T.size(), W_N.cols());
  ENFOLD_REQUIRE(n_x >= 0 && n_x <= W_N.rows(), "assemble: n_x is {}, expected 0 … {}", n_x, W_N.rows());
  require_friction("assemble", modes.size(), mu, W_N.cols());
  const Index n_theta = W_N.rows() - n_x;
  list_contacts(modes, out);
  resize(out, n_x, n_theta);
  out.bias.resize(out.k());

  const auto put = [&](Index column, const auto& w, const auto& w_tilde, double bias) {
    out.G.col(column) = w.head(n_x);
    out.J.row(column) = -w.tail(n_theta).transpose();
    out.G_tilde.col(column) = w_tilde.head(n_x);
    out.J_tilde.row(column) = -w_tilde.tail(n_theta).transpose();
    out.bias[column] = bias;
  };
  for (Index s = 0; s < out.n_S(); ++s) {
    const Index i = out.sliding[static_cast<std::size_t>(s)];
    put(s, W_N.col(i) + mu_s(modes, mu, i) * W_T.col(i), W_N.col(i), kinematics.bias_N[i]);
  }
  for (Index r = 0; r < out.n_R(); ++r) {
    const Index i = out.rolling[static_cast<std::size_t>(r)];
    put(out.n_S() + r, W_N.col(i), W_N.col(i), kinematics.bias_N[i]);
    put(out.n_C() + r, W_T.col(i), W_T.col(i), kinematics.bias_T[i]);
  }
}

GraspMatrices assemble_from_frames(const mechanics::Mechanism& mechanism, const contact::ContactSet& contacts,
                                   const VectorXd& q, std::span<const ContactMode> modes,
                                   const VectorXd& mu) {
  require_friction("assemble_from_frames", modes.size(), mu, contacts.n_contacts());
  GraspMatrices out;
  list_contacts(modes, out);
  resize(out, mechanism.n_x(), mechanism.n_theta());
  const auto put = [&](Index column, Index i, bool tangential) {
    const contact::ContactFrame frame = contacts.frame(q, i);
    const MatrixXd J_o = mechanism.object_point_jacobian(q, frame.object_point);
    // What the environment is made of does not move.
    const MatrixXd J_l = frame.link >= 0 ? mechanism.link_point_jacobian(q, frame.link, frame.link_point)
                                         : MatrixXd::Zero(frame.normal.size(), mechanism.n_theta());
    const VectorXd along = tangential ? VectorXd(frame.tangents.col(0)) : frame.normal;
    const VectorXd loaded =
        tangential ? along : VectorXd(frame.normal + mu_s(modes, mu, i) * frame.tangents.col(0));
    out.G.col(column) = J_o.transpose() * loaded;
    out.J.row(column) = (J_l.transpose() * loaded).transpose();
    out.G_tilde.col(column) = J_o.transpose() * along;
    out.J_tilde.row(column) = (J_l.transpose() * along).transpose();
  };
  for (Index s = 0; s < out.n_S(); ++s) put(s, out.sliding[static_cast<std::size_t>(s)], false);
  for (Index r = 0; r < out.n_R(); ++r) {
    put(out.n_S() + r, out.rolling[static_cast<std::size_t>(r)], false);
    put(out.n_C() + r, out.rolling[static_cast<std::size_t>(r)], true);
  }
  return out;
}

void spread_forces(const GraspMatrices& grasp, std::span<const ContactMode> modes, const VectorXd& mu,
                   const VectorXd& lambda, VectorXd& lambda_N, VectorXd& lambda_T) {
  ENFOLD_REQUIRE(lambda.size() == grasp.k(), "spread_forces: {} forces, expected {}", lambda.size(),
                 grasp.k());
  require_friction("spread_forces", modes.size(), mu, static_cast<Index>(modes.size()));
  ENFOLD_REQUIRE(last_contact(grasp) < mu.size(), "spread_forces: contact {} of {}", last_contact(grasp),
                 mu.size());
  lambda_N.setZero(mu.size());
  lambda_T.setZero(mu.size());
  for (Index s = 0; s < grasp.n_S(); ++s) {
    const Index i = grasp.sliding[static_cast<std::size_t>(s)];
    lambda_N[i] = lambda[s];
    lambda_T[i] = mu_s(modes, mu, i) * lambda[s];
  }
  for (Index r = 0; r < grasp.n_R(); ++r) {
    const Index i = grasp.rolling[static_cast<std::size_t>(r)];
    lambda_N[i] = lambda[grasp.n_S() + r];
    lambda_T[i] = lambda[grasp.n_C() + r];
  }
}

void stack_forces(const GraspMatrices& grasp, const VectorXd& lambda_N, const VectorXd& lambda_T,
                  VectorXd& lambda) {
  ENFOLD_REQUIRE(lambda_N.size() == lambda_T.size() && last_contact(grasp) < lambda_N.size(),
                 "stack_forces: {} normal and {} tangential forces, the last contact has number {}",
                 lambda_N.size(), lambda_T.size(), last_contact(grasp));
  lambda.resize(grasp.k());
  for (Index s = 0; s < grasp.n_S(); ++s) lambda[s] = lambda_N[grasp.sliding[static_cast<std::size_t>(s)]];
  for (Index r = 0; r < grasp.n_R(); ++r) {
    lambda[grasp.n_S() + r] = lambda_N[grasp.rolling[static_cast<std::size_t>(r)]];
    lambda[grasp.n_C() + r] = lambda_T[grasp.rolling[static_cast<std::size_t>(r)]];
  }
}

}  // namespace enfold::grasp
