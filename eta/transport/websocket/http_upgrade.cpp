// Parses and writes the heads of upgrade and CONNECT requests and of their answers.
#include "transport/websocket/http_upgrade.h"

#include "eta/core/printable.h"
#include "transport/tls/TlsContext.h"
#include "transport/websocket/header_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <openssl/evp.h>
#include <openssl/rand.h>

namespace emissary::eta::transport::ws {
namespace {

constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::string_view kPath = "/WebSocket", kEvents = "/sse";
constexpr std::size_t kMaxRefusalText = 1024;
constexpr std::string_view kRetryAfter = "Retry-After: 5\r\n";

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
bool equal(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}
/// Commas separate, case does not matter; whole tokens only.
bool hasToken(std::string_view list, std::string_view token) noexcept {
    while (!list.empty())
        if (equal(cut(list, ','), token)) return true;
    return false;
}

std::string base64(const unsigned char* data, std::size_t size) {
    std::string out(4 * ((size + 2) / 3) + 1, '\0');
    const int n = ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), data, static_cast<int>(size));
    out.resize(static_cast<std::size_t>(n));
    return out;
}

/// 16 octets in base64 are 22 characters and "==", and the last character carries 2 bits only.
bool isKey(std::string_view key) noexcept {
    if (key.size() != 24 || !key.ends_with("==")) return false;
    return std::all_of(key.begin(), key.end() - 2,
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/'; });
}

struct Field {
    std::string_view name, value;
};
struct Head {
    Progress progress = Progress::needMore;
    std::size_t consumed = 0;
    int status = 400;
    std::string reason;
    std::string_view first;
    std::vector<Field> fields;

    [[nodiscard]] std::size_t count(std::string_view name) const noexcept {
        return static_cast<std::size_t>(
            std::count_if(fields.begin(), fields.end(), [&](const Field& f) { return equal(f.name, name); }));
    }
    /// Fields of one name mean the same as one with commas.
    [[nodiscard]] std::string all(std::string_view name, char separator = ',') const {
        std::string joined;
        for (const Field& f : fields) {
            if (!equal(f.name, name)) continue;
            if (!joined.empty()) joined += separator;
            joined += f.value;
        }
        return joined;
    }
};

Head bad(int status, std::string reason) {
    Head h;
    h.progress = Progress::bad;
    h.status = status;
    h.reason = std::move(reason);
    return h;
}

Head tooManyLines(std::size_t most) {
    return bad(431, "HTTP header of more than " + std::to_string(most) + " lines");
}

/// First line and headers, which are views of `in`: needMore without an empty line behind them, bad above a limit.
Head parseHead(std::string_view in, std::size_t maxBytes = kMaxHttpHeader, std::size_t maxLines = kMaxHttpLines) {
    const std::size_t end = in.find("\r\n\r\n");
    const std::size_t size = end == std::string_view::npos ? in.size() : end + 4;
    if (size > maxBytes) return bad(431, "HTTP header above " + std::to_string(maxBytes) + " bytes");
    if (in.find('\0') < size) return bad(400, "HTTP header with a zero byte");
    if (end == std::string_view::npos) {
        if (static_cast<std::size_t>(std::count(in.begin(), in.end(), '\n')) > maxLines) return tooManyLines(maxLines);
        return {};
    }
    Head h;
    h.progress = Progress::complete;
    h.consumed = size;
    std::string_view rest = in.substr(0, end);
    for (bool first = true; first || !rest.empty(); first = false) {
        const std::size_t at = rest.find("\r\n");
        const std::string_view line = rest.substr(0, at);
        rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 2);
        if (line.find_first_of("\r\n") != std::string_view::npos) return bad(400, "HTTP header with a bare line end");
        if (first) {
            h.first = line;
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0) return bad(400, "HTTP header line without a name");
        const std::string_view name = line.substr(0, colon);
        if (name.find_first_of(" \t") != std::string_view::npos) return bad(400, "blank in an HTTP header name");
        h.fields.push_back({name, trim(line.substr(colon + 1))});
        if (h.fields.size() >= maxLines) return tooManyLines(maxLines);
    }
    return h;
}

