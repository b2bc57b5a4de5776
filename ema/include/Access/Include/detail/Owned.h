// A value behind a pointer that copies with its owner.
#pragma once

#include <memory>
#include <utility>

namespace refinitiv::ema::access::detail {

/// Keeps the fields of a copyable public class out of its layout, so that fields can be added without recompiling
/// applications. Never null. T may be incomplete where the owner is declared; its members are needed where the
/// owner's are defined.
template <class T>
class Owned {
public:
    Owned() : value_(std::make_unique<T>()) {}                                 ///< a default value
    Owned(const Owned& other) : value_(std::make_unique<T>(*other.value_)) {}  ///< copies the value
    /// Copies the value; the place stays.
    Owned& operator=(const Owned& other) {
        if (this != &other) *value_ = *other.value_;
        return *this;
    }
    ~Owned() = default;

    T& operator*() const noexcept { return *value_; }        ///< the value
    T* operator->() const noexcept { return value_.get(); }  ///< the value's members
    void clear() { *value_ = T(); }                          ///< a new value in the old place

private:
    std::unique_ptr<T> value_;
};

}  // namespace refinitiv::ema::access::detail
