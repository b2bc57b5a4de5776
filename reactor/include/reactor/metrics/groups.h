// reactor/metrics: the members of a group of counts (eta/core/Count.h), found without being listed.
#pragma once

#include "eta/core/Count.h"

#include <boost/pfr.hpp>

#include <array>
#include <type_traits>
#include <utility>

namespace emissary::reactor::metrics {

namespace detail {
/// Whether a type is a count.
template <class T>
struct IsCount : std::false_type {};
template <eta::CountKind K, eta::FixedText N, eta::FixedText U, eta::FixedText M>
struct IsCount<eta::Count<K, N, U, M>> : std::true_type {};
template <eta::FixedText N, eta::FixedText M>
struct IsCount<eta::Histogram<N, M>> : std::true_type {};

/// The rows of the members with these numbers.
template <class Group, std::size_t... I>
[[nodiscard]] consteval std::array<eta::CountRow, sizeof...(I)> rowsOf(std::index_sequence<I...>) {
    static_assert((IsCount<boost::pfr::tuple_element_t<I, Group>>::value && ...),
                  "every member of a group says what it counts: Total, Level, Peak or Histogram");
    return {boost::pfr::tuple_element_t<I, Group>::row...};
}
}  // namespace detail

/// The rows of a group, in the order of its members.
template <class Group>
inline constexpr auto rows = detail::rowsOf<Group>(std::make_index_sequence<boost::pfr::tuple_size_v<Group>>{});

/// Takes the totals of something alike off, which are going to be added again. In between they may be less than
/// nothing, which is of no consequence for the sum.
template <class Group>
void takeOff(Group& from, const Group& what) noexcept {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto one = [](auto& a, const auto& b) {
            if constexpr (std::remove_reference_t<decltype(a)>::row.kind == eta::CountKind::total) a -= b.get();
        };
        (one(boost::pfr::get<I>(from), boost::pfr::get<I>(what)), ...);
    }
    (std::make_index_sequence<boost::pfr::tuple_size_v<Group>>{});
}

/// Adds the counts of something alike: totals and levels are summed, of peaks the higher one stays.
/// Of what has ended only totals and peaks are taken.
template <class Group>
void merge(Group& into, const Group& from, bool ended = false) noexcept {
    static_assert(rows<Group>.size() != 0);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto one = [ended](auto& a, const auto& b) {
            using Member = std::remove_reference_t<decltype(a)>;
            if constexpr (Member::row.kind == eta::CountKind::histogram) {
                eta::Buckets sum = a.get();
                const eta::Buckets more = b.get();
                for (std::size_t i = 0; i < sum.counts.size(); ++i)
                    sum.counts[i] += more.counts[i];
                sum.nanoseconds += more.nanoseconds;
                a.set(sum);
            } else if constexpr (Member::row.kind == eta::CountKind::peak) {
                a.raiseTo(b.get());
            } else if (Member::row.kind == eta::CountKind::total || !ended) {
                a += b.get();
            }
        };
        (one(boost::pfr::get<I>(into), boost::pfr::get<I>(from)), ...);
    }
    (std::make_index_sequence<boost::pfr::tuple_size_v<Group>>{});
}

}  // namespace emissary::reactor::metrics
