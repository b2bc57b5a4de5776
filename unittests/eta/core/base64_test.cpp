// Both forms of base64: the vectors of RFC 4648, every length, and texts that are not of the form.
#include "eta/core/base64.h"
#include "support/catch.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

using namespace emissary::eta;

namespace {

std::string coded(std::string_view bytes, Base64 form) {
    std::string text(base64Size(bytes.size(), form), '!');
    encodeBase64(std::as_bytes(std::span(bytes)), text.data(), form);
    return text;
}

/// "refused" when it is not of the form; then nothing may have been changed.
std::string decoded(const std::string& text, Base64 form) {
    std::string bytes = text;
    std::size_t length = bytes.size();
    if (!decodeBase64(bytes.data(), length, form)) {
        CHECK(bytes == text);
        CHECK(length == text.size());
        return "refused";
    }
    return bytes.substr(0, length);
}

}  // namespace

TEST_CASE("base64 codes the vectors of RFC 4648", "[eta][core]") {
    const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : vectors) {
        CHECK(coded(bytes, Base64::standard) == text);
        CHECK(decoded(text, Base64::standard) == bytes);
        const std::string bare(std::string_view(text).substr(0, std::string_view(text).find('=')));
        CHECK(coded(bytes, Base64::url) == bare);
        CHECK(decoded(bare, Base64::url) == bytes);
    }
    CHECK(coded("\xFB\xEF\xFF", Base64::standard) == "++//");
    CHECK(coded("\xFB\xEF\xFF", Base64::url) == "--__");
}

TEST_CASE("base64 gives back every byte at every length", "[eta][core]") {
    std::string bytes;
    for (unsigned n = 0; n < 600; ++n) {
        for (const Base64 form : {Base64::standard, Base64::url})
            if (decoded(coded(bytes, form), form) != bytes) FAIL("of " << n << " bytes");
        bytes += static_cast<char>(static_cast<unsigned char>(n * 7));
    }
}

TEST_CASE("texts that are no base64 are refused", "[eta][core]") {
    for (const char* text :
         {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zg==Zg==", "Zm9v=", "Zm-_", "Zm 9", "Zm9\x80"})
        CHECK(decoded(text, Base64::standard) == "refused");
    for (const char* text : {"Z", "Zm9vZ", "Zg==", "Zm8=", "=", "Zm+/", "Zm 9"})
        CHECK(decoded(text, Base64::url) == "refused");
}
