// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string_view>

namespace enfold::contact {

/// A normal force and its partial derivatives.
struct NormalForce {
  double force = 0.0;    ///< [N]
  double d_delta = 0.0;  ///< ∂/∂δ [N/m]
  double d_rate = 0.0;   ///< ∂/∂δ̇ [N·s/m]
};

/// How hard a compliant contact presses: S4 (20) with any f and g. δ > 0 is the deformation, δ̇ its rate.
///
///     λ_N = max(0, f(δ) + g(δ, δ̇)) for δ > 0, else 0                                          [eq:S4.20]
///
/// A law of one's own derives from this class; the clamp (no tension, checklist row 21) is not its business:
/// normal_force() applies it. Const, thread-safe, allocates nothing.
class NormalLaw {
 public:
  virtual ~NormalLaw() = default;

  /// f(δ) + g(δ, δ̇) and its partials for δ ≥ 0, before the clamp.
  [[nodiscard]] virtual NormalForce evaluate(double delta, double rate) const = 0;
  /// ∫₀^δ f: what the contact would give back if it were released slowly; 0 for δ ≤ 0 [J].
  [[nodiscard]] virtual double stored_energy(double delta) const = 0;
  /// The deformation δ ≥ 0 at which the law gives `force` at a given rate; 0 if even the untouched surface
  /// gives more.
  [[nodiscard]] virtual double deformation(double force, double rate) const = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;
};

/// The law with its clamp: zero force and zero partials where the contact is open or would pull.
[[nodiscard]] NormalForce normal_force(const NormalLaw& law, double delta, double rate);

/// Spring and damper in parallel: f + g = kδ + cδ̇. S4's law. The force jumps by cδ̇ at first touch.
class KelvinVoigt final : public NormalLaw {
 public:
  /// @p stiffness k [N/m] > 0, @p damping c [N·s/m] ≥ 0 (throws InvalidArgument)
  KelvinVoigt(double stiffness, double damping);

  [[nodiscard]] NormalForce evaluate(double delta, double rate) const override;
  [[nodiscard]] double stored_energy(double delta) const override;
  [[nodiscard]] double deformation(double force, double rate) const override;
  [[nodiscard]] std::string_view name() const override { return "kelvin_voigt"; }
  [[nodiscard]] double stiffness() const { return k_; }
  [[nodiscard]] double damping() const { return c_; }

 private:
  double k_, c_;
};

/// f + g = k δ^p (1 + d δ̇): the damping vanishes with δ, so that the force starts and ends at zero.
/// [Hunt & Crossley 1975]
class HuntCrossley final : public NormalLaw {
 public:
  /// @p stiffness k [N/m^p] > 0, @p dissipation d [s/m] ≥ 0, @p exponent p ≥ 1, 3/2 for two spheres (throws
  /// InvalidArgument)
  HuntCrossley(double stiffness, double dissipation, double exponent = 1.5);

  [[nodiscard]] NormalForce evaluate(double delta, double rate) const override;
  [[nodiscard]] double stored_energy(double delta) const override;
  [[nodiscard]] double deformation(double force, double rate) const override;
  [[nodiscard]] std::string_view name() const override { return "hunt_crossley"; }

 private:
  double k_, d_, p_;
};

/// Spring and damper along the surface, in series with a Coulomb slider: one state ξ per contact, the stretch
/// of the spring.
///
///     F = clamp(k_T ξ + c_T s, −μλ_N, μλ_N),   λ_T = −F,   ξ̇ = (F − k_T ξ)/c_T                 [eq:S4.21]
///
/// s is the slip (of the object relative to the link), so that λ_T opposes it. Inside the cone ξ̇ = s: the
/// spring follows the surfaces, and a constant load makes no creep. On the cone F = ±μλ_N exactly, and ξ
/// goes to ±μλ_N/k_T with the time constant c_T/k_T. Without normal force F = 0 and ξ relaxes to zero. The
/// slider only takes energy: F(s − ξ̇) ≥ 0.
struct TangentialLaw {
  double stiffness = 0.0;  ///< k_T [N/m] > 0
  double damping = 0.0;    ///< c_T [N·s/m] > 0: without it ξ could not be stated while sliding
};

/// All that a compliant contact is made of.
struct ContactLaw {
  std::shared_ptr<const NormalLaw> normal;  ///< shared by contacts of the same kind; never changed
  TangentialLaw tangential;
};

/// S4's law in both directions, from the keys of a scenario.
struct KelvinVoigtOptions {
  double stiffness = 1e4;      ///< k [N/m]; 1e4 … 1e5 for the hand of S4
  double damping_ratio = 0.7;  ///< ζ of c = 2ζ√(k m)
  /// m: the mass that ζ refers to [kg]. A constant, so that c does not depend on the pose. 1 kg is the
  /// checklist's; the contacts' own masses 1/(W_Nᵀ M⁻¹ W_N)_ii change with it.
  double mass = 1.0;
  /// k_T/k. S4 has the same law in both directions and gives no numbers: 1. Hertz and Mindlin give
  /// 2(1 − ν)/(2 − ν), 0.67 … 1.
  double tangential_ratio = 1.0;
  /// ζ of c_T = 2ζ√(k_T m); > 0.
  double tangential_damping_ratio = 0.7;
};

/// @pre stiffness, mass, tangential_ratio, tangential_damping_ratio > 0, damping_ratio ≥ 0 (throws
/// InvalidArgument)
[[nodiscard]] ContactLaw kelvin_voigt_contact(const KelvinVoigtOptions& options = {});

/// c = 2ζ√(k m) [N·s/m].
[[nodiscard]] double damping_coefficient(double damping_ratio, double stiffness, double mass);

}  // namespace enfold::contact
