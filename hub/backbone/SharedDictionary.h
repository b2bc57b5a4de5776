// hub/backbone: the hub's dictionary for other hubs, and another hub's for this one while it has none (hub.md 12.10).
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "hub/config/HubSettings.h"
#include "hub/core/log.h"
#include "hub/nats/MeshMember.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace emissary::hub::backbone {

/// A hub that has a dictionary, from files or a source, keeps it, and offers it to the others if it exports services.
/// One that imports services and has none takes that of the owner with the best rank. Stage thread, with the session
/// lock held.
class SharedDictionary {
public:
    using Dictionary = std::shared_ptr<const eta::dictionary::Dictionary>;
    /// `take` gets another hub's dictionary, and may be called again with a later one.
    SharedDictionary(const MeshSettings& settings, std::function<void(Dictionary)> take, LogLine log)
        : settings_(settings), take_(std::move(take)), log_(std::move(log)) {}

    void use(nats::MeshMember& member);
    void stop() noexcept { member_ = nullptr; }
    /// The hub has this one of its own from now on. Before use() or later.
    void own(Dictionary dictionary);
    /// Compares the others' versions with that of the dictionary in use; call it when Edge::changes() has grown.
    void look();
    /// mesh::EdgeListener::dictionary(). First the id, since what does not fit it is read in vain; then a part in each
    /// step, so that the stage goes on with its work in between.
    [[nodiscard]] mesh::DictionaryUse received(const mesh::DictionaryParts& all, const std::string& hub,
                                               std::uint32_t step);
    /// As other hubs get it. None: a row is longer than a part can be, or it has too many parts.
    [[nodiscard]] static std::optional<mesh::DictionaryParts> partsOf(const eta::dictionary::Dictionary& dictionary);
    /// Hubs that are reached and whose dictionary has another version.
    [[nodiscard]] std::size_t differing() const noexcept { return differing_; }

private:
    /// How far a dictionary of another hub was read.
    struct Reading {
        std::shared_ptr<eta::dictionary::Dictionary> made;
        std::uint64_t hash = 0;
        std::size_t hashed = 0, decoded = 0;  ///< parts
        std::uint32_t kind = 0;               ///< of the last part
    };
    void offer();
    void say(Severity severity, const std::string& line) const {
        if (log_) log_(severity, "mesh '" + settings_.mesh + "': " + line);
    }

    const MeshSettings& settings_;
    const std::function<void(Dictionary)> take_;
    const LogLine log_;
    nats::MeshMember* member_ = nullptr;
    Dictionary own_;
    Reading reading_;
    std::string version_;                                   // of the one in use; empty: there is none
    std::set<std::pair<std::uint32_t, std::string>> said_;  // nodes and versions that were logged
    std::size_t differing_ = 0;
};

}  // namespace emissary::hub::backbone
