// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "enfold/io/scenario.hpp"

namespace enfold::io {

/// The words of a scenario file for the values of an enumeration.
template <typename T>
using Words = std::vector<std::pair<std::string_view, T>>;

inline const Words<ObjectSide> kObjectSideWords = {{"left", ObjectSide::kLeft},
                                                   {"right", ObjectSide::kRight}};
inline const Words<ContactKind> kContactKindWords = {
    {"slide", ContactKind::kSlide}, {"roll", ContactKind::kRoll}, {"auto", ContactKind::kAuto}};
inline const Words<ContactPart> kContactPartWords = {
    {"face", ContactPart::kFace}, {"tip", ContactPart::kTip}, {"any", ContactPart::kAny}};
inline const Words<PlannerObjective> kObjectiveWords = {{"normals", PlannerObjective::kNormals},
                                                        {"literal", PlannerObjective::kLiteral},
                                                        {"margin", PlannerObjective::kMargin},
                                                        {"torque", PlannerObjective::kTorque},
                                                        {"torque_sum", PlannerObjective::kTorqueSum}};
inline const Words<SelfMotionPolicy> kSelfMotionWords = {{"posture", SelfMotionPolicy::kPosture},
                                                         {"damped", SelfMotionPolicy::kDamped}};
inline const Words<ContactForceSource> kContactForceWords = {{"planned", ContactForceSource::kPlanned},
                                                             {"measured", ContactForceSource::kMeasured}};
inline const Words<SimulationModel> kModelWords = {{"integrated", SimulationModel::kIntegrated},
                                                   {"rigid", SimulationModel::kRigid},
                                                   {"compliant", SimulationModel::kCompliant}};
inline const Words<PoseReference> kPoseReferenceWords = {
    {"error", PoseReference::kError}, {"reading", PoseReference::kReading}, {"range", PoseReference::kRange}};

}  // namespace enfold::io
