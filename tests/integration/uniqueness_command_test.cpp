// SPDX-License-Identifier: BSD-3-Clause
// `enfold uniqueness` as a user meets it: report, JSON, tables, messages and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "design_changes.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/test/scenario_path.hpp"
#include "program_test.hpp"
#include "uniqueness_study.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

class UniquenessCommandTest : public ProgramTest {
 protected:
  [[nodiscard]] Answer run(std::vector<std::string> words,
                           const std::string& scenario = "song2001-translate") const {
    words.insert(words.begin(),
                 {"uniqueness", test::scenario_path(scenario).string(), "--out", (root_ / "out").string()});
    return run_program(std::move(words));
  }
  [[nodiscard]] json result() const { return json::parse(io::read_file(root_ / "out" / "uniqueness.json")); }
};

// The critical r by bisection on the P-test, from the study's own matrices.
double loss_by_bisection(const uniqueness::FrictionFamily& family, const VectorXd& d) {
  double inside = 0.0;
  double outside = 0.0;
  const auto is_P = [&](double r) {
    return lcp::test_p_matrix(family.A(r * d)).status == lcp::PMatrixStatus::kP;
  };
  for (double r = 0.0; r < 20.0; r += 1e-3) {
    if (!is_P(r)) {
      outside = r;
      break;
    }
    inside = r;
  }
  for (int k = 0; k < 80; ++k) {
    const double middle = 0.5 * (inside + outside);
    (is_P(middle) ? inside : outside) = middle;
  }
  return inside;
}

