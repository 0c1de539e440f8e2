// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/contact_set.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::planners {

/// The whole mechanism with every contact closed.
struct ClosedConfiguration {
  contact::Closure closure;  ///< closed(), or why not
  VectorXd q;                ///< valid if closed()
  double moved = 0.0;        ///< largest change of a coordinate of the object, to reach the environment
};

/// Closes the hand on the object at a pose. Contacts with the environment (palm, table) come first: the
/// object's coordinates that are not told move to the pose nearest to x that touches, by Newton's method on
/// the gaps; then the links close on it.
/// @param modes open contacts are left alone
/// @param told numbers of the object's velocities whose coordinates stay as they are; empty: all stay
/// @pre sizes agree (throws InvalidArgument)
[[nodiscard]] ClosedConfiguration closed_configuration(const mechanics::Mechanism& mechanism,
                                                       const contact::ContactSet& contacts,
                                                       std::span<const contact::ContactMode> modes,
                                                       const VectorXd& x, std::span<const Index> told);

}  // namespace enfold::planners
