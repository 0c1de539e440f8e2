// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/grasp/audit.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::grasp {

/// The audit with one μ at all contacts.
inline GraspAudit audited(const test::PaperHand& hand, const VectorXd& q,
                          const std::vector<contact::ContactMode>& modes, double mu = 0.1) {
  return audit(*hand.mechanism, *hand.contacts, q, modes,
               VectorXd::Constant(hand.contacts->n_contacts(), mu));
}

}  // namespace enfold::grasp
