// A value that everybody reads and one class writes.
#pragma once

namespace emissary::hub {

/// A member of a record that many rooms share: it reads like a T, and writing it anywhere but in `Writer` does not
/// compile. The record can be made with a value, and neither copied nor assigned.
template <class T, class Writer>
class OwnedBy {
public:
    constexpr OwnedBy() noexcept = default;
    explicit constexpr OwnedBy(T first) noexcept : value_(first) {}
    OwnedBy(const OwnedBy&) = delete;
    OwnedBy& operator=(const OwnedBy&) = delete;
    // NOLINTNEXTLINE(google-explicit-constructor): it stands for the value that it is
    constexpr operator const T&() const noexcept { return value_; }

private:
    friend Writer;
    OwnedBy& operator=(T value) noexcept {
        value_ = value;
        return *this;
    }
    T value_{};
};

}  // namespace emissary::hub
