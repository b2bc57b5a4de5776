// rest/oauth: encodes and decodes on memory that is overwritten, piece by piece, and leaves no copies behind.
#include "oauth/base64url.h"

#include "eta/core/base64.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace emissary::rest {

namespace {

constexpr std::size_t kPieceBytes = 48, kPieceCharacters = 64;  // whole groups: a piece is coded by itself

/// What is coded last stays on the stack otherwise.
struct Piece {
    std::array<char, kPieceCharacters> text{};
    Piece() = default;
    ~Piece() { wipe(text.data(), text.size()); }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
};

}  // namespace

void appendBase64Url(Secret& out, std::string_view bytes) {
    out.reserve(out.size() + eta::base64Size(bytes.size(), eta::Base64::url));
    Piece piece;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(kPieceBytes, bytes.size()))) {
        const std::string_view part = bytes.substr(0, kPieceBytes);
        eta::encodeBase64(std::as_bytes(std::span(part)), piece.text.data(), eta::Base64::url);
        out.append({piece.text.data(), eta::base64Size(part.size(), eta::Base64::url)});
    }
}

bool decodeBase64Url(std::string_view text, Secret& bytes) {
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    bytes.clear();
    bytes.reserve(text.size() * 3 / 4);
    Piece piece;
    for (; !text.empty(); text.remove_prefix(std::min(kPieceCharacters, text.size()))) {
        std::size_t length = text.substr(0, kPieceCharacters).copy(piece.text.data(), kPieceCharacters);
        if (!eta::decodeBase64(piece.text.data(), length, eta::Base64::url)) return false;
        bytes.append({piece.text.data(), length});
    }
    return true;
}

}  // namespace emissary::rest
