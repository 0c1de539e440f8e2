// SPDX-License-Identifier: BSD-3-Clause
#include "uniqueness_study.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/stick_slip.hpp"

namespace enfold::app {
namespace {

using contact::ContactMode;
using lcp::PMatrixStatus;

Index contact_number(const Setup& setup, const std::string& name) {
  const std::vector<std::string>& names = setup.model.contacts->names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string known;
    for (const std::string& other : names) known += (known.empty() ? "" : ", ") + other;
    throw ScenarioError(fmt::format("there is no contact '{}'; the contacts are {}", name, known));
  }
  return found - names.begin();
}

// By equal μ if the scenario has two values, else the links next to the palm and the others; without a hand
// the first contact and the others.
std::vector<std::vector<Index>> choose_groups(const Setup& setup) {
  const VectorXd& mu = setup.model.mu;
  std::vector<double> values(mu.begin(), mu.end());
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::vector<Index>> groups(2);
  for (Index i = 0; i < mu.size(); ++i) {
    bool first = false;
    if (values.size() == 2) {
      first = mu[i] == mu[0];
    } else if (!setup.scenario.has_hand()) {
      first = i == 0;
    } else {
      const std::string& link = setup.scenario.contacts[static_cast<std::size_t>(i)].link;
      for (const io::ArmSpec& arm : setup.scenario.hand.arms)
        first = first || (!arm.links.empty() && link == arm.name + "." + arm.links.front().name);
    }
    groups[first ? 0 : 1].push_back(i);
  }
  if (groups[0].empty() || groups[1].empty()) return {};
  return groups;
}

std::vector<std::vector<Index>> asked_groups(const Setup& setup, const UniquenessQuestion& question) {
  if (question.groups.empty()) return choose_groups(setup);
  if (question.groups.size() != 2)
    throw ScenarioError(fmt::format("--groups names {} groups, expected two", question.groups.size()));
  std::vector<std::vector<Index>> out(2);
  std::vector<bool> used(static_cast<std::size_t>(setup.model.mu.size()), false);
  for (std::size_t g = 0; g < 2; ++g) {
    for (const std::string& name : question.groups[g]) {
      const Index i = contact_number(setup, name);
      if (used[static_cast<std::size_t>(i)])
        throw ScenarioError(fmt::format("--groups names contact '{}' twice", name));
      used[static_cast<std::size_t>(i)] = true;
      out[g].push_back(i);
    }
  }
  return out;
}

double choose_window(const Setup& setup) {
  return std::max(1.0, 2.0 * std::ceil(setup.model.mu.maxCoeff() * 10.0) / 10.0);
}

// Contacts up to which maps and margins are made.
constexpr Index kExactLimit = 10;

// A margin costs O(4ⁿ).
int choose_samples(Index contacts) {
  return contacts <= 6 ? 201 : contacts <= 8 ? 41 : 11;
}

// All answers by the modes of the contacts, four for one that may stick: far fewer than complementary bases.
sim::FrictionProblem friction_problem(const Setup& setup, const GraspInstant& at,
                                      const std::vector<ContactMode>& modes,
                                      const std::vector<Index>& closed) {
  const contact::ContactKinematics& kinematics = at.motion.kinematics;
  const auto n = static_cast<Index>(closed.size());
  MatrixXd W(at.force.size(), 2 * n);
  W << kinematics.W_N(Eigen::all, closed), kinematics.W_T(Eigen::all, closed);
  const Eigen::LLT<MatrixXd> M(at.motion.dynamics.M);
  const VectorXd a = M.solve(at.force);
  sim::FrictionProblem out;
  out.D = W.transpose() * M.solve(W);
  out.c_N = W.leftCols(n).transpose() * a + kinematics.bias_N(closed);
  out.c_T = W.rightCols(n).transpose() * a + kinematics.bias_T(closed);
  out.mu = setup.model.mu(closed);
  for (const Index i : closed) {
    const ContactMode mode = modes[static_cast<std::size_t>(i)];
    out.freedom.push_back(mode == ContactMode::kSlidePlus    ? sim::ContactFreedom::kSlidePlus
                          : mode == ContactMode::kSlideMinus ? sim::ContactFreedom::kSlideMinus
                                                             : sim::ContactFreedom::kStickOrSlip);
  }
  return out;
}

// Contacts at zero slip may stick: the problem with their stick/slip conditions.
void study_stick_slip(const Setup& setup, InstantStudy& out) {
  const planners::MotionPoint& motion = out.at.motion;
  if (out.at.may_stick.empty() || out.at.force.size() == 0) return;
  std::vector<ContactMode> modes = motion.modes;
  for (const Index i : out.at.may_stick) modes[static_cast<std::size_t>(i)] = ContactMode::kRoll;
  const uniqueness::StickSlipProblem problem = uniqueness::stick_slip_problem(
      motion.dynamics.M, out.at.force, motion.kinematics, modes, setup.model.mu);
  out.sticking = problem.sticking;
  out.closed = problem.contacts;
  out.stick_slip = sim::solve_friction(friction_problem(setup, out.at, modes, problem.contacts));
  // What the modes leave open (dependent rows) all complementary bases may settle.
  if (out.stick_slip->status == sim::FrictionStatus::kUndecided) {
    const lcp::EnumerationResult all = lcp::enumerate_solutions(problem.lcp);
    if (all.status == lcp::EnumerationStatus::kContinuum)
      out.stick_slip->status = sim::FrictionStatus::kContinuum;
    if (all.count() == 1 && out.stick_slip->answers.size() == 1)
      out.stick_slip->status = sim::FrictionStatus::kUnique;
  }
  const std::optional<MatrixXd> core = uniqueness::copositivity_core(problem);
  const lcp::MatrixClassification classes = lcp::classify(core ? *core : problem.lcp.A);
  out.copositive = classes[lcp::MatrixClass::kCopositive];
}

MapOptions map_options(const UniquenessStudy& study, const UniquenessQuestion& question, int samples) {
  return {study.groups, study.window, samples, question.slip()};
}

// The asked intervals; contacts that are not named keep their μ.
uniqueness::Certificate certify_box(const Setup& setup, const GraspInstant& at,
                                    const UniquenessQuestion& question) {
  VectorXd lower = setup.model.mu;
  VectorXd upper = setup.model.mu;
  for (const auto& [name, interval] : question.box) {
    const Index i = contact_number(setup, name);
    lower[i] = interval.first;
    upper[i] = interval.second;
  }
  return uniqueness::certify(at.rows.family, {at.rows.rows_of(lower), at.rows.rows_of(upper)},
                             {.slip = question.slip()});
}

// All that is asked at one time. Throws MotionError where the motion can't be followed.
InstantStudy study_instant(const Setup& setup, const GraspPath& path, const UniquenessQuestion& question,
                           const VectorXd& direction, const UniquenessStudy& study, double t) {
  InstantStudy out;
  out.at = path.at(t, study.planned.plan);
  const GraspInstant& at = out.at;
  if (!at.motion.ok()) throw MotionError(fmt::format("at t = {} s {}", t, at.motion.reason));
  study_stick_slip(setup, out);
  if (at.rows.status == uniqueness::GraspFamilyStatus::kDependentRolling) {
    out.without_matrix =
        "some b have infinitely many answers: the constraints of the contacts at rest depend on each other, "
        "and "
        "where they stick rigid contact can't say how they share the load";
    return out;
  }
  if (!at.rows.ok()) {
    out.without_matrix = fmt::format("no contact matrix: {}", uniqueness::to_string(at.rows.status));
    return out;
  }
  const uniqueness::FrictionFamily& family = at.rows.family;
  if (family.size() == 0) {
    out.without_matrix = "no contact is closed: nothing that could have several answers";
    return out;
  }
  out.direction = at.rows.rows_of(direction);
  const VectorXd start = question.from_scenario ? at.mu : VectorXd(VectorXd::Zero(family.size()));
  out.p_test = lcp::test_p_matrix(family.A(at.mu));
  out.frontier = uniqueness::directed_frontier(family, start, out.direction, question.slip());
  out.margin = uniqueness::friction_margin(family, at.mu, {.slip = question.slip()});
  if (!question.box.empty()) out.certificate = certify_box(setup, at, question);
  if (!study.groups.empty() && family.size() <= kExactLimit)
    out.map = make_map({at}, map_options(study, question, question.map_samples));
  if (at.b) {
    out.answers = uniqueness::all_answers(family, at.mu, *at.b);
    out.change = lcp::nearest_solution_change({family.A(at.mu), *at.b});
  }
  return out;
}

MarginSample margin_sample(const GraspInstant& instant, uniqueness::SlipDirections slip) {
  MarginSample sample;
  sample.time = instant.time;
  sample.followed = instant.motion.ok() && instant.rows.ok() && instant.rows.family.size() > 0;
  if (!sample.followed) return sample;
  const lcp::PMatrixResult P = lcp::test_p_matrix(instant.rows.family.A(instant.mu));
  sample.p_matrix = P.status == PMatrixStatus::kP;
  sample.min_minor = P.smallest.value;
  sample.margin = uniqueness::friction_margin(instant.rows.family, instant.mu, {.slip = slip});
  const std::vector<Index>& rows = sample.p_matrix ? sample.margin.indices : P.witness.indices;
  for (const Index row : rows)
    sample.contacts.push_back(instant.rows.contacts[static_cast<std::size_t>(row)]);
  return sample;
}

std::vector<Index> contacts_of(const GraspInstant& at, const std::vector<Index>& rows) {
  std::vector<Index> out;
  for (const Index row : rows) out.push_back(at.rows.contacts[static_cast<std::size_t>(row)]);
  return out;
}

// 0 from the first loss of uniqueness on, else the smallest of the whole motion.
std::optional<LeastMargin> least_margin(const GraspPath& path, const GraspInstant& like,
                                        const uniqueness::OverTime& over_time,
                                        uniqueness::SlipDirections slip, int instants) {
  LeastMargin out;
  if (const uniqueness::TimeStretch* loss = over_time.first_loss()) {
    const GraspInstant at = path.at(loss->from);
    out.time = loss->from;
    const VectorXd lower = slip == uniqueness::SlipDirections::kBoth ? VectorXd(-at.mu) : at.mu;
    out.contacts = contacts_of(
        at, uniqueness::certify(at.rows.family, {lower, at.mu}, {.slip = slip}).witness_minor.indices);
    return out;
  }
  const uniqueness::SmallestMargin found =
      uniqueness::smallest_margin_over_time(path.family_at(), path.family_over(), path.duration(), like.mu,
                                            {.slip = slip, .instants = std::max(2, instants)});
  if (!known(found.margin)) return std::nullopt;
  out.time = found.time;
  out.half_width = found.margin.half_width;
  out.contacts = contacts_of(like, found.margin.indices);
  if (found.proved > 0.0) out.proved = found.proved;
  return out;
}

// What holds over the whole motion, or in a scene without a hand at its start.
void study_motion(const Setup& setup, const GraspPath& path, const UniquenessQuestion& question,
                  UniquenessStudy& out) {
  const int asked = question.samples > 0 ? question.samples : choose_samples(setup.model.mu.size());
  const int samples = path.moves() ? std::max(2, asked) : 1;
  std::vector<GraspInstant> along;
  for (int k = 0; k < samples; ++k) {
    GraspInstant instant = path.at(samples > 1 ? path.duration() * k / (samples - 1) : 0.0);
    out.margins.push_back(margin_sample(instant, question.slip()));
    if (out.margins.back().followed) along.push_back(std::move(instant));
  }
  if (along.empty() || !path.moves()) return;
  const GraspInstant& like = along.front();
  out.rows = like.rows;
  if (like.rows.family.size() > kExactLimit) {
    out.notes.push_back(
        fmt::format("{} contacts are above the limit of {}: no maps, no margins, and nothing is proved "
                    "between the samples",
                    like.rows.family.size(), kExactLimit));
    return;
  }
  if (!out.groups.empty()) {
    const MapOptions options = map_options(out, question, question.map_samples / 2);
    const bool both = question.both_directions;
    // Sixteen times as many families want fewer instants.
    std::vector<GraspInstant> some;
    const std::size_t step = both && along.size() > 40 ? along.size() / 40 + 1 : 1;
    for (std::size_t k = 0; k < along.size(); k += step) some.push_back(along[k]);
    if ((along.size() - 1) % step != 0) some.push_back(along.back());
    out.robust = make_map(some, options);
    if (along.size() == out.margins.size()) out.robust_proved = make_proved_map(path, like, options);
    if (!out.robust_proved)
      out.notes.emplace_back(
          "the robust set is that of sampled instants; between them nothing is proved of it");
  }
  out.over_time = uniqueness::uniqueness_over_time(path.family_at(), path.family_over(), path.duration(),
                                                   like.mu, {.slip = question.slip()});
  if (along.size() == out.margins.size())
    out.least = least_margin(path, like, out.over_time, question.slip(), std::min(samples, 41));
}

}  // namespace

