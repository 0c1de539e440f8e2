// SPDX-License-Identifier: BSD-3-Clause
// What `enfold check` says that the contacts can hold.
#include "grasp_analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "enfold/io/scenario_file.hpp"
#include "enfold/lp/lp_solver.hpp"
#include "enfold/test/scenario_path.hpp"
#include "program_test.hpp"

namespace enfold::app {
namespace {

using contact::ContactMode;
using testing::HasSubstr;

Setup analysed_setup(const std::vector<std::string>& overrides = {}) {
  return make_setup(io::read_scenario(test::scenario_path("song2001-rotate"), overrides));
}

/// max s: Gλ + s d = 0 with every contact sticking, λ = [λ_N; λ_T] from unit wrenches and arm Jacobians.
double resisted_by_motors(const Setup& setup, const VectorXd& d, double max_torque) {
  const Index n = setup.model.mu.size();
  const std::vector<ContactMode> sticking(static_cast<std::size_t>(n), ContactMode::kRoll);
  const grasp::GraspMatrices grasp = grasp::assemble_from_frames(
      *setup.model.mechanism, *setup.model.contacts, setup.q, sticking, setup.model.mu);
  const Index n_theta = grasp.J.cols();
  lp::LpProblem lp = lp::unconstrained_lp(2 * n + 1, 3 + 2 * n + n_theta);
  lp.c[2 * n] = -1.0;
  lp.R.topLeftCorner(3, 2 * n) = grasp.G;
  lp.R.col(2 * n).head(3) = d;
  lp.row_lower.head(3).setZero();
  lp.row_upper.head(3).setZero();
  for (Index i = 0; i < n; ++i) {
    for (const Index side : {0, 1}) {
      const Index row = 3 + 2 * i + side;
      lp.R(row, i) = setup.model.mu[i];
      lp.R(row, n + i) = side == 0 ? 1.0 : -1.0;
      lp.row_lower[row] = 0.0;
    }
    lp.lower[i] = 0.0;
  }
  lp.R.bottomLeftCorner(n_theta, 2 * n) = grasp.J.transpose();
  lp.row_lower.tail(n_theta).setConstant(-max_torque);
  lp.row_upper.tail(n_theta).setConstant(max_torque);
  const lp::LpSolution solution = lp::solve_lp(lp);
  return solution.ok() ? -solution.objective : -1.0;
}

TEST(GraspAnalysisTest, ForcesThatMotorsResistAreThoseOfStackedForcesAndArmJacobians) {
  const auto setup = analysed_setup({"planner.max_torque_Nm=2", "contacts.left.distal.mu=0.5"});
  const GraspAnalysis analysis = analyse_grasp(setup, setup.modes);
  ASSERT_TRUE(analysis.limited);
  ASSERT_EQ(analysis.forces.size(), 72U);
  for (std::size_t k = 0; k < analysis.forces.size(); k += 5) {
    const ResistedForce& force = analysis.forces[k];
    const VectorXd d = Eigen::Vector3d(std::cos(force.angle), std::sin(force.angle), 0.0);
    EXPECT_NEAR(force.by_motors, resisted_by_motors(setup, d, 2.0), 1e-7 * (1.0 + force.by_motors)) << k;
    EXPECT_GE(force.size, analysis.sum.epsilon - 1e-9);
  }
}

// The cheapest squeeze balances, presses every contact, and its shadow on the figure is an internal force.
TEST(GraspAnalysisTest, CheapestSqueezePressesEveryContactAndLeavesTheObjectAlone) {
  const auto setup = analysed_setup();
  const planners::PlanSolution planned = make_plan(setup);
  const GraspAnalysis analysis = analyse_grasp(setup, planned.plan.points.front().modes);
  ASSERT_TRUE(analysis.effort.ok());
  EXPECT_GE(analysis.effort_N.minCoeff(), 1.0 - 1e-9);
  contact::ContactKinematics kinematics;
  setup.model.contacts->kinematics(setup.q, VectorXd::Zero(7), kinematics);
  const VectorXd wrench =
      kinematics.W_N.topRows(3) * analysis.effort_N + kinematics.W_T.topRows(3) * analysis.effort_T;
  EXPECT_LT(wrench.norm(), 1e-9);
  const VectorXd tau =
      -(kinematics.W_N.bottomRows(4) * analysis.effort_N + kinematics.W_T.bottomRows(4) * analysis.effort_T);
  EXPECT_NEAR(tau.cwiseAbs().maxCoeff(), analysis.effort.largest, 1e-9);
}

TEST(GraspAnalysisTest, FigureShowsWhatTheAnalysisHolds) {
  const auto setup = analysed_setup({"planner.max_torque_Nm=2"});
  const GraspAnalysis analysis = analyse_grasp(setup, setup.modes);
  const figure::Figure figure = analysis_figure(analysis, setup);
  ASSERT_EQ(figure.panels.size(), 4U);
  EXPECT_NO_THROW(figure::validate(figure));
  const auto& forces = std::get<figure::Polygon>(figure.panels[1].elements.front());
  ASSERT_EQ(forces.points.size(), analysis.forces.size());
  for (std::size_t k = 0; k < forces.points.size(); ++k)
    EXPECT_NEAR(std::hypot(forces.points[k].x, forces.points[k].y), analysis.forces[k].by_motors, 1e-9);
  // The shadow of the velocity ellipsoid is reached by unit joint rates: its farthest point is the largest
  // singular value of the first two rows of the map from joint rates.
  const auto& velocity = std::get<figure::Polygon>(figure.panels[2].elements.front());
  double farthest = 0.0;
  for (const figure::Point& p : velocity.points) farthest = std::max(farthest, std::hypot(p.x, p.y));
  contact::ContactKinematics kinematics;
  setup.model.contacts->kinematics(setup.q, VectorXd::Zero(7), kinematics);
  const MatrixXd object = kinematics.W_N.topRows(3).transpose();
  const MatrixXd joints = -kinematics.W_N.bottomRows(4).transpose();
  // φ̇ = object ẋ − joints θ̇ = 0: θ̇ = joints⁻¹ object ẋ; the ellipsoid is {ẋ : ‖θ̇‖ ≤ 1}.
  const MatrixXd H = joints.fullPivLu().solve(object);
  const MatrixXd inverse = (H.transpose() * H).inverse();
  const double expected = std::sqrt(
      Eigen::SelfAdjointEigenSolver<MatrixXd>(inverse.topLeftCorner(2, 2)).eigenvalues().maxCoeff());
  EXPECT_NEAR(farthest, expected, 1e-6 * expected);
}

class PlanningProgramTest : public ProgramTest {};

TEST_F(PlanningProgramTest, CheckTellsAndDrawsWhatTheGraspCanHold) {
  const Answer answer = run_program({"check", test::scenario_path("song2001-rotate").string()});
  EXPECT_EQ(answer.code, 0) << answer.err;
  for (const char* line : {"force closure: ", "form closure (no friction, links locked): ", "epsilon ",
                           "largest force resisted, per newton in all: ", "velocity for unit joint rates: ",
                           "force for unit torques: ", "1 N at every contact costs "})
    EXPECT_THAT(answer.out, HasSubstr(line));
  EXPECT_TRUE(std::filesystem::exists("checks/song2001-rotate/grasp.svg"));
  EXPECT_TRUE(std::filesystem::exists("checks/song2001-rotate/grasp.png"));
  EXPECT_EQ(run_program({"check", test::scenario_path("song2001-rotate").string(), "--no-figures", "--quiet",
                         "--out", "none"})
                .code,
            0);
  EXPECT_FALSE(std::filesystem::exists("none"));
}

TEST_F(PlanningProgramTest, PlanNamesTheBindingVertexAndThePrices) {
  const Answer robust = run_program({"plan", test::scenario_path("robust-squeeze").string()});
  EXPECT_EQ(robust.code, 0) << robust.err;
  EXPECT_THAT(robust.out, HasSubstr("one newton more there costs "));
  EXPECT_THAT(robust.out, HasSubstr("worst with mu of left.proximal "));
  EXPECT_THAT(robust.out, HasSubstr("N·m on the object"));
}

TEST_F(PlanningProgramTest, InfeasiblePlanOffersWhatWorks) {
  const std::string scenario = test::scenario_path("song2001-rotate").string();
  const Answer none = run_program({"plan", scenario, "--set", "planner.max_torque_Nm=0.5", "--out", "a"});
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.out, HasSubstr("there is a plan up to t = "));
  EXPECT_THAT(none.out, HasSubstr("another duration does not help"));
  EXPECT_THAT(none.out, HasSubstr("task.trajectory.to: {x_m: 0, y_m: 0.15, phi_deg: "));
  const std::string floors = "planner.min_normal_N: ";
  ASSERT_THAT(none.out, HasSubstr(floors));
  std::string offer = none.out.substr(none.out.find(floors) + floors.size());
  offer = offer.substr(0, offer.find(' '));
  EXPECT_EQ(run_program({"plan", scenario, "--set", "planner.max_torque_Nm=0.5", "--set",
                         "planner.min_normal_N=" + offer, "--out", "b"})
                .code,
            0);
}

TEST_F(PlanningProgramTest, FastestPlansAtTheShortestDuration) {
  const std::string scenario = test::scenario_path("song2001-rotate").string();
  const Answer fast =
      run_program({"plan", scenario, "--fastest", "--set", "planner.max_torque_Nm=2", "--out", "fast"});
  EXPECT_EQ(fast.code, 0) << fast.err;
  EXPECT_THAT(fast.out, HasSubstr("fastest: "));
  EXPECT_THAT(fast.out, HasSubstr("|torque of "));
  EXPECT_THAT(fast.out, HasSubstr("largest torque        2 N·m"));
}

}  // namespace
}  // namespace enfold::app
