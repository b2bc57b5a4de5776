// eta/json: messages of a text that are made straight from their tokens, all at once, before the first one is given.
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "eta/json/Converter.h"
#include "json/EncodeScratch.h"
#include "json/KnownHeads.h"
#include "json/Tree.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace emissary::eta::json {

/// What a text is converted with. Borrowed for one call.
struct DirectSources {
    const Options& options;
    const dictionary::Dictionary* dictionary;
    const ServiceNames* services;
    Tree& tree;  ///< knows the tokens of the text
    EncodeScratch& encoding;
    std::string_view text;
};

/// The messages of one text as RWF, and what earlier texts have taught. Each way to make them shows that the whole text
/// is JSON. False from one of them: the tree of everything has to say what the text is, and has its text again.
class DirectMessages {
public:
    /// A text of one message that begins like a known one.
    [[nodiscard]] bool known(const DirectSources& s, const IdFirst& begins);
    /// The only message of a text, of which the tree has all but the fields.
    [[nodiscard]] bool only(const DirectSources& s, const IdFirst& begins);
    /// All messages of an array, updates that end with their fields.
    [[nodiscard]] bool array(const DirectSources& s);
    /// Whether the last array had more than one.
    [[nodiscard]] bool several() const noexcept { return several_; }

    /// Forgets the messages of a text, and gives memory back that only a large one needed.
    void clear();
    [[nodiscard]] bool any() const noexcept { return any_; }  ///< messages were made of this text
    [[nodiscard]] bool ended() const noexcept { return given_ == ends_.size(); }
    /// How many give() has given.
    [[nodiscard]] std::uint32_t given() const noexcept { return given_; }
    /// Appends the next one. False, and nothing is written: there is no room, or what an array is converted with has
    /// changed since its first message was given.
    [[nodiscard]] bool give(const DirectSources& s, BeWriter& out) noexcept;

private:
    /// What may change between two messages of an array.
    struct Settings {
        const dictionary::Dictionary* dictionary = nullptr;
        const ServiceNames* services = nullptr;
        bool strictMembers = false, strictFields = false, carriesServiceNames = false, enumTexts = false;
        std::optional<std::uint16_t> defaultServiceId;
        [[nodiscard]] bool operator==(const Settings&) const = default;
    };
    [[nodiscard]] static Settings settings(const DirectSources& s) noexcept;

    [[nodiscard]] bool element(const DirectSources& s, const std::uint32_t* at, BeWriter& out);
    [[nodiscard]] static bool headAndFields(const DirectSources& s, KnownHead& head, std::int32_t id, BeWriter& out);
    /// From the message that begins at `from` in `made_` and is its last one.
    void learn(const DirectSources& s, const IdFirst& begins, std::size_t from) noexcept;
    [[nodiscard]] bool done(const DirectSources& s, bool good) noexcept;

    KnownHeads heads_;
    GrowingBuffer made_{1024};
    std::vector<std::size_t> ends_;  // of the messages in made_
    std::uint32_t given_ = 0;
    bool any_ = false, several_ = false;
    Settings settings_;
};

}  // namespace emissary::eta::json
