// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>

namespace enfold::ode {

template <typename Signature>
class FunctionRef;

/// A view of a callable object: two pointers, no ownership, no allocation. The callable must outlive the
/// view, which a temporary does when the view is a function parameter.
template <typename Result, typename... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <typename F>
  requires(!std::same_as<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_object_v<std::remove_reference_t<F>> && std::is_invocable_r_v<Result, F&, Args...>)
      FunctionRef(F&& f)
  noexcept  // implicit, so that a lambda can be passed where a view is expected
      : object_{const_cast<void*>(static_cast<const void*>(std::addressof(f)))},
        call_{[](void* object, Args... args) -> Result {
          return std::invoke(*static_cast<std::remove_reference_t<F>*>(object), static_cast<Args>(args)...);
        }} {}

  Result operator()(Args... args) const { return call_(object_, static_cast<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace enfold::ode