TEST_F(UniquenessCommandTest, FrontiersAreThoseOfAScanWithBisection) {
  const Answer outcome = run({"--no-figures", "--at", "0.5,0.8", "--direction",
                              "left.proximal=1,right.proximal=1", "--samples", "3"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json frontiers = result()["frontiers"];
  ASSERT_EQ(frontiers.size(), 2u);
  const auto setup = make_setup(io::read_scenario(test::scenario_path("song2001-translate")));
  const GraspPath path(setup);
  const VectorXd d = (VectorXd(4) << 1.0, 0.0, 1.0, 0.0).finished();
  for (const json& frontier : frontiers) {
    const GraspInstant at = path.at(frontier["time_s"].get<double>());
    EXPECT_NEAR(frontier["r"].get<double>(), loss_by_bisection(at.rows.family, d), 1e-9);
    EXPECT_EQ(frontier["direction"], (json{{"left.proximal", 1.0}, {"right.proximal", 1.0}}));
    EXPECT_FALSE(frontier["contacts"].empty());
    EXPECT_TRUE(frontier.contains("ties"));
  }
}

// S4, Figure 7.
TEST_F(UniquenessCommandTest, DesignOfFigureSevenIsInsideThenOutside) {
  ASSERT_EQ(run({"--no-figures", "--samples", "3"}).code, 0);
  const json found = result();
  EXPECT_TRUE(found["instants"][0]["map"]["design_inside"].get<bool>());
  EXPECT_FALSE(found["instants"][1]["map"]["design_inside"].get<bool>());
  EXPECT_NEAR(found["instants"][0]["map"]["distance"].get<double>(), 0.0953287, 1e-6);
  EXPECT_NEAR(found["instants"][1]["map"]["distance"].get<double>(), 0.0701772, 1e-6);
  EXPECT_EQ(found["instants"][0]["answers"]["solutions"].size(), 1u);
  EXPECT_EQ(found["instants"][1]["answers"]["solutions"].size(), 3u);
  EXPECT_FALSE(found["over_time"]["unique_for_all_t"].get<bool>());
  EXPECT_NEAR(found["over_time"]["stretches"][0]["to_s"].get<double>(), 0.6475, 0.001);
  EXPECT_TRUE(fs::exists(root_ / "out" / "boundary.csv"));
  EXPECT_TRUE(fs::exists(root_ / "out" / "map_1.csv"));
  EXPECT_TRUE(fs::exists(root_ / "out" / "margin.csv"));
}

// S4, Example 1: A is always a P-matrix; here for all t, not at samples only.
TEST_F(UniquenessCommandTest, ExampleOneIsProvedUniqueForAllTimes) {
  ASSERT_EQ(run({"--no-figures", "--samples", "21"}, "song2001-rotate").code, 0);
  const json found = result();
  EXPECT_TRUE(found["over_time"]["unique_for_all_t"].get<bool>());
  const json least = found["smallest_margin"];
  EXPECT_EQ(least["basis"], "proved");
  EXPECT_GT(least["proved_at_least"].get<double>(), 0.998 * least["half_width"].get<double>());
  // No instant that nobody asked for has less, against the command's own matrices.
  const auto setup = make_setup(io::read_scenario(test::scenario_path("song2001-rotate")));
  const GraspPath path(setup);
  for (int k = 0; k <= 50; ++k) {
    const GraspInstant at = path.at(k / 50.0);
    EXPECT_GE(uniqueness::friction_margin(at.rows.family, at.mu).half_width,
              least["half_width"].get<double>() - 1e-9);
  }
}

// Two proofs with some microseconds between them, and the same instant by bisection.
TEST_F(UniquenessCommandTest, LossOfExampleTwoIsEnclosedByProofs) {
  const Answer outcome = run({"--no-figures", "--samples", "21", "--at", "0.5"});
  ASSERT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("unique, proved for every instant"));
  const json found = result();
  const auto setup = make_setup(io::read_scenario(test::scenario_path("song2001-translate")));
  const GraspPath path(setup);
  double inside = 0.5;
  double outside = 0.8;
  while (outside - inside > 1e-10) {
    const double middle = 0.5 * (inside + outside);
    const GraspInstant at = path.at(middle);
    const bool P = lcp::test_p_matrix(at.rows.family.A(at.mu)).status == lcp::PMatrixStatus::kP;
    (P ? inside : outside) = middle;
  }
  const json stretches = found["over_time"]["stretches"];
  ASSERT_EQ(stretches.size(), 3u);
  EXPECT_EQ(stretches[0]["verdict"], "unique");
  EXPECT_EQ(stretches[1]["verdict"], "undecided");
  EXPECT_EQ(stretches[2]["verdict"], "not unique");
  EXPECT_LE(stretches[1]["from_s"].get<double>(), inside);
  EXPECT_GE(stretches[1]["to_s"].get<double>(), inside);
  EXPECT_LT(stretches[1]["to_s"].get<double>() - stretches[1]["from_s"].get<double>(), 1e-5);
  EXPECT_NEAR(found["smallest_margin"]["time_s"].get<double>(), inside, 1e-5);
  EXPECT_EQ(found["smallest_margin"]["half_width"], 0.0);
  // The proved part of the robust set lies in the sampled one and fills almost all of it.
  const double proved = found["robust_proved"]["area"];
  const double sampled = found["robust"]["area"];
  EXPECT_LE(proved, sampled);
  EXPECT_GT(proved, 0.95 * sampled);
}

// Every combination of slip directions by hand: 16 rays, the first loss of all.
TEST_F(UniquenessCommandTest, BothDirectionsReachFrontiersAndMaps) {
  ASSERT_EQ(run({"--no-figures", "--samples", "3", "--at", "0.5", "--both-directions", "--direction",
                 "left.distal=1,right.proximal=1", "--from", "scenario"})
                .code,
            0);
  const json found = result();
  const auto setup = make_setup(io::read_scenario(test::scenario_path("song2001-translate")));
  const GraspInstant at = GraspPath(setup).at(0.5);
  const VectorXd d = (VectorXd(4) << 0.0, 1.0, 1.0, 0.0).finished();
  double least = std::numeric_limits<double>::infinity();
  for (int signs = 0; signs < 16; ++signs) {
    uniqueness::FrictionFamily family = at.rows.family;
    for (int j = 0; j < 4; ++j)
      if ((signs >> j & 1) != 0) family.A_1.col(j) *= -1.0;
    least = std::min(least, uniqueness::frontier(family, at.mu, d).r);
  }
  EXPECT_NEAR(found["frontiers"][0]["r"].get<double>(), least, 1e-12);
  EXPECT_EQ(found["instants"][0]["map"]["slip_directions"], "both");
  const double both = found["instants"][0]["map"]["area"];
  ASSERT_EQ(run({"--no-figures", "--samples", "3", "--at", "0.5"}).code, 0);
  // Areas of polygons through points of the boundary, whose chords differ a little.
  EXPECT_LE(both, result()["instants"][0]["map"]["area"].get<double>() + 1e-6);
}

// Painlevé's rod, by hand: m A = 1.6 − 1.2 μ, so that r·1.6 = 4/3; at ω = 6 rad/s two answers, at rest none.
TEST_F(UniquenessCommandTest, SceneWithoutAHandIsLookedAtAtItsStart) {
  const Answer several = run({}, "classic-painleve-several");
  ASSERT_EQ(several.code, 0) << several.err;
  json found = result();
  EXPECT_NEAR(found["frontiers"][0]["r"].get<double>(), 4.0 / 3.0 / 1.6, 1e-12);
  EXPECT_EQ(found["instants"][0]["p_matrix"], "not a P-matrix");
  EXPECT_EQ(found["instants"][0]["answers"]["solutions"].size(), 2u);
  EXPECT_EQ(found["instants"][0]["modes"]["tip"], "slide-");
  EXPECT_TRUE(found["over_time"]["unique_for_all_t"].is_null());
  ASSERT_EQ(run({"--no-figures"}, "classic-painleve-none").code, 0);
  EXPECT_EQ(result()["instants"][0]["answers"]["solutions"].size(), 0u);
  const Answer later = run({"--no-figures", "--at", "0.1"}, "classic-painleve-none");
  EXPECT_EQ(later.code, 2);
  EXPECT_THAT(later.err, HasSubstr("no hand"));
}

// Four legs share a load in infinitely many ways; a bouncing block touches nothing.
TEST_F(UniquenessCommandTest, SharedLoadsAndOpenContactsAreExplained) {
  const Answer legs = run({"--no-figures"}, "classic-beam-four-legs");
  ASSERT_EQ(legs.code, 0) << legs.err;
  EXPECT_THAT(legs.out, HasSubstr("how they share the load"));
  EXPECT_EQ(result()["frontiers"][0]["r"], 0.0);
  EXPECT_EQ(result()["frontiers"][0]["contacts"].size(), 4u);
  EXPECT_EQ(result()["instants"][0]["stick_slip"]["status"], "infinitely many answers");
  ASSERT_EQ(run({"--no-figures"}, "classic-block-slips").code, 0);  // both slip: one answer
  EXPECT_EQ(result()["instants"][0]["stick_slip"]["solutions"], 1);
  const Answer open = run({"--no-figures"}, "classic-bouncing-block");
  ASSERT_EQ(open.code, 0) << open.err;
  EXPECT_THAT(open.out, HasSubstr("no contact is closed"));
  EXPECT_TRUE(result()["frontiers"][0]["r"].is_null());
}

TEST_F(UniquenessCommandTest, BoxIsCertifiedOrRefutedWithAWitness) {
  ASSERT_EQ(
      run({"--no-figures", "--samples", "2", "--at", "0.5", "--box", "left.proximal=0:0.8,left.distal=0:0.6"})
          .code,
      0);
  EXPECT_EQ(result()["instants"][0]["box"]["verdict"], "certified");
  ASSERT_EQ(
      run({"--no-figures", "--samples", "2", "--at", "0.5", "--box", "left.proximal=0:2,left.distal=0:2"})
          .code,
      0);
  const json box = result()["instants"][0]["box"];
  EXPECT_EQ(box["verdict"], "refuted");
  const auto setup = make_setup(io::read_scenario(test::scenario_path("song2001-translate")));
  VectorXd mu(4);
  for (Index i = 0; i < 4; ++i)
    mu[i] = box["witness_mu"][setup.model.contacts->names()[static_cast<std::size_t>(i)]].get<double>();
  EXPECT_EQ(lcp::test_p_matrix(GraspPath(setup).at(0.5).rows.family.A(mu)).status, lcp::PMatrixStatus::kNotP);
}

// A rolling contact's μ does not enter, and the full stick/slip problem is never P. At rest: nothing has to
// slip.
TEST_F(UniquenessCommandTest, RollingContactIsExplained) {
  const Answer outcome =
      run({"--no-figures", "--samples", "2", "--at", "0.5", "--set",
           "task.trajectory.from={x_m: 0, y_m: 0.12, phi_deg: 0}", "--set",
           "task.trajectory.to={x_m: 0, y_m: 0.12}", "--set", "task.start={x_m: 0, y_m: 0.12, phi_deg: 0}",
           "--set", "contacts.left.proximal.mode=roll", "--set", "task.coordinates=[x, y]"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("left.proximal rolls: its μ does not enter"));
  EXPECT_THAT(outcome.out, HasSubstr("never P by construction"));
  const json instant = result()["instants"][0];
  EXPECT_THAT(instant["mu_does_not_enter"], ElementsAre("left.proximal"));
  // At rest all four contacts may stick: 8 forces on 7 freedoms, a continuum of answers and no number of
  // them.
  EXPECT_TRUE(instant["stick_slip"]["solutions"].is_null());
  EXPECT_NE(instant["stick_slip"]["copositive"], "not run");
}

TEST_F(UniquenessCommandTest, MotionThatRollingContactsForbidEndsWithThree) {
  const Answer outcome =
      run({"--no-figures", "--samples", "2", "--at", "0.5", "--set", "contacts.left.proximal.mode=roll"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("the contacts allow 2 independent motions"));
}

TEST_F(UniquenessCommandTest, FiguresAndAnimationAreWritten) {
  ASSERT_EQ(run({"--samples", "11", "--animate"}).code, 0);
  for (const char* name : {"margin.svg", "maps.svg", "maps.png", "robust.svg", "map-animated.svg"})
    EXPECT_TRUE(fs::exists(root_ / "out" / "figures" / name)) << name;
  const std::string animated = io::read_file(root_ / "out" / "figures" / "map-animated.svg");
  EXPECT_THAT(animated, HasSubstr("<animate attributeName"));
}

TEST_F(UniquenessCommandTest, BadArgumentsEndWithTwoAndAHelpfulSentence) {
  const struct {
    std::vector<std::string> words;
    const char* message;
  } cases[] = {
      {{"--at", "nan"}, "not a finite number"},
      {{"--at", "0.5,x"}, "'x'"},
      {{"--at", "2"}, "outside the motion"},
      {{"--direction", "left.thumb=1"}, "left.thumb"},
      {{"--direction", "left.distal"}, "contact=number"},
      {{"--direction", "left.distal=1,left.distal=2"}, "twice"},
      {{"--groups", "left.distal"}, "expected two"},
      {{"--groups", "left.distal,left.distal"}, "twice"},
      {{"--box", "left.distal=1"}, "lower:upper"},
      {{"--box", "left.distal=1:0"}, "lower"},
      {{"--from", "nowhere"}, "nowhere"},
  };
  for (const auto& one : cases) {
    std::vector<std::string> words = one.words;
    words.emplace_back("--no-figures");
    const Answer outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << one.words[1];
    EXPECT_THAT(outcome.err, HasSubstr(one.message));
  }
}

// Derivatives against differences of the margin itself, through the whole chain from the scenario.
TEST(DesignChangesTest, DerivativesAgreeWithFiniteDifferencesOfTheMargin) {
  const io::Scenario scenario = io::read_scenario(test::scenario_path("song2001-rotate"));
  const double t = 0.4;
  const auto margin_of = [&](const io::Scenario& changed) {
    const auto setup = make_setup(changed);
    const GraspInstant at = GraspPath(setup).at(t);
    return uniqueness::friction_margin(at.rows.family, at.mu).half_width;
  };
  const std::vector<DesignChange> changes = rank_design_changes(scenario, t);
  int checked = 0;
  const auto compare = [&](const std::string& name, double h,
                           const std::function<void(io::Scenario&, double)>& set) {
    const auto found = std::find_if(changes.begin(), changes.end(),
                                    [&](const DesignChange& c) { return c.parameter == name; });
    ASSERT_NE(found, changes.end()) << name;
    io::Scenario up = scenario;
    io::Scenario down = scenario;
    set(up, h);
    set(down, -h);
    ASSERT_TRUE(found->margin_derivative) << name;
    const double expected = (margin_of(up) - margin_of(down)) / (2.0 * h);
    EXPECT_NEAR(*found->margin_derivative, expected, 1e-4 * std::max(1.0, std::abs(expected))) << name;
    ++checked;
  };
  compare("contacts.left.distal.mu", 1e-5, [](io::Scenario& s, double h) { s.contacts[1].mu += h; });
  compare("contacts.right.proximal.mu", 1e-5, [](io::Scenario& s, double h) { s.contacts[2].mu += h; });
  compare("hand.left.proximal.length_m", 1e-5, [](io::Scenario& s, double h) {
    s.hand.arms[0].links[0].length += h;
    s.hand.arms[0].links[0].com[0] *= 1.0 + h / 0.2;
  });
  compare("object.shape.semi_axes_m[0]", 1e-5,
          [](io::Scenario& s, double h) { s.object.shape.semi_axes[0] += h; });
  compare("hand.palm_width_m", 1e-5, [](io::Scenario& s, double h) {
    s.hand.arms[0].base[0] -= 0.5 * h;
    s.hand.arms[1].base[0] += 0.5 * h;
  });
  compare("pose.y_m", 1e-5, [](io::Scenario& s, double h) {
    for (io::PoseSpec* p : {&s.task.trajectory.from, &s.task.trajectory.to, &s.task.start}) p->y += h;
  });
  compare("pose.phi_rad", 1e-5, [](io::Scenario& s, double h) {
    for (io::PoseSpec* p : {&s.task.trajectory.from, &s.task.trajectory.to, &s.task.start}) p->phi += h;
  });
  EXPECT_EQ(checked, 7);
}

// Where uniqueness is lost, the value on the list brings it back and a little less does not.
TEST(DesignChangesTest, RestoringValueIsTheEdge) {
  const io::Scenario scenario = io::read_scenario(test::scenario_path("song2001-translate"));
  const std::vector<DesignChange> changes = rank_design_changes(scenario, 0.8);
  const auto axis = std::find_if(changes.begin(), changes.end(), [](const DesignChange& c) {
    return c.parameter == "object.shape.semi_axes_m[0]";
  });
  ASSERT_NE(axis, changes.end());
  ASSERT_TRUE(axis->restores_at);
  const auto unique = [&](double value) {
    io::Scenario changed = scenario;
    changed.object.shape.semi_axes[0] = value;
    const auto setup = make_setup(changed);
    const GraspInstant at = GraspPath(setup).at(0.8);
    return lcp::test_p_matrix(at.rows.family.A(at.mu)).status == lcp::PMatrixStatus::kP;
  };
  EXPECT_TRUE(unique(*axis->restores_at));
  EXPECT_FALSE(unique(*axis->restores_at + 1e-6 * (axis->value - *axis->restores_at)));
  for (std::size_t k = 1; k < changes.size(); ++k)
    EXPECT_FALSE(!changes[k - 1].restores_at && changes[k].restores_at) << "ranked";
  // A pose is told as a pose: where the object is, and where it would be unique.
  const auto height = std::find_if(changes.begin(), changes.end(),
                                   [](const DesignChange& c) { return c.parameter == "pose.y_m"; });
  ASSERT_NE(height, changes.end());
  ASSERT_TRUE(height->restores_at);
  const auto unique_at = [&](double y) {
    io::Scenario changed = scenario;
    for (io::PoseSpec* p : {&changed.task.trajectory.from, &changed.task.trajectory.to, &changed.task.start})
      p->y += y - height->value;
    const GraspInstant at = GraspPath(make_setup(changed)).at(0.8);
    EXPECT_NEAR(at.motion.reference.x[1], y, 1e-12);
    return lcp::test_p_matrix(at.rows.family.A(at.mu)).status == lcp::PMatrixStatus::kP;
  };
  EXPECT_TRUE(unique_at(*height->restores_at));
  EXPECT_FALSE(unique_at(*height->restores_at + 1e-6 * (height->value - *height->restores_at)));
}

}  // namespace
}  // namespace enfold::app
