// Compares two structures of plain values field by field, and says where they differ.
#pragma once

#include <boost/pfr.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace emissary::test {

template <class T>
concept HasRange = requires(const T& t) {
    t.begin();
    t.end();
    t.size();
};

/// Whether two settings are the same in every field, those of their parts included; of pointers whether they are set.
template <class T>
[[nodiscard]] inline bool same(const T& a, const T& b, std::string& where, const std::string& path) {
    bool equal = true;
    if constexpr (std::is_pointer_v<T> || requires {
                      a.get();
                      *a;
                      a.reset();
                  }) {
        equal = (a == nullptr) == (b == nullptr);
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
        equal = a == b;
    } else if constexpr (HasRange<T>) {
        equal = a.size() == b.size();
        std::size_t n = 0;
        for (auto x = a.begin(), y = b.begin(); equal && x != a.end(); ++x, ++y)
            if (!same(*x, *y, where, path + "[" + std::to_string(n++) + "]")) return false;
    } else if constexpr (requires {
                             a.has_value();
                             a.value();
                         }) {
        equal = a.has_value() == b.has_value();
        if (equal && a.has_value()) return same(a.value(), b.value(), where, path);
    } else if constexpr (requires {
                             static_cast<bool>(a);
                             a.target_type();
                         }) {
        equal = static_cast<bool>(a) == static_cast<bool>(b);
    } else if constexpr (std::equality_comparable<T>) {
        equal = a == b;
    } else {
        boost::pfr::for_each_field(a, [&](const auto& field, auto index) {
            if (equal) equal = same(field, boost::pfr::get<index>(b), where, path + "." + std::to_string(index));
        });
        return equal;
    }
    if (!equal) where = path;
    return equal;
}

}  // namespace emissary::test
