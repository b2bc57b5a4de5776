// hub/mesh: the dictionary of another node, asked for part by part, and those that are not asked for again; what their
// bytes mean is not this room's affair.
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/bytes.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace emissary::hub::mesh {

inline constexpr std::uint32_t kMostDictionaryParts = 4096;
inline constexpr std::size_t kMostDictionary = std::size_t{16} << 20;  ///< bytes of all parts
inline constexpr std::size_t kMostDictionaryPart = 192 * 1024;         ///< a row of it may be long
inline constexpr std::size_t kMostDictionaryVersion = 64;              ///< bytes of its name
inline constexpr std::size_t kDictionaryPartsAtOnce = 4;               ///< asked for, and given, at once
inline constexpr std::size_t kMostRefusedDictionaries = 256;           ///< that are remembered, of all nodes
inline constexpr std::uint32_t kMostDictionaryTries = 4;     ///< requests in a row that bring nothing, of one owner
inline constexpr std::uint32_t kMostDictionaryTime = 120;    ///< times MeshOptions::retry, for all of it
inline constexpr std::uint32_t kMostDictionaryPauses = 256;  ///< the same, until an owner that failed is asked again

/// What the listener did with a dictionary that has come whole.
enum class DictionaryUse : std::uint8_t {
    more,     ///< a part of the work is done; the call comes again
    taken,    ///< it is in use
    refused,  ///< it cannot be used, and this node is not asked for it again
};

/// A dictionary in parts. Its id is a hash of them: equal ids are equal dictionaries.
struct DictionaryParts {
    std::uint64_t id = 0;  ///< 0: there is none
    std::string version;   ///< for people, and to compare; at most kMostDictionaryVersion bytes
    std::vector<std::vector<std::byte>> parts;
};

/// Dictionaries that cannot be used, each with the node that offered it: another node may have the same id and mean
/// what it says. Bounded; the oldest is forgotten for a new one.
class RefusedDictionaries {
public:
    void add(std::uint32_t node, std::uint64_t id) {
        if (!all_.emplace(node, id).second) return;
        order_.emplace_back(node, id);
        if (order_.size() <= kMostRefusedDictionaries) return;
        all_.erase(order_.front());
        order_.pop_front();
    }
    [[nodiscard]] bool contains(std::uint32_t node, std::uint64_t id) const { return all_.contains({node, id}); }

private:
    std::set<std::pair<std::uint32_t, std::uint64_t>> all_;
    std::deque<std::pair<std::uint32_t, std::uint64_t>> order_;
};

/// One that is being fetched of one owner: bounded in bytes and time, each part once.
class FarDictionary {
public:
    /// Begins anew. False: it has no part, or more than may be.
    [[nodiscard]] bool begin(std::uint32_t slot, std::uint64_t id, std::uint32_t parts, eta::TimePoint now) {
        clear();
        if (parts == 0 || parts > kMostDictionaryParts) return false;
        slot_ = slot;
        begunAt_ = now;
        got_.id = id;
        got_.parts.resize(parts);
        return true;
    }
    [[nodiscard]] bool begun() const noexcept { return got_.id != 0; }
    /// Of the owner that is asked; nobody else's parts are taken.
    [[nodiscard]] std::uint32_t slot() const noexcept { return slot_; }
    /// A part has come. False: there is nothing in it, or more than may be.
    [[nodiscard]] bool take(std::uint64_t id, std::uint32_t number, eta::Bytes part) {
        if (id != got_.id || number >= got_.parts.size() || !got_.parts[number].empty()) return true;
        if (part.empty() || bytes_ + part.size() > kMostDictionary) return false;
        bytes_ += part.size();
        got_.parts[number].assign(part.begin(), part.end());
        ++have_;
        return true;
    }
    [[nodiscard]] bool complete() const noexcept { return begun() && have_ == got_.parts.size(); }
    [[nodiscard]] const DictionaryParts& got() const noexcept { return got_; }
    /// Counts the calls of the listener for one that is complete: 0, 1 and so on.
    [[nodiscard]] std::uint32_t step() noexcept { return steps_++; }
    /// Calls `ask(number)` for the first parts that are missing, when all that were asked for have come or `again` has
    /// passed since. False: the owner does not send them, or takes too long.
    template <class Ask>
    [[nodiscard]] bool pump(eta::TimePoint now, eta::Duration again, Ask&& ask) {
        if (complete() || (have_ < awaited_ && now - askedAt_ < again)) return true;
        tries_ = have_ != haveThen_ ? 0 : tries_ + 1;
        if (tries_ > kMostDictionaryTries || now - begunAt_ > kMostDictionaryTime * again) return false;
        haveThen_ = have_;
        std::size_t left = kDictionaryPartsAtOnce;
        for (std::uint32_t n = 0; n < got_.parts.size() && left != 0; ++n) {
            if (!got_.parts[n].empty()) continue;
            ask(n);
            --left;
        }
        awaited_ = have_ + static_cast<std::uint32_t>(kDictionaryPartsAtOnce - left);
        askedAt_ = now;
        return true;
    }
    void clear() { *this = {}; }

private:
    DictionaryParts got_;
    std::size_t bytes_ = 0;
    std::uint32_t slot_ = 0, have_ = 0, awaited_ = 0, steps_ = 0;
    std::uint32_t tries_ = 0, haveThen_ = 0;  // requests since a part came; what was there at the last one
    eta::TimePoint begunAt_ = eta::TimePoint::min(), askedAt_ = eta::TimePoint::min();
};

}  // namespace emissary::hub::mesh
