// Dictionaries as parts for other hubs, and parts of theirs as a dictionary.
#include "hub/backbone/SharedDictionary.h"

#include "eta/core/GrowingBuffer.h"

#include <algorithm>

namespace emissary::hub::backbone {

using Parts = mesh::DictionaryParts;
using DictionaryType = eta::dictionary::Dictionary;

namespace {

constexpr std::size_t kPartBytes = 32 * 1024;
constexpr std::size_t kMostSaid = 256;  // nodes and versions that are remembered, so that each is logged once

[[nodiscard]] std::string versionOf(const DictionaryType& dictionary) {
    std::string version = dictionary.fieldTags().version + "/" + dictionary.enumTags().dtVersion;
    version.resize(std::min(version.size(), mesh::kMostDictionaryVersion));
    return version;
}

/// FNV-1a, over the parts and where they end. Never 0.
[[nodiscard]] std::uint64_t idOf(const std::vector<std::vector<std::byte>>& parts) noexcept {
    constexpr std::uint64_t kPrime = 0x100000001B3u;
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const auto& part : parts) {
        for (const std::byte b : part)
            hash = (hash ^ std::to_integer<std::uint64_t>(b)) * kPrime;
        hash = (hash ^ part.size()) * kPrime;
    }
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
    made.id = idOf(made.parts);
    made.version = versionOf(dictionary);
    return fields && enums;
}

}  // namespace

void SharedDictionary::use(nats::MeshMember& member) {
    member_ = &member;
    if (own_) offer();
    else member_->node().edge().wantDictionary(!settings_.imports.empty());
}

void SharedDictionary::own(Dictionary dictionary) {
    own_ = std::move(dictionary);
    version_ = versionOf(*own_);
    if (member_ == nullptr) return;
    member_->node().edge().wantDictionary(false);
    offer();
    look();
}

void SharedDictionary::offer() {
    if (settings_.exports.empty()) return;
    Parts made;
    if (!encode(*own_, made)) {
        say(Severity::warning, "this hub's dictionary has a row of more than " +
                                   std::to_string(mesh::kMostDictionaryPart) +
                                   " bytes, so other hubs cannot have it; give them files of their own (Dictionary)");
        made = {};
    }
    member_->node().owner().offer(std::move(made));
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

bool SharedDictionary::received(const Parts& all, const std::string& hub) {
    auto made = std::make_shared<DictionaryType>();
    std::uint32_t kind = 0;
    for (const auto& part : all.parts) {
        // Only the first part of each kind says which it is.
        if (const std::uint32_t type = DictionaryType::typeOf(part); type != 0) kind = type;
        const eta::Refused refused = kind == 2 ? made->decodeEnums(part) : made->decodeFields(part);
        if (!refused) continue;
        say(Severity::warning, "the dictionary of hub '" + hub + "' cannot be read, and is not used: " + refused.text);
        return false;
    }
    if (own_ || !made->hasFields() || idOf(all.parts) != all.id) return false;
    version_ = versionOf(*made);
    say(Severity::success,
        "the dictionary of hub '" + hub + "', version " + version_ + ", is used: this hub has none of its own");
    take_(std::move(made));
    look();
    return true;
}

}  // namespace emissary::hub::backbone
