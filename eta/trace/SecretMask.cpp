// Finds passwords and tokens in a message and in what it repeats, and overwrites them in a copy.
#include "eta/trace/SecretMask.h"

#include "eta/codec/Msg.h"
#include "eta/codec/SetDefinitions.h"
#include "eta/codec/containers.h"
#include "eta/codec/numbers.h"
#include "trace/json_secrets.h"
#include "trace/secret_words.h"

#include <algorithm>

namespace emissary::eta::trace {

using codec::DataType;

namespace {

constexpr std::byte kStar{'*'}, kNoughts{0};
// Bytes of a message's header up to its domain.
constexpr std::size_t kDomainAt = 3, kHeader = 4;
constexpr std::size_t kMostRemembered = 8, kShortestRemembered = 6;
// Name types of logins (rdm.md 2.1): token, cookie, token in an element.
constexpr std::uint8_t kFirstSecretName = 3, kLastSecretName = 5;

/// Whether a secret could stand in a value of that type, as bytes that one can read.
bool isText(DataType type) noexcept {
    switch (type) {
    case DataType::Buffer:
    case DataType::AsciiString:
    case DataType::Utf8String:
    case DataType::RmtesString:
    case DataType::Opaque:
    case DataType::Xml:
    case DataType::AnsiPage:
    case DataType::Json:
    case DataType::Unknown:
        return true;
    default:
        return false;
    }
}

bool hasWord(Bytes bytes) noexcept {
    return findSecretWord(asText(bytes)) != std::string_view::npos;
}

/// Where a word of a secret stands in front of the type of a text, as in an element; npos = nowhere.
std::size_t findSecretElement(std::string_view text) noexcept {
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t found = findSecretWord(text.substr(from));
        if (found == std::string_view::npos) return found;
        const std::size_t at = from + found;
        from = at;
        while (from < text.size() && text[from] > ' ' && text[from] <= '~')
            ++from;
        if (from < text.size() && isText(static_cast<DataType>(text[from])) && text[from] != 0) return at;
    }
    return std::string_view::npos;
}

/// A login, a message with the word of a secret in it, or one that may have other messages inside.
bool mayHaveSecrets(Bytes message) noexcept {
    if (message.size() < kHeader || static_cast<std::uint8_t>(message[kDomainAt]) == codec::kLoginDomain) return true;
    codec::Msg msg;
    if (!codec::decodeMsg(message, msg).ok()) return hasWord(message);
    const bool flat =
        msg.containerType == DataType::FieldList || msg.containerType == DataType::NoData || isText(msg.containerType);
    return !flat || hasWord(message);
}

}  // namespace

/// Goes through one message and hides what is secret.
class SecretMask::Walk {
public:
    Walk(SecretMask& mask, Bytes whole) noexcept : mask_(mask), whole_(whole) {}

    void content(DataType type, Bytes bytes, const codec::SetDefinitionDb* sets = nullptr) {
        if (bytes.empty()) return;
        if (depth_ >= codec::kMaxDepth) return rest(bytes, bytes);
        ++depth_;
        switch (type) {
        case DataType::Msg:
            message(bytes);
            break;
        case DataType::ElementList:
            elementList(bytes, sets);
            break;
        case DataType::FieldList:
            fieldList(bytes, sets);
            break;
        case DataType::Map:
            entries<codec::MapDecoder, codec::MapEntry>(bytes);
            break;
        case DataType::Vector:
            entries<codec::VectorDecoder, codec::VectorEntry>(bytes);
            break;
        case DataType::Series:
            entries<codec::SeriesDecoder, codec::SeriesEntry>(bytes);
            break;
        case DataType::FilterList:
            filterList(bytes);
            break;
        case DataType::Array:
            if (all_) array(bytes);
            break;
        default:
            value(type, bytes);
        }
        --depth_;
    }
    [[nodiscard]] bool isLogin() const noexcept { return anyLogin_; }

private:
    void message(Bytes bytes) {
        codec::Msg msg;
        const bool whole = codec::decodeMsg(bytes, msg).ok();
        const bool outer = login_;
        login_ = whole ? msg.domain == codec::kLoginDomain
                       : bytes.size() < kHeader || static_cast<std::uint8_t>(bytes[kDomainAt]) == codec::kLoginDomain;
        anyLogin_ = anyLogin_ || login_;
        if (whole) {
            key(msg.key);
            key(msg.reqKey);
            content(msg.containerType, msg.payload);
        } else {
            rest(bytes, bytes.subspan(std::min(kHeader, bytes.size())));
        }
        login_ = outer;
    }

    void key(const codec::MsgKey& key) {
        using namespace codec::KeyFlag;
        if (login_ && key.has(name) && key.has(nameType) && key.nameType >= kFirstSecretName &&
            key.nameType <= kLastSecretName && asText(key.name) != std::string_view("\0", 1))
            secret(DataType::Buffer, key.name);
        if (key.has(attrib)) content(key.attribType, key.attrib);
    }

    /// Every entry of a container; behind a fault, the rest.
    template <class Entry, class Decoder, class Take>
    void each(Decoder& list, Bytes bytes, Take take) {
        Bytes left = bytes;
        for (Entry entry; list.next(entry);) {
            left = behind(left, entry.data);
            take(entry);
        }
        if (!list.error().ok()) rest(bytes, left);
    }

    void elementList(Bytes bytes, const codec::SetDefinitionDb* sets) {
        codec::ElementListDecoder list;
        if (!list.start(bytes, sets).ok()) return rest(bytes, bytes);
        each<codec::ElementEntry>(list, bytes, [this](const codec::ElementEntry& entry) {
            if (isSecretElement(asText(entry.name))) secret(entry.type, entry.data);
            else content(entry.type, entry.data);
        });
        if (list.setSkipped()) rest(bytes, bytes);
    }

