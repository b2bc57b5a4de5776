// rest/http: prepares a libcurl handle, collects the answer, and follows a redirect within the rules.
#include "http/Transfer.h"

#ifdef EMISSARY_HAVE_CURL

#include "eta/core/Clock.h"
#include "http/RestTrace.h"

#include <algorithm>
#include <cstring>

#include <netdb.h>
#include <sys/stat.h>

namespace emissary::rest {

namespace {

constexpr std::size_t kMostHeaderBytes = 16384;  // kept for the REST log

[[nodiscard]] char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

[[nodiscard]] bool beginsWith(std::string_view text, std::string_view prefix) noexcept {
    return text.size() >= prefix.size() &&
           std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) { return a == lower(b); });
}

[[nodiscard]] bool encrypted(std::string_view url) noexcept {
    return beginsWith(url, "https://");
}

/// Host and port of a URL, as they stand there.
[[nodiscard]] std::string_view authority(std::string_view url) noexcept {
    const auto begin = url.find("://");
    if (begin == std::string_view::npos) return {};
    url.remove_prefix(begin + 3);
    return url.substr(0, url.find_first_of("/?#"));
}

/// Scheme, host and port of both are the same, a port that is left out being the scheme's.
[[nodiscard]] bool sameOrigin(std::string_view one, std::string_view other) {
    const auto origin = [](std::string_view url) {
        std::string text(url.substr(0, url.find("://") + 3));
        std::string_view host = authority(url);
        if (const auto user = host.rfind('@'); user != std::string_view::npos) host.remove_prefix(user + 1);
        text += host;
        std::ranges::transform(text, text.begin(), lower);
        const bool tls = encrypted(text);
        if (const auto colon = host.rfind(':'); colon == std::string_view::npos || host.find(']', colon) != host.npos)
            text += tls ? ":443" : ":80";
        return text;
    };
    return origin(one) == origin(other);
}

/// 0 when the text is neither a number nor the name of a service.
[[nodiscard]] long portNumber(const std::string& text) {
    if (text.empty()) return 8080;
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    if (::getaddrinfo(nullptr, text.c_str(), &hints, &found) != 0) return 0;
    char digits[8] = {};
    const int failed =
        ::getnameinfo(found->ai_addr, found->ai_addrlen, nullptr, 0, digits, sizeof digits, NI_NUMERICSERV);
    ::freeaddrinfo(found);
    return failed != 0 ? 0 : std::strtol(digits, nullptr, 10);
}

}  // namespace

void Transfer::ListFree::operator()(curl_slist* list) const noexcept {
    // Headers may have the bearer token.
    for (curl_slist* each = list; each != nullptr; each = each->next)
        wipe(each->data, std::strlen(each->data));
    curl->freeList(list);
}

Transfer::Transfer(const CurlLibrary& curl, HttpClient::Id id, HttpRequest request, std::size_t mostBytes)
    : curl_(curl), id_(id), request_(std::move(request)), mostBytes_(mostBytes), headers_(nullptr, ListFree{&curl}) {
    if (request_.timeout.count() > 0) end_ = eta::Clock::now() + request_.timeout;
}

Transfer::~Transfer() {
    if (handle_ != nullptr) curl_.easyCleanup(handle_);
}

std::size_t Transfer::onBody(char* data, std::size_t size, std::size_t count, void* self) noexcept {
    auto& t = *static_cast<Transfer*>(self);
    const std::size_t bytes = size * count;
    // Fewer bytes than offered make libcurl end the transfer.
    if (t.answer_.body.size() + bytes > t.mostBytes_) {
        t.tooLong_ = true;
        return 0;
    }
    try {
        // An exception must not pass through libcurl, which is C.
        t.answer_.body.append({data, bytes});
        return bytes;
    } catch (const std::bad_alloc&) { return 0; }
}

/// Each attempt on a kept connection, and what a proxy says, begins with a status line: only the last one counts.
std::size_t Transfer::onHeader(char* data, std::size_t size, std::size_t count, void* self) noexcept {
    auto& t = *static_cast<Transfer*>(self);
    const std::string_view line(data, size * count);
    if (t.request_.tracing == Tracing::off) return line.size();
    try {
        if (beginsWith(line, "http/")) t.answerHeaders_.clear();
        else if (t.answerHeaders_.size() + line.size() <= kMostHeaderBytes) t.answerHeaders_.append(line);
    } catch (const std::bad_alloc&) { return 0; }
    return line.size();
}

