// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/contact/contact_law.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::contact {
namespace {

bool positive(double x) {
  return std::isfinite(x) && x > 0.0;
}
bool not_negative(double x) {
  return std::isfinite(x) && x >= 0.0;
}

}  // namespace

NormalForce normal_force(const NormalLaw& law, double delta, double rate) {
  if (delta <= 0.0) return {};
  const NormalForce out = law.evaluate(delta, rate);
  return out.force > 0.0 ? out : NormalForce{};
}

KelvinVoigt::KelvinVoigt(double stiffness, double damping) : k_{stiffness}, c_{damping} {
  ENFOLD_REQUIRE(positive(k_), "KelvinVoigt: stiffness is {} N/m, expected > 0", k_);
  ENFOLD_REQUIRE(not_negative(c_), "KelvinVoigt: damping is {} N s/m, expected ≥ 0", c_);
}

NormalForce KelvinVoigt::evaluate(double delta, double rate) const {
  return {k_ * delta + c_ * rate, k_, c_};
}

double KelvinVoigt::stored_energy(double delta) const {
  const double pressed = std::max(0.0, delta);
  return 0.5 * k_ * pressed * pressed;
}

double KelvinVoigt::deformation(double force, double rate) const {
  return std::max(0.0, (force - c_ * rate) / k_);
}

HuntCrossley::HuntCrossley(double stiffness, double dissipation, double exponent)
    : k_{stiffness}, d_{dissipation}, p_{exponent} {
  ENFOLD_REQUIRE(positive(k_), "HuntCrossley: stiffness is {} N/m^p, expected > 0", k_);
  ENFOLD_REQUIRE(not_negative(d_), "HuntCrossley: dissipation is {} s/m, expected ≥ 0", d_);
  ENFOLD_REQUIRE(std::isfinite(p_) && p_ >= 1.0, "HuntCrossley: exponent is {}, expected ≥ 1", p_);
}

NormalForce HuntCrossley::evaluate(double delta, double rate) const {
  const double slope = k_ * std::pow(delta, p_ - 1.0);  // k δ^(p−1)
  const double grip = 1.0 + d_ * rate;
  return {slope * delta * grip, p_ * slope * grip, slope * delta * d_};
}

double HuntCrossley::stored_energy(double delta) const {
  return delta <= 0.0 ? 0.0 : k_ * std::pow(delta, p_ + 1.0) / (p_ + 1.0);
}

double HuntCrossley::deformation(double force, double rate) const {
  const double grip = 1.0 + d_ * rate;
  return force <= 0.0 || grip <= 0.0 ? 0.0 : std::pow(force / (k_ * grip), 1.0 / p_);
}

double damping_coefficient(double damping_ratio, double stiffness, double mass) {
  return 2.0 * damping_ratio * std::sqrt(stiffness * mass);
}

ContactLaw kelvin_voigt_contact(const KelvinVoigtOptions& options) {
  ENFOLD_REQUIRE(positive(options.mass), "kelvin_voigt_contact: mass is {} kg, expected > 0", options.mass);
  ENFOLD_REQUIRE(positive(options.tangential_ratio) && positive(options.tangential_damping_ratio),
                 "kelvin_voigt_contact: tangential_ratio is {} and tangential_damping_ratio {}, expected > 0",
                 options.tangential_ratio, options.tangential_damping_ratio);
  ContactLaw out;
  out.normal = std::make_shared<KelvinVoigt>(
      options.stiffness, damping_coefficient(options.damping_ratio, options.stiffness, options.mass));
  out.tangential.stiffness = options.tangential_ratio * options.stiffness;
  out.tangential.damping =
      damping_coefficient(options.tangential_damping_ratio, out.tangential.stiffness, options.mass);
  return out;
}

}  // namespace enfold::contact
