// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/state_space.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "enfold/base/require.hpp"

namespace enfold::loop {
namespace {

/// (I − D)⁻¹ of a static loop.
Eigen::FullPivLU<MatrixXd> static_loop(const MatrixXd& D) {
  Eigen::FullPivLU<MatrixXd> lu(MatrixXd::Identity(D.rows(), D.cols()) - D);
  ENFOLD_REQUIRE(D.rows() == 0 || lu.isInvertible(),
                 "StateSpace: the loop through D alone has no answer: I − D is singular");
  return lu;
}

}  // namespace

Eigen::MatrixXcd StateSpace::response(std::complex<double> p) const {
  Eigen::MatrixXcd resolvent = -A.cast<std::complex<double>>();
  resolvent.diagonal().array() += p;
  Eigen::MatrixXcd out = D.cast<std::complex<double>>();
  if (states() > 0) out += C * resolvent.partialPivLu().solve(B.cast<std::complex<double>>());
  return out;
}

Eigen::MatrixXcd StateSpace::at_frequency(double omega) const {
  const std::complex<double> i_omega{0.0, omega};
  return response(sampled() ? std::exp(i_omega * period) : i_omega);
}

MatrixXd StateSpace::closed(double gain) const {
  return A + gain * B * static_loop(gain * D).solve(C);
}

StateSpace StateSpace::open_at(std::span<const Index> open) const {
  std::vector<Index> shut;
  for (Index i = 0; i < channels(); ++i)
    if (std::find(open.begin(), open.end(), i) == open.end()) shut.push_back(i);
  const std::vector<Index> left(open.begin(), open.end());
  for (const Index i : left)
    ENFOLD_REQUIRE(i >= 0 && i < channels(), "StateSpace: channel {} of {}", i, channels());
  const auto loop = static_loop(D(shut, shut));
  const MatrixXd by_state = loop.solve(C(shut, Eigen::all));  // w of the closed channels
  const MatrixXd by_open = loop.solve(D(shut, left));
  StateSpace out;
  out.period = period;
  out.A = A + B(Eigen::all, shut) * by_state;
  out.B = B(Eigen::all, left) + B(Eigen::all, shut) * by_open;
  out.C = C(left, Eigen::all) + D(left, shut) * by_state;
  out.D = D(left, left) + D(left, shut) * by_open;
  return out;
}

StateSpace StateSpace::delayed(std::span<const Index> late) const {
  ENFOLD_REQUIRE(sampled(), "StateSpace: a delay by periods needs a sampled system");
  const std::vector<Index> rows(late.begin(), late.end());
  const auto n_late = static_cast<Index>(rows.size());
  const Index n = states();
  StateSpace out;
  out.period = period;
  out.A = MatrixXd::Zero(n + n_late, n + n_late);
  out.A.topLeftCorner(n, n) = A;
  out.A.bottomLeftCorner(n_late, n) = C(rows, Eigen::all);
  out.B.resize(n + n_late, channels());
  out.B << B, D(rows, Eigen::all);
  out.C = MatrixXd::Zero(C.rows(), n + n_late);
  out.C.leftCols(n) = C;
  out.D = D;
  for (Index i = 0; i < n_late; ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    out.C.row(row).setZero();
    out.C(row, n + i) = 1.0;
    out.D.row(row).setZero();
  }
  return out;
}

Held zero_order_hold(const MatrixXd& A, const MatrixXd& B, double t) {
  ENFOLD_REQUIRE(A.rows() == A.cols() && A.rows() == B.rows() && t >= 0.0,
                 "zero_order_hold: A is {} × {}, B has {} rows, t = {} s", A.rows(), A.cols(), B.rows(), t);
  const Index n = A.rows();
  MatrixXd block = MatrixXd::Zero(n + B.cols(), n + B.cols());
  block.topLeftCorner(n, n) = t * A;
  block.topRightCorner(n, B.cols()) = t * B;
  const MatrixXd exponential = block.exp();
  return {exponential.topLeftCorner(n, n), exponential.topRightCorner(n, B.cols())};
}

}  // namespace enfold::loop
