// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "enfold/io/scenario.hpp"
#include "enfold/models/grasp_model.hpp"
#include "enfold/sim/history.hpp"

namespace enfold::app {

/// A number per recorded instant; NaN where there is none.
struct Column {
  std::string name;  ///< as in history.csv, unit included
  std::vector<double> values;
};

/// A state per recorded instant, by number.
struct StateColumn {
  std::string name;
  std::vector<std::uint8_t> values;
};

/// Numbers of contact modes in `mode.<contact>`.
enum class ModeState : std::uint8_t { kOpen = 0, kRoll = 1, kSlidePlus = 2, kSlideMinus = 3 };
/// Numbers in `p_matrix`.
enum class MatrixState : std::uint8_t { kNotP = 0, kP = 1, kUndecided = 2 };
/// In `critical_contact`: none.
inline constexpr std::uint8_t kNoContact = 255;

/// What a page shows of a run, one column per quantity.
struct RunTable {
  std::vector<double> time;
  std::vector<Column> columns;
  std::vector<StateColumn> states;
};

/// The columns of a history that a page shows. Beside what history.csv holds there are, of the object,
/// `error.<coordinate>` (desired − actual) and `envelope.<coordinate>` (what |error| is compared with, by
/// predicted_envelope()), per contact `floor.<contact>_N` (Λ) and `use.<contact>` (|λ_T|/(μ λ_N), NaN without
/// pressure), all from numbers that were not rounded yet. Samples whose time is no number, or before the one
/// before, are left out; `kept` tells which stayed.
[[nodiscard]] RunTable run_table(const sim::History& history, const io::Scenario* scenario,
                                 std::vector<std::size_t>& kept);

/// Adds what a picture needs: per link `link.<name>.x`, `.y` (its joint) and `.angle`; per contact
/// `foot.<name>.x`, `.y` (on the object) and `.angle` of the normal. Angles are continuous.
/// @returns per contact +1 if the tangent is the normal turned by +90°, −1 if by −90°
[[nodiscard]] std::vector<int> add_scene(const sim::History& history, const std::vector<std::size_t>& kept,
                                         const models::GraspModel& model, RunTable& table);

}  // namespace enfold::app