/// The path begins with /WebSocket; behind a proxy a segment of it does.
bool leadsHere(std::string_view path, bool anyPrefix) noexcept {
    path = path.substr(0, path.find('?'));
    for (;;) {
        if (path.size() >= kPath.size() && equal(path.substr(0, kPath.size()), kPath)) return true;
        const std::size_t next = path.find('/', 1);
        if (!anyPrefix || next == std::string_view::npos) return false;
        path.remove_prefix(next);
    }
}

/// The path is /sse; behind a proxy it ends so. `query` is what follows it.
bool isEvents(std::string_view target, bool anyPrefix, std::string_view& query) noexcept {
    const std::string_view path = target.substr(0, target.find('?'));
    query = target.substr(std::min(path.size() + 1, target.size()));
    return anyPrefix ? path.ends_with(kEvents) : path == kEvents;
}

bool windowBits(std::string_view text, int& bits) noexcept {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    bits = 0;
    if (text.empty() || text.size() > 2 || text.front() == '0') return false;
    for (const char c : text) {
        if (c < '0' || c > '9') return false;
        bits = bits * 10 + (c - '0');
    }
    return bits >= 8 && bits <= 15;
}

/// The parameters of one permessage-deflate element. False: malformed, or more than we can do.
bool deflateParameters(std::string_view parameters, bool fromServer, Deflate& d) {
    bool serverBits = false, clientBits = false;
    d = {};
    while (!parameters.empty()) {
        std::string_view one = cut(parameters, ';');
        const bool valued = one.find('=') != std::string_view::npos;
        const std::string_view name = cut(one, '=');
        int bits = 0;
        if (equal(name, "server_no_context_takeover")) {
            if (valued || std::exchange(d.serverForgets, true)) return false;
        } else if (equal(name, "client_no_context_takeover")) {
            if (valued || std::exchange(d.clientForgets, true)) return false;
        } else if (equal(name, "server_max_window_bits")) {
            if (std::exchange(serverBits, true) || !windowBits(trim(one), bits)) return false;
            if (!fromServer && bits != 15) return false;  // we send with the full window
        } else if (equal(name, "client_max_window_bits")) {
            if (fromServer) return false;  // never offered
            if (std::exchange(clientBits, true) || (valued && !windowBits(trim(one), bits))) return false;
        } else {
            return false;
        }
    }
    d.enabled = true;
    return true;
}

std::string extensionHeader(const Deflate& d) {
    std::string s = "Sec-WebSocket-Extensions: permessage-deflate";
    if (d.serverForgets) s += ";server_no_context_takeover";
    if (d.clientForgets) s += ";client_no_context_takeover";
    return s + "\r\n";
}

}  // namespace

std::optional<Protocol> protocolNamed(std::string_view name) noexcept {
    if (name == "rssl.rwf" || name == "tr_rwf") return Protocol::rwf;
    if (name == "tr_json2" || name == "rssl.json.v2") return Protocol::json;
    return std::nullopt;
}

std::vector<std::string_view> splitProtocols(std::string_view list) {
    std::vector<std::string_view> names;
    while (!list.empty()) {
        const std::size_t at = list.find_first_of(" \t,");
        if (at != 0) names.push_back(list.substr(0, at));
        list.remove_prefix(at == std::string_view::npos ? list.size() : at + 1);
    }
    return names;
}

bool servesJson(std::string_view list) {
    return std::ranges::any_of(splitProtocols(list),
                               [](std::string_view name) { return protocolNamed(name) == Protocol::json; });
}

