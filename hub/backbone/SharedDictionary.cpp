// Dictionaries as parts for other hubs, and parts of theirs as a dictionary.
#include "hub/backbone/SharedDictionary.h"

#include "eta/core/GrowingBuffer.h"

#include <algorithm>

namespace emissary::hub::backbone {

using Parts = mesh::DictionaryParts;
using DictionaryType = eta::dictionary::Dictionary;

namespace {

constexpr std::size_t kPartBytes = 32 * 1024;
constexpr std::size_t kHashedAtOnce = 256 * 1024;  // bytes in one step, some tenths of a millisecond
constexpr std::size_t kMostSaid = 256;  // nodes and versions that are remembered, so that each is logged once

[[nodiscard]] std::string versionOf(const DictionaryType& dictionary) {
    std::string version = dictionary.fieldTags().version + "/" + dictionary.enumTags().dtVersion;
    version.resize(std::min(version.size(), mesh::kMostDictionaryVersion));
    return version;
}

/// FNV-1a, over the parts and where they end: goes on from `hash` with another part.
[[nodiscard]] std::uint64_t hashed(std::uint64_t hash, const std::vector<std::byte>& part) noexcept {
    constexpr std::uint64_t kPrime = 0x100000001B3u;
    for (const std::byte b : part)
        hash = (hash ^ std::to_integer<std::uint64_t>(b)) * kPrime;
    return (hash ^ part.size()) * kPrime;
}

constexpr std::uint64_t kHashBegins = 0xCBF29CE484222325u;
/// Never 0.
[[nodiscard]] std::uint64_t idOf(std::uint64_t hash) noexcept {
    return hash | 1u;
}

/// Fails when a row of it is longer than a part can be.
[[nodiscard]] bool encode(const DictionaryType& dictionary, Parts& made) {
    eta::GrowingBuffer buffer;
    const auto all = [&](auto one) {
        for (DictionaryType::Part at; !at.finished;) {
            if (!one(buffer.start(), at).ok() || buffer.view().size() > mesh::kMostDictionaryPart) return false;
            made.parts.emplace_back(buffer.view().begin(), buffer.view().end());
        }
        return made.parts.size() <= mesh::kMostDictionaryParts;
    };
    const bool fields = !dictionary.hasFields() || all([&](eta::BeWriter& out, DictionaryType::Part& at) {
        return dictionary.encodeFields(out, eta::dictionary::Verbosity::verbose, kPartBytes, at);
    });
    const bool enums = !dictionary.hasEnums() || all([&](eta::BeWriter& out, DictionaryType::Part& at) {
        return dictionary.encodeEnums(out, eta::dictionary::Verbosity::verbose, kPartBytes, at);
    });
    std::uint64_t hash = kHashBegins;
    for (const auto& part : made.parts)
        hash = hashed(hash, part);
    made.id = idOf(hash);
    made.version = versionOf(dictionary);
    return fields && enums;
}

}  // namespace

std::optional<mesh::DictionaryParts> SharedDictionary::partsOf(const eta::dictionary::Dictionary& dictionary) {
    Parts made;
    if (!encode(dictionary, made)) return std::nullopt;
    return made;
}

void SharedDictionary::use(nats::MeshMember& member) {
    member_ = &member;
    if (own_) offer();
    else member_->node().edge().wantDictionary(!settings_.imports.empty());
}

void SharedDictionary::own(Dictionary dictionary) {
    own_ = std::move(dictionary);
    reading_ = {};
    version_ = versionOf(*own_);
    if (member_ == nullptr) return;
    member_->node().edge().wantDictionary(false);
    offer();
    look();
}

void SharedDictionary::offer() {
    if (settings_.exports.empty()) return;
    std::optional<Parts> made = partsOf(*own_);
    if (!made) {
        say(Severity::warning, "this hub's dictionary has a row of more than " +
                                   std::to_string(mesh::kMostDictionaryPart) +
                                   " bytes, so other hubs cannot have it; give them files of their own (Dictionary)");
        made.emplace();
    }
    member_->node().owner().offer(std::move(*made));
}

void SharedDictionary::look() {
    if (member_ == nullptr || version_.empty()) return;
    differing_ = 0;
    for (const mesh::Edge::OfferedDictionary& other : member_->node().edge().dictionaries()) {
        if (other.version == version_) continue;
        ++differing_;
        if (said_.size() >= kMostSaid) said_.clear();
        if (said_.emplace(other.node, other.version + version_).second)
            say(Severity::warning, "hub '" + other.hub + "' has a dictionary of version " + other.version +
                                       ", this one uses " + version_ +
                                       ": fields may have another meaning there. Give both the same dictionary");
    }
}

mesh::DictionaryUse SharedDictionary::received(const Parts& all, const std::string& hub, std::uint32_t step) {
    using Use = mesh::DictionaryUse;
    if (step == 0) reading_ = {.made = std::make_shared<DictionaryType>(), .hash = kHashBegins};
    if (own_) return Use::refused;
    const auto refused = [&](const std::string& why) {
        reading_ = {};
        say(Severity::warning, "the dictionary of hub '" + hub + "' cannot be read, and is not used: " + why);
        return Use::refused;
    };
    if (reading_.hashed < all.parts.size()) {
        for (std::size_t bytes = 0; reading_.hashed < all.parts.size() && bytes < kHashedAtOnce;) {
            const std::vector<std::byte>& part = all.parts[reading_.hashed++];
            reading_.hash = hashed(reading_.hash, part);
            bytes += part.size();
        }
        if (reading_.hashed < all.parts.size() || idOf(reading_.hash) == all.id) return Use::more;
        return refused("its parts do not fit its id");
    }
    if (reading_.decoded < all.parts.size()) {
        const std::vector<std::byte>& part = all.parts[reading_.decoded++];
        // Only the first part of each kind says which it is.
        if (const std::uint32_t type = DictionaryType::typeOf(part); type != 0) reading_.kind = type;
        const eta::Refused bad =
            reading_.kind == 2 ? reading_.made->decodeEnums(part) : reading_.made->decodeFields(part);
        return bad ? refused(bad.text) : Use::more;
    }
    if (!reading_.made->hasFields()) return refused("it has no fields");
    const Dictionary made = std::exchange(reading_, {}).made;
    version_ = versionOf(*made);
    say(Severity::success,
        "the dictionary of hub '" + hub + "', version " + version_ + ", is used: this hub has none of its own");
    take_(made);
    look();
    return Use::taken;
}

}  // namespace emissary::hub::backbone