void Transfer::addHeader(Secret text) {
    // curl_slist_append() wants a text with an end.
    text.append({"", 1});
    curl_slist* const longer = curl_.append(headers_.get(), text.view().data());
    if (longer == nullptr) throw std::bad_alloc();
    // The new list contains the old one, so only one owner may free it.
    static_cast<void>(headers_.release());
    headers_.reset(longer);
}

bool Transfer::prepare() {
    if (handle_ == nullptr) handle_ = curl_.easyInit();
    if (handle_ == nullptr) {
        answer_.failure = "libcurl cannot make a handle: memory is short";
        return false;
    }
    answer_.body.clear();
    answer_.status = 0;
    answerHeaders_.clear();
    headers_.reset();
    std::memset(errorText_, 0, sizeof errorText_);
    const auto set = [this](CURLoption option, auto value) { return curl_.set(handle_, option, value) == CURLE_OK; };
    addHeader(Secret("Accept: application/json"));
    if (!request_.bodyType.empty()) addHeader(Secret("Content-Type: " + request_.bodyType));
    if (!request_.bearer.empty()) {
        Secret line("Authorization: ");
        line.append(request_.bearerType.empty() ? std::string_view("Bearer") : std::string_view(request_.bearerType));
        line.append(" ");
        addHeader(std::move(line.append(request_.bearer.view())));
    }
    bool good = set(CURLOPT_URL, request_.url.c_str()) && set(CURLOPT_NOSIGNAL, 1L) &&
                set(CURLOPT_ERRORBUFFER, errorText_) && set(CURLOPT_WRITEFUNCTION, &Transfer::onBody) &&
                set(CURLOPT_WRITEDATA, static_cast<void*>(this)) && set(CURLOPT_HEADERFUNCTION, &Transfer::onHeader) &&
                // Redirects are followed by finished(), which has rules that libcurl does not have.
                set(CURLOPT_HEADERDATA, static_cast<void*>(this)) && set(CURLOPT_FOLLOWLOCATION, 0L) &&
                // HTTP/1.1 in all versions of libcurl: newer ones would choose HTTP/2 by themselves.
                set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1)) &&
                set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate") && set(CURLOPT_USERAGENT, "Emissary") &&
                set(CURLOPT_TCP_NODELAY, 1L);
    if (!request_.form.empty())
        good = good && set(CURLOPT_POST, 1L) &&
               set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.form.size())) &&
               set(CURLOPT_POSTFIELDS, request_.form.view().data());  // not copied: the form stays here
    else good = good && set(CURLOPT_HTTPGET, 1L);
    good = good && set(CURLOPT_HTTPHEADER, headers_.get());
    if (request_.timeout.count() > 0) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - eta::Clock::now());
        // The limit is for the whole request, with its redirect. 0 would mean "no limit" to libcurl.
        good = good && set(CURLOPT_TIMEOUT_MS, std::max<long>(left.count(), 1));
    }
    if (!request_.route.interfaceName.empty())
        good = good && set(CURLOPT_INTERFACE, request_.route.interfaceName.c_str());
    // A look-up that hangs must not hold up the end of the process; versions before 7.87 do not know it.
    static_cast<void>(set(static_cast<CURLoption>(CURLOPTTYPE_LONG + 322), 1L));  // CURLOPT_QUICK_EXIT
    setTrust();
    if (!setProxy()) return false;
    if (!good) answer_.failure = "libcurl refuses the options of the request";
    return good;
}

void Transfer::setTrust() {
    const auto set = [this](CURLoption option, auto value) { static_cast<void>(curl_.set(handle_, option, value)); };
    // Neither can be switched off: a token sent to the wrong host is lost.
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    const std::string& store = request_.route.caStore;
    if (store.empty()) return;
    // Whichever of the two is not given must not keep the system's certificates trusted.
    struct stat what {};
    const bool folder = ::stat(store.c_str(), &what) == 0 && S_ISDIR(what.st_mode);
    const char* const none = nullptr;
    set(CURLOPT_CAINFO, folder ? none : store.c_str());
    set(CURLOPT_CAPATH, folder ? store.c_str() : none);
}