Refused checkProtocols(std::string_view list) {
    const auto names = splitProtocols(list);
    if (names.empty()) return {"WsProtocols is empty: name tr_json2, rssl.json.v2 or rssl.rwf"};
    for (const std::string_view name : names)
        if (!protocolNamed(name))
            return {"WsProtocols names \"" + std::string(name) + "\": known are tr_json2, rssl.json.v2 and rssl.rwf"};
    return {};
}

std::string acceptValue(std::string_view key) {
    keepOpenssl();
    const std::string in = std::string(key) + std::string(kGuid);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    ::EVP_Digest(in.data(), in.size(), digest, &size, ::EVP_sha1(), nullptr);
    return base64(digest, size);
}

std::string makeKey() {
    keepOpenssl();
    std::array<unsigned char, 16> random{};
    static_cast<void>(::RAND_bytes(random.data(), static_cast<int>(random.size())));
    return base64(random.data(), random.size());
}

// --- server ----------------------------------------------------------------------------------------------------------

UpgradeRequest parseUpgradeRequest(std::string_view in, const RequestLimits& limits) {
    UpgradeRequest r;
    Head h = parseHead(in, limits.bytes, limits.lines);
    const auto refuse = [&](int status, std::string reason) {
        r.progress = Progress::bad;
        r.status = status;
        r.reason = std::move(reason);
        return r;
    };
    if (h.progress == Progress::needMore) return r;
    if (h.progress == Progress::bad) return refuse(h.status, std::move(h.reason));

    std::string_view line = h.first;
    const std::string_view method = cut(line, ' '), path = cut(line, ' '), version = trim(line);
    std::string_view query;
    r.events = limits.events && isEvents(path, limits.anyPrefix, query);
    r.preflight = r.events && method == "OPTIONS";
    if (method != "GET" && !r.preflight) return refuse(400, "HTTP method " + std::string(method) + ", GET is expected");
    if (version != "HTTP/1.1") return refuse(400, "HTTP version \"" + std::string(version) + "\"");
    if (!r.events && !leadsHere(path, limits.anyPrefix))
        return refuse(404, "path \"" + std::string(path.substr(0, std::min<std::size_t>(path.find('?'), 80))) +
                               "\", /WebSocket is expected");
    for (const char* const once : {"Sec-WebSocket-Key", "Sec-WebSocket-Version", "Host", "Origin"})
        if (h.count(once) > 1) return refuse(400, std::string("header ") + once + " occurs twice");
    if (h.count("Host") == 0) return refuse(400, "no Host");
    if (const std::string length = h.all("Content-Length");
        (!length.empty() && length != "0") || h.count("Transfer-Encoding") != 0)
        return refuse(400, "upgrade request with a body");
    r.path = path;
    r.host = h.all("Host");
    if (h.count("Origin") != 0) r.origin = h.all("Origin");
    r.forwardedFor = h.all("X-Forwarded-For");
    r.cookies = h.all("Cookie", ';');
    r.progress = Progress::complete;
    r.consumed = h.consumed;
    if (r.events) {
        if (h.count("Authorization") > 1) return refuse(400, "header Authorization occurs twice");
        r.query = query;
        r.authorization = h.all("Authorization");
        r.site = h.all("Sec-Fetch-Site");
        return r;
    }
    if (!hasToken(h.all("Upgrade"), "websocket")) return refuse(400, "no \"Upgrade: websocket\"");
    if (!hasToken(h.all("Connection"), "Upgrade")) return refuse(400, "no \"Connection: Upgrade\"");
    if (const std::string v = h.all("Sec-WebSocket-Version"); v != "13")
        return refuse(426, v.empty() ? "no Sec-WebSocket-Version" : "Sec-WebSocket-Version " + v.substr(0, 20));
    r.key = h.all("Sec-WebSocket-Key");
    if (!isKey(r.key))
        return refuse(400, r.key.empty() ? "no Sec-WebSocket-Key" : "Sec-WebSocket-Key is not 16 octets");
    const std::string offered = h.all("Sec-WebSocket-Protocol");
    for (std::string_view rest = offered; !rest.empty();)
        if (const std::string_view name = cut(rest, ','); !name.empty()) r.protocols.emplace_back(name);
    const std::string extensions = h.all("Sec-WebSocket-Extensions");
    for (std::string_view rest = extensions; !rest.empty() && !r.deflate.enabled;) {
        std::string_view element = cut(rest, ',');
        if (equal(cut(element, ';'), "permessage-deflate") && !deflateParameters(element, false, r.deflate))
            r.deflate = {};
    }
    return r;
}