    void fieldList(Bytes bytes, const codec::SetDefinitionDb* sets) {
        codec::FieldListDecoder list;
        if (!list.start(bytes, sets).ok()) return rest(bytes, bytes);
        each<codec::FieldEntry>(list, bytes, [this](const codec::FieldEntry& entry) {
            content(entry.setType == DataType::Unknown ? DataType::Unknown : codec::baseType(entry.setType),
                    entry.data);
        });
        if (list.setSkipped()) rest(bytes, bytes);
    }

    template <class Decoder, class Entry>
    void entries(Bytes bytes) {
        Decoder list;
        if (!list.start(bytes).ok()) return rest(bytes, bytes);
        if (list.hasSummary()) content(list.entryType(), list.summary(), list.sets());
        each<Entry>(list, bytes, [&](const Entry& entry) { content(list.entryType(), entry.data, list.sets()); });
    }

    void filterList(Bytes bytes) {
        codec::FilterListDecoder list;
        if (!list.start(bytes).ok()) return rest(bytes, bytes);
        each<codec::FilterEntry>(list, bytes,
                                 [this](const codec::FilterEntry& entry) { content(entry.type, entry.data); });
    }

    void array(Bytes bytes) {
        codec::ArrayDecoder list;
        if (!list.start(bytes).ok()) return mask_.hide(whole_, bytes, kNoughts);
        for (Bytes item; list.next(item);)
            value(list.itemType(), item);
    }

    /// A value of its own; of a text whose inside is not known, all of it when it assigns something to a secret's name.
    void value(DataType type, Bytes bytes) {
        if (all_) {
            if (login_ && isText(type)) mask_.remember(asText(bytes));
            mask_.hide(whole_, bytes, isText(type) ? kStar : kNoughts);
        } else if (isText(type) && findSecretValue(asText(bytes)) != std::string_view::npos) {
            mask_.hide(whole_, bytes, kStar);
        }
    }

    /// Everything inside is secret.
    void secret(DataType type, Bytes bytes) {
        const bool outer = all_;
        all_ = true;
        content(type, bytes);
        all_ = outer;
    }

    /// What stands behind a fault of a container.
    void rest(Bytes container, Bytes left) {
        if (all_ || login_ || hasWord(container)) mask_.hide(whole_, left, kStar);
    }

    /// What is left of it behind an entry's data; an entry without data has none.
    [[nodiscard]] static Bytes behind(Bytes left, Bytes data) noexcept {
        if (data.data() < left.data() || data.data() > left.data() + left.size()) return left;
        return left.subspan(static_cast<std::size_t>(data.data() + data.size() - left.data()));
    }

    SecretMask& mask_;
    const Bytes whole_;
    int depth_ = 0;
    bool login_ = false, anyLogin_ = false, all_ = false;
};

std::byte* SecretMask::writable(Bytes message) {
    if (!changed_) copy_.assign(message.begin(), message.end());
    changed_ = true;
    return copy_.data();
}

void SecretMask::hide(Bytes message, Bytes part, std::byte with) {
    const bool inside = part.data() >= message.data() && part.data() + part.size() <= message.data() + message.size();
    if (part.empty() || !inside) return;
    const auto at = static_cast<std::size_t>(part.data() - message.data());
    std::fill_n(writable(message) + at, part.size(), with);
}

void SecretMask::remember(std::string_view secret) {
    if (secret.size() < kShortestRemembered) return;
    if (std::find(remembered_.begin(), remembered_.end(), secret) != remembered_.end()) return;
    if (remembered_.size() == kMostRemembered) remembered_.pop_front();
    remembered_.emplace_back(secret);
}

void SecretMask::hideRemembered(Bytes message) {
    const std::string_view text = asText(message);
    for (const std::string& secret : remembered_)
        for (auto at = text.find(secret); at != std::string_view::npos; at = text.find(secret, at + secret.size()))
            hide(message, message.subspan(at, secret.size()), kStar);
}

Bytes SecretMask::rwf(Bytes bytes, DataType type) {
    changed_ = false;
    if (codec::isPrimitive(type) || (type == DataType::Msg && !mayHaveSecrets(bytes))) return bytes;
    Walk walk(*this, bytes);
    walk.content(type, bytes);
    if (walk.isLogin()) {
        // Damaged so that its elements have moved: text that looks like a secret element begins the secret.
        const std::size_t at = changed_ ? std::string_view::npos : findSecretElement(asText(bytes));
        if (at != std::string_view::npos) hide(bytes, bytes.subspan(at), kStar);
        hideRemembered(bytes);
    }
    return result(bytes);
}

Bytes SecretMask::json(Bytes text) {
    changed_ = false;
    const std::string_view all = asText(text);
    const std::size_t word = findSecretWord(all);
    // A name is found in a text whose names are spelled with escapes as well.
    if (word == std::string_view::npos && all.find("NameType") == std::string_view::npos &&
        all.find("\\u") == std::string_view::npos && remembered_.empty())
        return text;
    const JsonSecrets secrets = findJsonSecrets(all);
    for (const JsonSecrets::Range& range : secrets.ranges) {
        const Bytes part = text.subspan(range.begin, range.end - range.begin);
        if (secrets.login && range.isText) remember(asText(part));
        hide(text, part, range.isText ? kStar : std::byte{'0'});
    }
    if (secrets.broken && word != std::string_view::npos) hide(text, text.subspan(word), kStar);
    if (secrets.login || secrets.broken) hideRemembered(text);
    return result(text);
}

Bytes SecretMask::unknown(Bytes bytes) {
    changed_ = false;
    if (hasWord(bytes)) hide(bytes, bytes, kStar);
    return result(bytes);
}

}  // namespace emissary::eta::trace
