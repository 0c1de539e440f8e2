// SPDX-License-Identifier: BSD-3-Clause
#include "run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "run_figures.hpp"

namespace enfold::app {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using sim::Sample;

double entry(const VectorXd& v, std::size_t i) {
  return i < static_cast<std::size_t>(v.size()) ? v[static_cast<Index>(i)] : kNaN;
}

std::uint8_t state_of(contact::ContactMode mode) {
  switch (mode) {
    case contact::ContactMode::kOpen:
      return static_cast<std::uint8_t>(ModeState::kOpen);
    case contact::ContactMode::kRoll:
      return static_cast<std::uint8_t>(ModeState::kRoll);
    case contact::ContactMode::kSlidePlus:
      return static_cast<std::uint8_t>(ModeState::kSlidePlus);
    case contact::ContactMode::kSlideMinus:
      return static_cast<std::uint8_t>(ModeState::kSlideMinus);
  }
  return static_cast<std::uint8_t>(ModeState::kOpen);
}

std::uint8_t state_of(sim::Uniqueness answer) {
  switch (answer) {
    case sim::Uniqueness::kUnique:
      return static_cast<std::uint8_t>(MatrixState::kP);
    case sim::Uniqueness::kNotUnique:
      return static_cast<std::uint8_t>(MatrixState::kNotP);
    case sim::Uniqueness::kUndecided:
      break;
  }
  return static_cast<std::uint8_t>(MatrixState::kUndecided);
}

/// Fills columns from the samples that are kept.
class TableFiller {
 public:
  TableFiller(const sim::History& history, const std::vector<std::size_t>& kept, RunTable& table)
      : history_(history), kept_(kept), table_(table) {}

  void number(std::string name, const std::function<double(const Sample&)>& value) {
    Column column{std::move(name), {}};
    column.values.reserve(kept_.size());
    for (const std::size_t k : kept_) column.values.push_back(value(history_.samples[k]));
    // A quantity that this run does not have is no column.
    if (std::any_of(column.values.begin(), column.values.end(), [](double x) { return std::isfinite(x); }))
      table_.columns.push_back(std::move(column));
  }
  void state(std::string name, const std::function<std::uint8_t(const Sample&)>& value) {
    StateColumn column{std::move(name), {}};
    column.values.reserve(kept_.size());
    for (const std::size_t k : kept_) column.values.push_back(value(history_.samples[k]));
    table_.states.push_back(std::move(column));
  }

 private:
  const sim::History& history_;
  const std::vector<std::size_t>& kept_;
  RunTable& table_;
};

void add_object(const sim::History& history, const io::Scenario* scenario, double start, TableFiller& fill) {
  for (std::size_t i = 0; i < history.names.object_position.size(); ++i) {
    const std::string& name = history.names.object_position[i];
    fill.number("object." + name, [i](const Sample& s) { return entry(s.x, i); });
    fill.number("desired." + name, [i](const Sample& s) { return entry(s.x_des, i); });
    fill.number("error." + name, [i](const Sample& s) { return entry(s.x_des, i) - entry(s.x, i); });
    if (scenario == nullptr || !scenario->has_hand() || !scenario->controller.follows_eq14() ||
        !(scenario->controller.Kp > 0.0) || history.samples.empty())
      continue;
    const Sample& first = history.samples.front();
    const double e_0 = entry(first.x_des, i) - entry(first.x, i);
    const double rate = entry(first.x_dot_des, i) - entry(first.x_dot, i);
    fill.number("envelope." + name, [&, e_0](const Sample& s) {
      return predicted_envelope(e_0, std::isfinite(rate) ? rate : 0.0, scenario->controller.Kp,
                                scenario->controller.Kv, s.time - start);
    });
  }
}

void add_contacts(const sim::History& history, const io::Scenario* scenario, TableFiller& fill) {
  double largest = 0.0;
  for (const Sample& s : history.samples) {
    for (const double force : s.lambda_N)
      if (std::isfinite(force)) largest = std::max(largest, std::abs(force));
  }
  for (std::size_t i = 0; i < history.names.contacts.size(); ++i) {
    const std::string& name = history.names.contacts[i];
    fill.number("lambda_N." + name + "_N", [i](const Sample& s) { return entry(s.lambda_N, i); });
    fill.number("lambda_T." + name + "_N", [i](const Sample& s) { return entry(s.lambda_T, i); });
    fill.number("gap." + name + "_m", [i](const Sample& s) { return entry(s.gap, i); });
    fill.number("slip." + name + "_mps", [i](const Sample& s) { return entry(s.slip, i); });
    fill.state("mode." + name, [i](const Sample& s) {
      return state_of(i < s.modes.size() ? s.modes[i] : contact::ContactMode::kOpen);
    });
    if (scenario == nullptr || i >= scenario->contacts.size()) continue;
    const double mu = scenario->contacts[i].mu;
    if (mu > 0.0) {
      fill.number("use." + name, [i, mu, largest](const Sample& s) {
        const double normal = entry(s.lambda_N, i);
        return normal > 1e-9 * largest ? std::abs(entry(s.lambda_T, i)) / (mu * normal) : kNaN;
      });
    }
    if (scenario->has_hand() && !scenario->planner.min_normal.knots.empty()) {
      fill.number("floor." + name + "_N",
                  [i, scenario](const Sample& s) { return scenario->planner.min_normal.at(s.time, i); });
    }
  }
}

}  // namespace

