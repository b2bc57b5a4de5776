// Escapes names and values, and appends them to a form or a URL.
#include "rest/form.h"

namespace emissary::rest {

namespace {

// Only the unreserved characters of RFC 3986 section 2.3 stay as they are.
template <class Append>
void encode(std::string_view text, Append append) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '.' || c == '_' || c == '~';
        if (plain) {
            append(std::string_view(&c, 1));
            continue;
        }
        const char coded[3] = {'%', kDigits[byte >> 4], kDigits[byte & 15]};
        append(std::string_view(coded, 3));
    }
}

}  // namespace

void addMember(Secret& form, std::string_view name, std::string_view value) {
    if (!form.empty()) form.append("&");
    form.append(name).append("=");
    encode(value, [&](std::string_view part) { form.append(part); });
}

std::string withQuery(std::string url, std::string_view name, std::string_view value) {
    url += url.find('?') == std::string::npos ? '?' : '&';
    url.append(name).append("=");
    encode(value, [&](std::string_view part) { url.append(part); });
    return url;
}

}  // namespace emissary::rest
