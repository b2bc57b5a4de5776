// Outcomes of everything that meets wire data or the network: a code and a place, never an exception.
#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

namespace emissary::eta {

/// Why an operation failed. Success costs one compare; text is made by describe() where a person will read it.
enum class Errc : std::uint8_t {
    ok = 0,
    truncated,        ///< input ended inside a value, or a length or count reaches past its enclosing content
    badLength,        ///< a length that the type cannot have (Float of 3 bytes, Time of 4 bytes ...)
    badValue,         ///< a value that cannot be right (reserved Real hint, message class 0, bad flag combination)
    unsupportedType,  ///< a type number that cannot appear there
    tooDeep,          ///< containers nested beyond kMaxDepth
    tooManySets,      ///< more than 15 local set definitions
    illegalSet,       ///< local set definition id above 15
    duplicateSet,     ///< the same local set definition id twice
    missingSet,       ///< set data whose definition is not known
    noSpace,          ///< the output does not fit
    outOfRange,       ///< a value to encode that the wire form cannot carry
    usage,            ///< call out of order (a fault of the calling code)
    notFound,         ///< nothing with that name, id or handle
    closed,           ///< the channel is closed
    refused,          ///< the peer answered and said no
    timeout,          ///< no answer in time
    protocol,         ///< the peer broke the transport protocol
    system,           ///< the operating system said no; errno travels beside the error
    noBuffers,        ///< output buffers are exhausted
};

/// A short English word group for a code ("truncated", "bad length" ...); never null.
[[nodiscard]] const char* describe(Errc code) noexcept;

/// 8 bytes: travels in a register.
struct [[nodiscard]] Error {
    Errc code = Errc::ok;
    std::uint32_t offset = 0;  ///< bytes from the start of the input handed to the failing call
    [[nodiscard]] constexpr bool ok() const noexcept { return code == Errc::ok; }  ///< true when there was no failure
};

/// A value or an Error. Hot-path results own nothing.
template <class T>
class [[nodiscard]] Result {
    static_assert(std::is_trivially_copyable_v<T>, "hot-path results own nothing");

public:
    constexpr Result(T value) noexcept : value_(value) {}  ///< success
    constexpr Result(Error e) noexcept : error_(e) {}      ///< failure; the error's code must not be ok
    constexpr Result(Errc c) noexcept : error_{c, 0} {}    ///< failure at offset 0; the code must not be ok
    /// True when there was no failure.
    [[nodiscard]] constexpr bool ok() const noexcept { return error_.code == Errc::ok; }
    explicit constexpr operator bool() const noexcept { return ok(); }  ///< same as ok()
    /// The value; only after ok().
    [[nodiscard]] constexpr const T& value() const noexcept { return assert(ok()), value_; }
    [[nodiscard]] constexpr const T& operator*() const noexcept { return value(); }  ///< the value; only after ok()
    /// The failure; code ok when there was none.
    [[nodiscard]] constexpr Error error() const noexcept { return error_; }

private:
    T value_{};
    Error error_{};
};

}  // namespace emissary::eta
