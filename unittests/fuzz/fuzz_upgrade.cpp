// Any bytes as the HTTP part of a WebSocket connection. The first byte chooses: a request to our server (what it
// accepts must get an answer that our client accepts), an answer to our client, or a proxy's answer.
#include "transport/websocket/http_upgrade.h"

#include <cstdlib>

using namespace emissary::eta::transport;

namespace {

constexpr std::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";
constexpr std::string_view kAll = "tr_json2, rssl.rwf, rssl.json.v2";

template <class Parsed>
void check(const Parsed& p, std::string_view in) {
    if (p.progress == ws::Progress::bad && p.reason.empty()) std::abort();
    if (p.progress == ws::Progress::complete && (p.consumed == 0 || p.consumed > in.size())) std::abort();
    if (p.progress == ws::Progress::needMore && in.size() > ws::kMaxHttpHeader) std::abort();
}

void request(std::string_view in) {
    const ws::UpgradeRequest r = ws::parseUpgradeRequest(in);
    check(r, in);
    if (r.progress == ws::Progress::bad && ws::refusal(r.status).find("\r\n\r\n") == std::string::npos) std::abort();
    if (r.progress != ws::Progress::complete) return;
    const auto chosen = ws::chooseProtocol(kAll, r.protocols);
    if (!chosen) return;
    const std::string answer = ws::acceptAnswer(r.key, *chosen, r.deflate);
    const auto a = ws::parseUpgradeAnswer(answer, r.key, kAll, r.deflate.enabled);
    if (a.progress != ws::Progress::complete || a.protocol != *chosen || a.consumed != answer.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view in(reinterpret_cast<const char*>(data + 1), size - 1);
    switch (data[0] % 3) {
    case 0:
        request(in);
        break;
    case 1:
        check(ws::parseUpgradeAnswer(in, kKey, kAll, (data[0] & 0x80) != 0), in);
        break;
    default:
        check(ws::parseConnectAnswer(in), in);
        break;
    }
    return 0;
}
