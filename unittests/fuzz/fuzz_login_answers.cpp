// Any bytes as a line that the program of LoginCommand has written. What is taken must be within the limits of hub.md 11.1
// and fit for a log, and grant nothing unless it says so; what is refused has a reason that quotes nothing of it.
#include "hub/access/command_lines.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace emissary::hub;
using namespace emissary::hub::access;

namespace {

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// No character that ends a line or starts a sequence of a terminal.
[[nodiscard]] bool plain(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

void taken(const CommandAnswer& a, std::string_view line) {
    if (line.find("\"id\"") == line.npos && line.find('\\') == line.npos) fail("an answer without an id");
    for (const std::string* const s : {&a.user, &a.code, &a.text})
        if (!plain(*s)) fail("a text that is not fit for a log");
    if (a.user.size() > 256 || a.code.size() > 256) fail("a name that is too long");
    if (a.groups.size() > 1000) fail("too many groups");
    for (const std::string& group : a.groups)
        if (group.empty() || group.size() > 256 || !plain(group)) fail("a group that is none");
    const client::LoginVerdict v = verdictOf(a);
    if ((v.kind == client::LoginVerdict::Kind::accepted) != a.ok) fail("a verdict that is not what the answer says");
    if (!a.ok) {
        if (!v.user.empty() || !v.groups.empty() || v.lasts || v.maxLogins || v.maxMounts)
            fail("a refusal that grants something");
        return;
    }
    if (v.user != a.user || v.groups != a.groups) fail("a verdict about somebody else");
    if (v.lasts && v.lasts->count() <= 0) fail("a login that is over before it begins");
    if (v.maxLogins.has_value() != a.logins.has_value() || (v.maxLogins && *v.maxLogins != *a.logins))
        fail("another number of logins");
    if (v.maxMounts.has_value() != a.mounts.has_value() || (v.maxMounts && *v.maxMounts != *a.mounts))
        fail("another number of mounts");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    std::string why;
    if (const auto answer = readAnswer(line, why)) taken(*answer, line);
    else if (why.empty() || !plain(why)) fail("an answer is refused without a reason");
    return 0;
}