bool Transfer::setProxy() {
    const auto set = [this](CURLoption option, auto value) { return curl_.set(handle_, option, value) == CURLE_OK; };
    const HttpRoute& route = request_.route;
    // Not even one that the environment names.
    if (route.proxyHost.empty()) return set(CURLOPT_PROXY, "") && set(CURLOPT_NOPROXY, "*");
    const long port = portNumber(route.proxyPort);
    if (port == 0) {
        answer_.failure = "the proxy's port '" + route.proxyPort + "' is neither a number nor the name of a service";
        return false;
    }
    std::string host = route.proxyHost;
    if (host.find("://") == std::string::npos) host.insert(0, "http://");
    bool good = set(CURLOPT_PROXY, host.c_str()) && set(CURLOPT_PROXYPORT, port) && set(CURLOPT_NOPROXY, "") &&
                set(CURLOPT_PROXYAUTH,
                    static_cast<long>(CURLAUTH_BASIC | CURLAUTH_DIGEST | CURLAUTH_NTLM | CURLAUTH_NEGOTIATE));
    if (!route.proxyUser.empty()) {
        const std::string user =
            route.proxyDomain.empty() ? route.proxyUser : route.proxyDomain + "\\" + route.proxyUser;
        Secret password = route.proxyPassword;
        password.append({"", 1});
        good = good && set(CURLOPT_PROXYUSERNAME, user.c_str()) && set(CURLOPT_PROXYPASSWORD, password.view().data());
    }
    if (!good) answer_.failure = "libcurl refuses the proxy " + route.proxyHost + ":" + route.proxyPort;
    return good;
}

bool Transfer::finished(CURLcode result) {
    long status = 0;
    static_cast<void>(curl_.info(handle_, CURLINFO_RESPONSE_CODE, &status));
    answer_.status = result == CURLE_OK ? static_cast<int>(status) : 0;
    if (tooLong_) answer_.failure = "the answer is longer than " + std::to_string(mostBytes_) + " bytes";
    else if (result != CURLE_OK) answer_.failure = errorText_[0] != '\0' ? errorText_ : curl_.describe(result);
    trace(result);
    if (result != CURLE_OK) {
        answer_.body.clear();
        return false;
    }
    const bool get = request_.form.empty();
    // 303 changes a POST into a GET, and then the form would not arrive: such an answer is the last one.
    if (status != 301 && status != 302 && status != 307 && status != 308 && !(status == 303 && get)) return false;
    char* target = nullptr;  // resolved against the request's URL; belongs to the handle
    static_cast<void>(curl_.info(handle_, CURLINFO_REDIRECT_URL, &target));
    if (target == nullptr || *target == '\0') return false;
    return redirect(target);
}

/// 5.1: once, and never to where others can listen.
bool Transfer::redirect(const std::string& target) {
    if (redirected_) {
        answer_.failure = kTooManyRedirects;
        return false;
    }
    if (request_.sameOrigin && !sameOrigin(target, request_.url)) {
        answer_.failure = kRedirectElsewhere;
        return false;
    }
    // A plain URL may redirect to itself in plain (a test server); everything else has to be encrypted.
    const bool elsewhere = authority(target) != authority(request_.url);
    if (!encrypted(target) && (encrypted(request_.url) || elsewhere || !beginsWith(target, "http://"))) {
        answer_.failure = "redirect to an insecure URL";
        return false;
    }
    redirected_ = true;
    // Permanent moves are kept by the caller, which asks there the next time.
    if (answer_.status == 301 || answer_.status == 308) answer_.movedTo = target;
    request_.url = target;
    return true;
}

void Transfer::trace(CURLcode result) {
    if (request_.tracing == Tracing::off) return;
    answer_.trace.push_back(traceOf(request_));
    if (result != CURLE_OK || tooLong_) {
        long system = 0;
        static_cast<void>(curl_.info(handle_, CURLINFO_OS_ERRNO, &system));
        answer_.trace.push_back(traceOfFailure(answer_.failure, result, system));
    } else {
        answer_.trace.push_back(traceOf(answer_, answerHeaders_, request_.tracing));
    }
}

}  // namespace emissary::rest

#endif