bool known(const uniqueness::FrictionMargin& margin) {
  return margin.status == uniqueness::MarginStatus::kFinite ||
         margin.status == uniqueness::MarginStatus::kNotP;
}

std::optional<Index> stick_slip_count(const sim::FrictionSolution& solution) {
  using sim::FrictionStatus;
  if (solution.status == FrictionStatus::kContinuum || solution.status == FrictionStatus::kUndecided)
    return std::nullopt;
  return static_cast<Index>(solution.answers.size());
}

std::string stick_slip_words(const sim::FrictionSolution& solution) {
  switch (solution.status) {
    case sim::FrictionStatus::kUnique:
      return "one answer";
    case sim::FrictionStatus::kSeveral:
      return fmt::format("{} answers", solution.answers.size());
    case sim::FrictionStatus::kContinuum:
      return "infinitely many answers";
    case sim::FrictionStatus::kNone:
      return "no answer";
    case sim::FrictionStatus::kUndecided:
      return "answers not counted: too many contacts, or singular to rounding";
  }
  return "";
}

UniquenessStudy study_uniqueness(const Setup& setup, const UniquenessQuestion& question) {
  UniquenessStudy out;
  const GraspPath path(setup);
  out.moves = path.moves();
  if (path.moves()) {
    try {
      out.planned = make_plan(setup);
    } catch (const InvalidArgument& error) {  // too few contacts for an internal force: nothing to plan
      out.notes.emplace_back(error.what());
    }
    if (!out.planned.ok())
      out.notes.push_back("no plan of the squeeze, hence no b, at some instants: " + out.planned.message);
  } else {
    out.notes.emplace_back("there is no hand, hence no planned motion: this is the start, t = 0");
  }
  out.groups = asked_groups(setup, question);
  if (out.groups.empty()) out.notes.emplace_back("no map: the contacts do not fall into two groups");
  out.window = question.window > 0.0 ? question.window : choose_window(setup);

  VectorXd direction = setup.model.mu;
  if (!question.direction.empty()) {
    direction.setZero();
    for (const auto& [name, value] : question.direction) direction[contact_number(setup, name)] = value;
  }
  for (const auto& [name, interval] : question.box) (void)contact_number(setup, name);
  for (const double t : question.times) {
    if (!path.moves() && t != 0.0)
      throw ScenarioError(
          fmt::format("--at {} s: '{}' has no hand, hence no planned motion; only its start, --at 0, can be "
                      "looked at",
                      t, setup.scenario.name));
    if (!(t >= 0.0 && t <= path.duration()))
      throw ScenarioError(
          fmt::format("--at {} s is outside the motion, which lasts from 0 to {} s", t, path.duration()));
    out.instants.push_back(study_instant(setup, path, question, direction, out, t));
  }
  for (const InstantStudy& instant : out.instants) {
    if (instant.at.undirected.empty()) continue;
    std::string names;
    for (const Index i : instant.at.undirected)
      names += (names.empty() ? "" : ", ") + setup.model.contacts->names()[static_cast<std::size_t>(i)];
    out.notes.push_back(
        fmt::format("no slip is planned for {}: slide+ is taken at t = {:.6g} s, both directions over the "
                    "motion; ask for "
                    "--both-directions",
                    names, instant.at.time));
    break;
  }
  study_motion(setup, path, question, out);
  return out;
}

}  // namespace enfold::app
