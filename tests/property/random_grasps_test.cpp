// SPDX-License-Identifier: BSD-3-Clause
// Random grasps of every kind: the audit against ranks computed another way, then a run or a reason.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <set>

#include "enfold/contact/contact_law.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/grasp/motion_coordinates.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/simulation.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/random_grasp.hpp"

namespace enfold {
namespace {

using contact::ContactMode;
using test::RandomGrasp;

constexpr std::uint64_t kSeed = 20261118;

/// Rank by Gram-Schmidt with pivoting, twice over each column; no library's factorisation. −1 if a column is
/// too near to dependent to tell.
Index gram_schmidt_rank(MatrixXd A) {
  const double scale = A.size() > 0 ? A.colwise().norm().maxCoeff() : 0.0;
  if (scale == 0.0) return 0;
  Index rank = 0;
  while (rank < A.cols()) {
    Index pivot = 0;
    const double left = A.rightCols(A.cols() - rank).colwise().norm().maxCoeff(&pivot);
    if (left > 1e-12 * scale && left < 1e-7 * scale) return -1;
    if (left <= 1e-12 * scale) break;
    A.col(rank).swap(A.col(rank + pivot));
    A.col(rank).normalize();
    for (int pass = 0; pass < 2; ++pass)
      for (Index c = rank + 1; c < A.cols(); ++c) A.col(c) -= A.col(rank).dot(A.col(c)) * A.col(rank);
    ++rank;
  }
  return rank;
}

/// W and W̃ from points and directions: the object's rows are a unit wrench, a joint's are minus the moment
/// about it.
struct Rows {
  MatrixXd W, W_tilde;
};

Rows rows_of(const RandomGrasp& grasp, const VectorXd& q) {
  const auto& hand = grasp.mechanism->hand();
  const Index n_j = hand.n_joints();
  std::vector<Vector2d> joints;
  std::vector<Index> arm_start;
  Vector2d at = Vector2d::Zero();
  double angle = 0.0;
  for (Index j = 0; j < n_j; ++j) {
    if (hand.first_joint(j) == j) {
      at = hand.arm_of(j).base;
      angle = 0.0;
    }
    joints.push_back(at);
    angle += q[3 + j];
    at += hand.link(j).length * Vector2d(std::cos(angle), std::sin(angle));
  }
  std::vector<VectorXd> with_friction, without;
  const auto cross = [](const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); };
  const auto column = [&](const contact::ContactFrame& frame, const Vector2d& along) {
    VectorXd out = VectorXd::Zero(3 + n_j);
    const Vector2d p = frame.object_point;
    out.head(2) = along;
    out[2] = cross(p - q.head<2>(), along);
    if (frame.link < 0) return out;
    for (Index j = hand.first_joint(frame.link); j <= frame.link; ++j)
      out[3 + j] = -cross(p - joints[static_cast<std::size_t>(j)], along);
    return out;
  };
  for (Index i = 0; i < grasp.mu.size(); ++i) {
    const ContactMode mode = grasp.modes[static_cast<std::size_t>(i)];
    if (mode == ContactMode::kOpen) continue;
    const contact::ContactFrame frame = grasp.contacts->frame(q, i);
    const VectorXd N = column(frame, frame.normal);
    const VectorXd T = column(frame, frame.tangents.col(0));
    without.push_back(N);
    with_friction.push_back(N - grasp.mu[i] * slip_sign(mode) * T);
    if (mode == ContactMode::kRoll) {
      without.push_back(T);
      with_friction.push_back(T);
    }
  }
  Rows out;
  const auto k = static_cast<Index>(without.size());
  out.W.resize(3 + n_j, k);
  out.W_tilde.resize(3 + n_j, k);
  for (Index c = 0; c < k; ++c) {
    out.W.col(c) = with_friction[static_cast<std::size_t>(c)];
    out.W_tilde.col(c) = without[static_cast<std::size_t>(c)];
  }
  return out;
}

bool finite(const sim::Sample& s) {
  return s.x.allFinite() && s.x_dot.allFinite() && s.theta.allFinite() && s.omega.allFinite() &&
         s.tau.allFinite() && s.lambda_N.allFinite() && s.lambda_T.allFinite() && s.alpha.allFinite();
}

struct Tally {
  int coarse = 0, feature_changes = 0;
  int drawn = 0, closed = 0, compared = 0, ambiguous = 0, controllable = 0, planned = 0, ran = 0;
  std::map<std::string, int> ends;
  std::map<std::string, std::pair<int, int>> kinds;  ///< of what kinds the grasps were: drawn, ran to the end
};

/// What a grasp has of all that there may be.
std::set<std::string> kinds_of(const RandomGrasp& grasp) {
  const mechanics::PlanarHand& hand = grasp.mechanism->hand();
  std::set<std::string> kinds{grasp.shape, fmt::format("{} arms", hand.arms().size())};
  for (const mechanics::PlanarArm& arm : hand.arms()) {
    kinds.insert(fmt::format("an arm of {} links", arm.links.size()));
    for (const mechanics::PlanarLink& link : arm.links) {
      if (link.radius > 0.0) kinds.insert("capsule link");
      if (link.bulge > 0.0) kinds.insert("bulging link");
      if (link.bulge < 0.0) kinds.insert("hollow link");
    }
  }
  std::set<Index> touched;
  for (const contact::PlanarContact& contact : grasp.contacts->contacts()) {
    if (contact.plane >= 0) kinds.insert(grasp.contacts->planes().size() > 1 ? "two planes" : "one plane");
    if (contact.link >= 0 && !touched.insert(contact.link).second) kinds.insert("two contacts on a link");
  }
  if (static_cast<Index>(touched.size()) < hand.n_joints()) kinds.insert("link without contact");
  if (grasp.contacts->has_features()) kinds.insert("contact that may move on to another part");
  if (!hand.gravity().isZero()) kinds.insert("gravity");
  bool roll = false, slide = false, automatic = false;
  for (std::size_t i = 0; i < grasp.modes.size(); ++i) {
    automatic = automatic || grasp.automatic[i];
    roll = roll || grasp.modes[i] == ContactMode::kRoll;
    slide = slide || (is_sliding(grasp.modes[i]) && !grasp.automatic[i]);
    if (grasp.modes[i] == ContactMode::kOpen) kinds.insert("open contact");
  }
  std::string mix = "modes:";
  if (roll) mix += " roll";
  if (slide) mix += " slide";
  if (automatic) mix += " auto";
  kinds.insert(mix);
  return kinds;
}

void compare_audit(const RandomGrasp& grasp, const VectorXd& q, const grasp::GraspAudit& audit, Tally& tally,
                   std::uint64_t number) {
  const Rows rows = rows_of(grasp, q);
  const Index k = rows.W.cols();
  const Index n_theta = grasp.mechanism->n_theta();
  const Index rank_W = gram_schmidt_rank(rows.W);
  const Index rank_W_tilde = gram_schmidt_rank(rows.W_tilde);
  const Index rank_G = gram_schmidt_rank(rows.W.topRows(3));
  const Index rank_J = gram_schmidt_rank(rows.W_tilde.bottomRows(n_theta));
  if (std::min({rank_W, rank_W_tilde, rank_G, rank_J}) < 0) {
    ++tally.ambiguous;
    return;
  }
  ++tally.compared;
  EXPECT_EQ(audit.k, k) << number;
  EXPECT_EQ(audit.rank_W, rank_W) << number;
  EXPECT_EQ(audit.m, 3 + n_theta - rank_W_tilde) << number;
  EXPECT_EQ(audit.p, k - rank_G) << number;
  // Motions with the object still are those of the joints that move no contact.
  EXPECT_EQ(audit.n_eta, n_theta - rank_J) << number;
  EXPECT_EQ(audit.r_x, audit.m - (n_theta - rank_J)) << number;
  if (audit.controllable()) {
    EXPECT_EQ(audit.m + audit.p, n_theta) << number;
  }
}

/// Moves the object a little along its coordinates, squeezing; a run of half a second, or a reason. Modes
/// that the mechanics decide are found with springs, or with rigid contacts as long as those have one answer.
/// True if it ran to the end.
bool run(const RandomGrasp& grasp, const std::vector<Index>& coordinates, const CounterRandom& random,
         Tally& tally, std::uint64_t number) {
  VectorXd to = grasp.x;
  for (const Index c : coordinates)
    to[c] += (c == 2 ? 0.03 : 0.003) * random.symmetric(9000 + static_cast<std::uint64_t>(c));
  planners::PlanProblem problem;
  problem.mechanism = grasp.mechanism;
  problem.contacts = grasp.contacts;
  problem.mu = grasp.mu;
  problem.modes = grasp.modes;
  const auto told = std::make_shared<planners::Quintic>(grasp.x, to, 0.5);
  problem.trajectory = told;
  problem.coordinates = coordinates;
  problem.min_normal = [](double, Index) { return 0.3; };
  const planners::PlanSolution planned = planners::plan_internal_forces(problem, {.sample_rate = 50.0});
  if (!planned.ok()) {
    EXPECT_FALSE(planned.message.empty()) << number;
    ++tally.ends[std::string(to_string(planned.status))];
    return false;
  }
  ++tally.planned;
  sim::SimulationProblem world;
  world.plant = {grasp.mechanism, grasp.contacts, grasp.mu};
  world.plan = std::make_shared<control::Plan>(planned.plan);
  const auto path =
      planners::PlannedMotion(grasp.mechanism, grasp.contacts, grasp.mu, grasp.modes, told, coordinates)
          .path();
  world.trajectory = path;
  world.controller = std::make_shared<controllers::WholeArmController>(
      controllers::WholeArmModel{grasp.mechanism, grasp.contacts, grasp.mu, coordinates}, path, world.plan,
      controllers::Gains{});
  world.modes = planned.plan.points.front().modes;
  world.q.resize(grasp.mechanism->n_q());
  world.q << grasp.x, planned.plan.points.front().theta;
  world.v = VectorXd::Zero(grasp.mechanism->n_v());
  sim::SimulationOptions options{.duration = 0.5, .record_rate = 50.0, .continuous_branch = true};
  const bool any_automatic = std::ranges::find(grasp.automatic, true) != grasp.automatic.end();
  if (any_automatic) {
    world.automatic = grasp.automatic;
    options.policy = number % 2 == 0 ? sim::ModelPolicy::kIntegrated : sim::ModelPolicy::kCompliant;
    options.laws = {contact::kelvin_voigt_contact({.stiffness = 1e4, .damping_ratio = 0.7})};
    options.stability.emplace();
  }
  const sim::SimulationProblem again = world;
  const sim::History history = sim::simulate(std::move(world), options);
  ++tally.ran;
  for (const sim::Event& event : history.events) tally.feature_changes += event.kind == "feature" ? 1 : 0;
  for (const sim::Sample& sample : history.samples) EXPECT_TRUE(finite(sample)) << number;
  if (history.status == sim::RunStatus::kCompleted) {
    ++tally.ends["ran 0.5 s"];
    EXPECT_NEAR(history.samples.back().time, 0.5, 1e-9) << number;
    if (any_automatic) return true;  // springs give way, and what sticks does not follow a plan that slides
    // What runs to the end does what it was told; what is left is the sampling's, and falls with its period.
    const auto largest_error = [&](const sim::History& run) {
      double worst = 0.0;
      for (const Index c : coordinates)
        worst = std::max(worst, std::abs(run.samples.back().x[c] - run.samples.back().x_des[c]));
      return worst;
    };
    const double error = largest_error(history);
    if (error < 1e-3) return true;
    ++tally.coarse;
    options.step = 1e-4;
    options.control_rate = 1e4;
    EXPECT_LT(largest_error(sim::simulate(again, options)), std::max(0.2 * error, 1e-4))
        << number << ": " << error;
    return true;
  }
  EXPECT_FALSE(history.message.empty()) << number;
  const std::map<sim::RunStatus, std::string> words{
      {sim::RunStatus::kContactLost, "a contact opened"},
      {sim::RunStatus::kContactOffLink, "a contact left its link"},
      {sim::RunStatus::kNotUnique, "physics not unique"},
      {sim::RunStatus::kSolverFailed, "no solution of the contact problem"},
      {sim::RunStatus::kControllerSingular, "the law became singular"},
      {sim::RunStatus::kDiverged, "diverged"}};
  ++tally.ends["run ended: " + words.at(history.status)];
  return false;
}

TEST(RandomGraspsTest, AuditAgreesWithRanksAndEachRunsOrSaysWhyNot) {
  Tally tally;
  const int wanted = test::count(120, 10'000);
  for (int i = 0; i < wanted; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    test::RandomGraspOptions options;
    if (i % 3 == 1) options.rolling = 0.08;  // rolling contacts lock many of the larger hands
    if (i % 3 == 2)
      options = {.max_arms = 3, .max_links = 3, .touching = 0.9, .rolling = 0.15, .mu_max = 0.5};
    const RandomGrasp grasp = test::random_grasp(kSeed, number, options);
    const CounterRandom random(kSeed + 1, number);
    ++tally.drawn;
    const std::set<std::string> kinds = kinds_of(grasp);
    for (const std::string& kind : kinds) ++tally.kinds[kind].first;
    const contact::Closure closure = grasp.contacts->close(grasp.x);
    if (!closure.closed()) {
      EXPECT_FALSE(closure.message.empty()) << number;
      ++tally.ends["does not close"];
      continue;
    }
    ++tally.closed;
    VectorXd q(grasp.mechanism->n_q());
    q << grasp.x, closure.theta;
    const grasp::GraspAudit all = grasp::audit(*grasp.mechanism, *grasp.contacts, q, grasp.modes, grasp.mu);
    compare_audit(grasp, q, all, tally, number);
    EXPECT_EQ(all.controllable(), grasp::refusal(all).empty()) << number;
    // Name what the contacts leave free, as a user would after reading the refusal.
    mechanics::Dynamics dynamics;
    grasp.mechanism->dynamics(q, VectorXd::Zero(q.size()), dynamics);
    contact::ContactKinematics kinematics;
    grasp.contacts->kinematics(q, VectorXd::Zero(q.size()), kinematics);
    grasp::GraspMatrices matrices;
    grasp::assemble(kinematics, grasp.modes, grasp.mu, 3, matrices);
    const MatrixXd M_o = dynamics.M.topLeftCorner(3, 3);
    const std::vector<Index> best = grasp::best_coordinates(grasp::object_freedom(matrices, M_o, {}), M_o);
    const grasp::GraspAudit audit =
        best.empty() ? all : grasp::audit(*grasp.mechanism, *grasp.contacts, q, grasp.modes, grasp.mu, best);
    if (!audit.controllable()) {
      EXPECT_FALSE(grasp::refusal(audit).empty()) << number;
      ++tally.ends["not " + audit.violations.front().assumption];
      if (best.empty() || i % 4 != 0) continue;  // a few go on, to be refused by the planner
    } else {
      ++tally.controllable;
    }
    if (!run(grasp, best, random, tally, number)) continue;
    for (const std::string& kind : kinds) ++tally.kinds[kind].second;
  }
  std::string lists;
  for (const auto& [end, count] : tally.ends) lists += fmt::format("  {}: {}\n", end, count);
  lists += "of these kinds (drawn, ran 0.5 s):\n";
  for (const auto& [kind, counts] : tally.kinds)
    lists += fmt::format("  {}: {}, {}\n", kind, counts.first, counts.second);
  std::cout << fmt::format(
      "{} grasps: {} audits compared, {} too near to a rank loss to tell; {} controllable, {} planned, {} "
      "run; {} contacts went on to another part of a surface on the way; {} were off by more than 1e-3 at 1 "
      "kHz, all within a fifth of that at 10 kHz\n{}",
      tally.drawn, tally.compared, tally.ambiguous, tally.controllable, tally.planned, tally.ran,
      tally.feature_changes, tally.coarse, lists);
  EXPECT_GT(tally.compared, tally.closed * 9 / 10);
  EXPECT_GT(tally.closed, tally.drawn / 2);
  EXPECT_GT(tally.controllable, tally.drawn / 10);
  EXPECT_GT(tally.ends["ran 0.5 s"], tally.drawn / 10);
  // Every kind of grasp is among them, and runs.
  std::vector<std::string> wanted_kinds{"circle",
                                        "ellipse",
                                        "superellipse",
                                        "spline",
                                        "sharp polygon",
                                        "rounded polygon",
                                        "capsule link",
                                        "bulging link",
                                        "hollow link",
                                        "link without contact",
                                        "two contacts on a link",
                                        "gravity",
                                        "one plane",
                                        "two planes",
                                        "open contact"};
  for (const char* mix :
       {"roll", "slide", "auto", "roll slide", "roll auto", "slide auto", "roll slide auto"})
    wanted_kinds.push_back(fmt::format("modes: {}", mix));
  for (int n = 1; n <= 6; ++n) wanted_kinds.push_back(fmt::format("{} arms", n));
  for (int n = 1; n <= 8; ++n) wanted_kinds.push_back(fmt::format("an arm of {} links", n));
  for (const std::string& kind : wanted_kinds) {
    if (wanted < 10'000 && kind.starts_with("modes")) continue;  // some mixes are rare
    EXPECT_GT(tally.kinds[kind].first, 0) << kind;
    if (wanted < 10'000) continue;
    EXPECT_GT(tally.kinds[kind].second, 0) << kind;
  }
}

}  // namespace
}  // namespace enfold