std::optional<std::string> chooseProtocol(std::string_view ownList, const std::vector<std::string>& offered) {
    for (const std::string_view own : splitProtocols(ownList)) {
        const auto kind = protocolNamed(own);
        for (const std::string& name : offered)
            if (kind && protocolNamed(name) == kind) return name;
    }
    return std::nullopt;
}

std::string acceptAnswer(std::string_view key, std::string_view protocol, const Deflate& deflate) {
    std::string s = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Accept: " +
                    acceptValue(key) + "\r\nSec-WebSocket-Protocol: " + std::string(protocol) + "\r\n";
    if (deflate.enabled) s += extensionHeader(deflate);
    return s + "\r\n";
}

std::string refusal(int status, std::string_view why) {
    const char* const text = status == 403   ? "403 Forbidden"
                             : status == 404 ? "404 Not Found"
                             : status == 426 ? "426 Upgrade Required"
                             : status == 429 ? "429 Too Many Requests"
                             : status == 431 ? "431 Request Header Fields Too Large"
                             : status == 503 ? "503 Service Unavailable"
                                             : "400 Bad Request";
    std::string s = std::string("HTTP/1.1 ") + text +
                    (why.empty() ? "\r\nContent-Type: text/html; charset=UTF-8\r\n"
                                 : "\r\nContent-Type: text/plain; charset=UTF-8\r\n");
    if (status == 426) s += "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    if (status == 429 || status == 503) s += kRetryAfter;
    why = why.substr(0, kMaxRefusalText);
    return s + "Connection: close\r\nContent-Length: " + std::to_string(why.size()) + "\r\n\r\n" + std::string(why);
}

// --- client ----------------------------------------------------------------------------------------------------------

std::string upgradeRequest(std::string_view host, std::string_view port, std::string_view path, std::string_view key,
                           std::string_view protocols, bool offerDeflate, std::string_view cookies) {
    std::string names;
    for (const std::string_view name : splitProtocols(protocols)) {
        const std::string_view wire = protocolNamed(name) == Protocol::json ? "tr_json2" : name;
        if (hasToken(names, wire)) continue;
        if (!names.empty()) names += ", ";
        names += wire;
    }
    const bool v6 = host.find(':') != std::string_view::npos;
    std::string s = "GET " + std::string(path.empty() ? kPath : path) + " HTTP/1.1\r\nHost: ";
    s += v6 ? "[" + std::string(host) + "]" : std::string(host);
    s += ":" + std::string(port) +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + std::string(key) +
         "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: " + names + "\r\n";
    if (offerDeflate) {
        Deflate d;
        d.serverForgets = true;
        s += extensionHeader(d);
    }
    // A line end would begin another header.
    cookies = cookies.substr(0, cookies.find_first_of("\r\n"));
    if (!cookies.empty()) s.append("Cookie: ").append(cookies).append("\r\n");
    return s + "\r\n";
}

