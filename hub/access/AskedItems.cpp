// A table of answers with the oldest at hand.
#include "hub/access/AskedItems.h"

#include "eta/core/bytes.h"

#include <array>
#include <new>
#include <utility>

#include <openssl/evp.h>

namespace emissary::hub::access {

namespace {

/// With the length in front, so that no two lists of texts make the same key.
void append(std::string& key, std::string_view part) {
    key += std::to_string(part.size());
    key += ' ';
    key += part;
}

/// SHA-256: peers and sources have a say in what is hashed, and none may find a second text with the same hash.
void appendHash(std::string& key, const std::string& of) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> made{};
    unsigned int size = 0;
    // It can fail for want of memory only; another key would be that of another question.
    if (::EVP_Digest(of.data(), of.size(), made.data(), &size, ::EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
    key.append(reinterpret_cast<const char*>(made.data()), size);
}

}  // namespace

std::string AskedItems::keyOf(const client::RequestAsk& ask) {
    std::string key;
    for (const std::string_view part : {ask.user, ask.service, ask.name})
        append(key, part);
    key += static_cast<char>(ask.domain);
    key += static_cast<char>(ask.nameType);
    key += ask.isPrivate ? 'p' : ' ';
    if (ask.groups.empty() && ask.permData.empty()) return key;
    // Hashed, because a user may have 1,000 groups, and a key stands in memory for every item.
    std::string rest;
    for (const std::string& group : ask.groups)
        append(rest, group);
    rest += '|';
    rest += eta::asText(ask.permData);
    appendHash(key, rest);
    return key;
}

const AskedItems::Answer* AskedItems::find(std::string_view key) const noexcept {
    const auto at = answers_.find(key);
    return at == answers_.end() ? nullptr : &at->second.answer;
}

std::size_t AskedItems::bytesOf(const std::string& key, const Answer& answer) noexcept {
    constexpr std::size_t kBeside = 200;
    return kBeside + key.size() + answer.text.size();
}

void AskedItems::dropOldest() noexcept {
    // By iterator: the key that is erased is the text that the list points to.
    const auto at = answers_.find(*order_.front());
    bytes_ -= bytesOf(at->first, at->second.answer);
    order_.pop_front();
    answers_.erase(at);
}

void AskedItems::put(const std::string& key, Answer answer) {
    if (answer.text.size() > kLongestText) answer.text.resize(kLongestText);
    answer.text.shrink_to_fit();
    auto at = answers_.find(key);
    if (at == answers_.end()) {
        at = answers_.emplace(key, Known{}).first;
        try {
            at->second.place = order_.insert(order_.end(), &at->first);
        } catch (const std::bad_alloc&) {
            answers_.erase(at);
            throw;
        }
    } else {
        bytes_ -= bytesOf(key, at->second.answer);
    }
    order_.splice(order_.end(), order_, at->second.place);
    at->second.answer = std::move(answer);
    bytes_ += bytesOf(key, at->second.answer);
    while (answers_.size() > most_ || (bytes_ > mostBytes_ && answers_.size() > 1))
        dropOldest();
}

void AskedItems::doubt() noexcept {
    for (auto& [key, known] : answers_)
        known.answer.until = {};
}

}  // namespace emissary::hub::access