RunTable run_table(const sim::History& history, const io::Scenario* scenario,
                   std::vector<std::size_t>& kept) {
  kept.clear();
  RunTable table;
  for (std::size_t k = 0; k < history.samples.size(); ++k) {
    const double t = history.samples[k].time;
    if (!std::isfinite(t) || (!table.time.empty() && t < table.time.back())) continue;
    kept.push_back(k);
    table.time.push_back(t);
  }
  if (kept.empty()) return table;
  TableFiller fill(history, kept, table);
  add_object(history, scenario, table.time.front(), fill);
  for (std::size_t j = 0; j < history.names.joints.size(); ++j)
    fill.number("tau." + history.names.joints[j] + "_Nm", [j](const Sample& s) { return entry(s.tau, j); });
  add_contacts(history, scenario, fill);
  std::size_t n_alpha = 0;
  for (const Sample& s : history.samples)
    n_alpha = std::max(n_alpha, static_cast<std::size_t>(std::max(s.alpha.size(), s.alpha_des.size())));
  for (std::size_t i = 0; i < n_alpha; ++i) {
    fill.number(fmt::format("alpha.{}_N", i + 1), [i](const Sample& s) { return entry(s.alpha, i); });
    fill.number(fmt::format("alpha_des.{}_N", i + 1), [i](const Sample& s) { return entry(s.alpha_des, i); });
  }
  fill.number("min_minor", [](const Sample& s) { return s.min_minor; });
  fill.number("lcp_solutions", [](const Sample& s) {
    return s.lcp_solutions < 0 ? kNaN : static_cast<double>(s.lcp_solutions);
  });
  fill.number("energy_J", [](const Sample& s) { return s.energy; });
  fill.number("contact_growth_1ps", [](const Sample& s) { return s.contact_growth; });
  fill.state("model", [](const Sample& s) {
    return static_cast<std::uint8_t>(s.model == sim::ContactModel::kCompliant ? 1 : 0);
  });
  fill.state("p_matrix", [](const Sample& s) { return state_of(s.p_matrix); });
  fill.state("critical_contact", [](const Sample& s) {
    return s.critical_contact < 0 ? kNoContact : static_cast<std::uint8_t>(s.critical_contact);
  });
  return table;
}

std::vector<int> add_scene(const sim::History& history, const std::vector<std::size_t>& kept,
                           const models::GraspModel& model, RunTable& table) {
  const mechanics::PlanarHand& hand = model.mechanism->hand();
  const auto n_links = static_cast<std::size_t>(hand.n_joints());
  const auto n_contacts = static_cast<std::size_t>(model.contacts->n_contacts());
  std::vector<Column> columns;
  for (const std::string& link : hand.link_names())
    for (const char* part : {".x", ".y", ".angle"}) columns.push_back({"link." + link + part, {}});
  for (const std::string& contact : model.contacts->names())
    for (const char* part : {".x", ".y", ".angle"}) columns.push_back({"foot." + contact + part, {}});
  for (Column& column : columns) column.values.reserve(kept.size());

  const auto put_angle = [](Column& column, double angle) {
    if (!column.values.empty() && std::isfinite(column.values.back()))
      angle += 2.0 * std::numbers::pi * std::round((column.values.back() - angle) / (2.0 * std::numbers::pi));
    column.values.push_back(angle);
  };
  std::vector<int> tangents(n_contacts, 1);
  std::vector<mechanics::LinkMotion> links(n_links);
  const VectorXd still = VectorXd::Zero(hand.n_joints());
  for (const std::size_t k : kept) {
    const Sample& s = history.samples[k];
    const VectorXd q = (VectorXd(s.x.size() + s.theta.size()) << s.x, s.theta).finished();
    const bool known = q.size() == model.mechanism->n_q() && q.allFinite();
    if (known && n_links > 0) hand.kinematics(s.theta, still, links);
    std::size_t c = 0;
    for (std::size_t i = 0; i < n_links; ++i, c += 3) {
      columns[c].values.push_back(known ? links[i].p.x() : kNaN);
      columns[c + 1].values.push_back(known ? links[i].p.y() : kNaN);
      put_angle(columns[c + 2], known ? std::atan2(links[i].d.y(), links[i].d.x()) : kNaN);
    }
    for (std::size_t i = 0; i < n_contacts; ++i, c += 3) {
      contact::ContactFrame frame;
      if (known) frame = model.contacts->frame(q, static_cast<Index>(i));
      columns[c].values.push_back(known ? frame.object_point[0] : kNaN);
      columns[c + 1].values.push_back(known ? frame.object_point[1] : kNaN);
      put_angle(columns[c + 2], known ? std::atan2(frame.normal[1], frame.normal[0]) : kNaN);
      if (known) {
        const double turn = frame.normal[0] * frame.tangents(1, 0) - frame.normal[1] * frame.tangents(0, 0);
        tangents[i] = turn < 0.0 ? -1 : 1;
      }
    }
  }
  for (Column& column : columns) table.columns.push_back(std::move(column));
  return tangents;
}

}  // namespace enfold::app