UpgradeAnswer parseUpgradeAnswer(std::string_view in, std::string_view key, std::string_view protocols,
                                 bool offeredDeflate) {
    UpgradeAnswer a;
    const auto refuse = [&](std::string reason) {
        a.progress = Progress::bad;
        a.reason = std::move(reason);
        return a;
    };
    constexpr std::string_view expected = "HTTP/1.";
    if (!std::string_view(in).starts_with(expected.substr(0, std::min(in.size(), expected.size()))))
        return refuse(in.starts_with("\x15\x03")
                          ? "server answered with a TLS alert: its port is encrypted, use RSSL_ENCRYPTED"
                          : "server does not speak HTTP on this port");
    Head h = parseHead(in);
    if (h.progress == Progress::needMore) return a;
    if (h.progress == Progress::bad) return refuse(std::move(h.reason));
    std::string_view line = h.first;
    (void)cut(line, ' ');
    if (line.starts_with("403") && h.all("Content-Type").starts_with("text/plain")) {
        const std::string length = h.all("Content-Length");
        std::size_t size = 0;
        const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), size);
        if (error == std::errc() && end == length.data() + length.size() && size != 0 && size <= kMaxRefusalText) {
            if (in.size() - h.consumed < size) return a;
            a.refused = true;
            std::string text(in.substr(h.consumed, size));
            for (char& c : text)
                if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = ' ';  // it goes into logs
            return refuse("refused: " + text);
        }
    }
    if (!line.starts_with("101"))
        return refuse("server refused the WebSocket upgrade: " + std::string(line.substr(0, 80)));
    if (!hasToken(h.all("Upgrade"), "websocket")) return refuse("upgrade answer without \"Upgrade: websocket\"");
    if (!hasToken(h.all("Connection"), "Upgrade")) return refuse("upgrade answer without \"Connection: Upgrade\"");
    if (h.all("Sec-WebSocket-Accept") != acceptValue(key)) return refuse("upgrade answer with a wrong accept value");
    a.protocol = h.all("Sec-WebSocket-Protocol");
    const auto kind = protocolNamed(a.protocol);
    const auto names = splitProtocols(protocols);
    if (!kind || std::none_of(names.begin(), names.end(), [&](std::string_view n) { return protocolNamed(n) == kind; }))
        return refuse("server chose sub-protocol \"" + a.protocol.substr(0, 80) + "\", which was not offered");
    if (const std::string extensions = h.all("Sec-WebSocket-Extensions"); !extensions.empty()) {
        std::string_view rest = extensions;
        std::string_view element = cut(rest, ',');
        if (!offeredDeflate || !rest.empty() || !equal(cut(element, ';'), "permessage-deflate") ||
            !deflateParameters(element, true, a.deflate))
            return refuse("server chose an extension that was not offered: " + extensions.substr(0, 80));
    }
    a.progress = Progress::complete;
    a.consumed = h.consumed;
    return a;
}

// --- proxies ---------------------------------------------------------------------------------------------------------

std::string connectRequest(std::string_view host, std::string_view port, std::string_view user,
                           std::string_view password) {
    const bool v6 = host.find(':') != std::string_view::npos;
    const std::string to = (v6 ? "[" + std::string(host) + "]" : std::string(host)) + ":" + std::string(port);
    std::string s = "CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\nProxy-Connection: Keep-Alive\r\n";
    if (!user.empty()) {
        const std::string pair = std::string(user) + ":" + std::string(password);
        s += "Proxy-Authorization: Basic " + base64(reinterpret_cast<const unsigned char*>(pair.data()), pair.size()) +
             "\r\n";
    }
    return s + "\r\n";
}

ConnectAnswer parseConnectAnswer(std::string_view in) {
    ConnectAnswer a;
    Head h = parseHead(in);
    a.progress = h.progress;
    a.consumed = h.consumed;
    if (h.progress == Progress::bad) a.reason = "proxy: " + h.reason;
    if (h.progress != Progress::complete) return a;
    std::string_view line = h.first;
    const std::string_view version = cut(line, ' ');
    if (version.starts_with("HTTP/1.") && line.size() >= 3 && line[0] == '2') return a;
    a.progress = Progress::bad;
    a.reason = "proxy refused the connection: " + printable(h.first.substr(0, 120));
    return a;
}

}  // namespace emissary::eta::transport::ws
