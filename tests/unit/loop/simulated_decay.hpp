// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "loop_case.hpp"

namespace enfold::test {

/// How a law is run in the simulator.
struct RunAs {
  double rate = 0.0;       ///< [Hz]; 0: continuous
  double delay = 0.0;      ///< [s]
  double spacing = 0.02;   ///< of the recorded instants [s]
  double settle = 0.06;    ///< what is over by then is not looked at [s]
  double duration = 0.42;  ///< [s]
  double step = 1e-3;      ///< [s]
};

/// One run of the real closed loop next to rest. The object starts displaced, the law's integrals start at an
/// offset.
inline sim::History simulated_run(const HeldCase& c, const std::shared_ptr<control::Controller>& law,
                                  const VectorXd& displaced, double integral, const RunAs& as) {
  sim::SimulationProblem problem;
  problem.plant = {c.hand.mechanism, c.hand.contacts, c.grasp.mu};
  problem.controller = integral == 0.0 ? law : std::make_shared<sim::ShiftedLaw>(law, integral);
  problem.trajectory = c.still;
  problem.plan = c.plan;
  problem.modes = c.grasp.modes;
  problem.q = c.hand.closed(c.grasp.q.head(3) + displaced);
  problem.v = VectorXd::Zero(7);
  sim::SimulationOptions options;
  options.duration = as.duration;
  options.step = as.step;
  options.record_rate = 1.0 / as.spacing;
  options.control_rate = as.rate;
  options.control_delay = as.delay;
  options.slip_tol = 1e3;  // friction acts as declared, as in the linearisation
  options.rigid.drift_frequency = 0.0;
  return sim::simulate(problem, options);
}

/// [ξ − ξ₀ ; ξ̇ ; α_d − α] at each recorded instant.
inline MatrixXd course_of(const HeldCase& c, const sim::History& history) {
  if (history.status != sim::RunStatus::kCompleted) throw std::runtime_error(history.message);
  const VectorXd rest = c.grasp.q.head(3);
  // The first sample alone holds forces just after the torque has changed.
  MatrixXd out(6 + history.samples[0].alpha.size(), static_cast<Index>(history.samples.size()) - 1);
  for (Index k = 0; k < out.cols(); ++k) {
    const sim::Sample& sample = history.samples[static_cast<std::size_t>(k) + 1];
    out.col(k) << sample.x - rest, sample.x_dot, sample.alpha_des - sample.alpha;
  }
  return out;
}

/// Poles of the simulated loop, seen from outside: the linear map from one recorded instant to the next that
/// fits the runs best, by least squares over `depth` instants each, of rank `order`; its eigenvalues e^{sΔ}.
inline std::vector<loop::Pole> fitted_poles(const std::vector<MatrixXd>& runs, Index order, Index depth,
                                            double spacing) {
  Index columns = 0;
  for (const MatrixXd& run : runs) columns += run.cols() - depth;
  const Index rows = runs.front().rows();
  MatrixXd now(rows * depth, columns);
  MatrixXd next(rows * depth, columns);
  Index at = 0;
  for (const MatrixXd& run : runs)
    for (Index k = 0; k + depth < run.cols(); ++k, ++at)
      for (Index d = 0; d < depth; ++d) {
        now.col(at).segment(rows * d, rows) = run.col(k + d);
        next.col(at).segment(rows * d, rows) = run.col(k + d + 1);
      }
  // Poses, velocities and forces are made comparable by their size.
  for (Index r = 0; r < now.rows(); ++r) {
    const double size = now.row(r).norm();
    if (size == 0.0) continue;
    now.row(r) /= size;
    next.row(r) /= size;
  }
  const Eigen::BDCSVD<MatrixXd> svd(now, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const MatrixXd U = svd.matrixU().leftCols(order);
  const MatrixXd map = U.transpose() * next * svd.matrixV().leftCols(order) *
                       svd.singularValues().head(order).cwiseInverse().asDiagonal();
  return loop::poles(map, spacing);
}

/// The poles that can be seen before they have died away, e^{sΔ} above 0.08, as they appear from one recorded
/// instant to the next: Im s up to a multiple of 2π/Δ.
inline std::vector<std::complex<double>> visible(const std::vector<loop::Pole>& poles, double spacing) {
  std::vector<std::complex<double>> out;
  for (const loop::Pole& pole : poles)
    if (!pole.dead_beat && std::exp(pole.s.real() * spacing) > 0.08)
      out.emplace_back(pole.s.real(), std::remainder(pole.s.imag(), 2.0 * std::numbers::pi / spacing));
  return out;
}

/// Poles measured from the decay of small errors: each coordinate displaced by 1e-7 m or rad, and the law's
/// integrals shifted.
inline std::vector<loop::Pole> measured_poles(const HeldCase& c,
                                              const std::shared_ptr<control::Controller>& law, Index order,
                                              const RunAs& as) {
  std::vector<MatrixXd> runs;
  const auto add = [&](const VectorXd& displaced, double integral) {
    const MatrixXd course = course_of(c, simulated_run(c, law, displaced, integral, as));
    const auto skipped = static_cast<Index>(std::lround(as.settle / as.spacing)) - 1;
    runs.emplace_back(course.rightCols(course.cols() - skipped));
  };
  for (Index i = 0; i < 3; ++i) add(1e-7 * VectorXd::Unit(3, i), 0.0);
  if (law->n_integrals() > 0) add(VectorXd::Zero(3), 1e-4);
  // More poles than readings: two instants together show what one does not.
  return fitted_poles(runs, order, order > runs.front().rows() ? 2 : 1, as.spacing);
}

}  // namespace enfold::test
