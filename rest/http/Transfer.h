// One request on its way: its libcurl handle, its answer so far, its one redirect (credentials.md 5).
#pragma once

#include "eta/core/Clock.h"
#include "http/CurlLibrary.h"
#include "rest/HttpClient.h"

#ifdef EMISSARY_HAVE_CURL

#include <memory>

namespace emissary::rest {

/// The worker's thread only.
class Transfer {
public:
    Transfer(const CurlLibrary& curl, HttpClient::Id id, HttpRequest request, std::size_t mostBytes);
    ~Transfer();
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    [[nodiscard]] HttpClient::Id id() const noexcept { return id_; }
    [[nodiscard]] CURL* handle() const noexcept { return handle_; }
    [[nodiscard]] HttpAnswer& answer() noexcept { return answer_; }

    /// Prepares the handle for the request, or for its repetition elsewhere. False: the answer says why not.
    [[nodiscard]] bool prepare();
    /// libcurl is through with the handle. True: it is a redirect, prepare() again.
    [[nodiscard]] bool finished(CURLcode result);

private:
    struct ListFree {
        const CurlLibrary* curl;
        void operator()(curl_slist* list) const noexcept;
    };
    static std::size_t onBody(char* data, std::size_t size, std::size_t count, void* self) noexcept;
    static std::size_t onHeader(char* data, std::size_t size, std::size_t count, void* self) noexcept;
    [[nodiscard]] bool setProxy();
    void setTrust();
    void addHeader(Secret text);
    [[nodiscard]] bool redirect(const std::string& target);
    void trace(CURLcode result);

    const CurlLibrary& curl_;
    const HttpClient::Id id_;
    HttpRequest request_;
    const std::size_t mostBytes_;
    HttpAnswer answer_;
    CURL* handle_ = nullptr;
    std::unique_ptr<curl_slist, ListFree> headers_;
    std::string answerHeaders_;  // of the last answer, for the REST log
    bool tooLong_ = false, redirected_ = false;
    eta::TimePoint end_{};  // of the whole, when there is a limit
    char errorText_[CURL_ERROR_SIZE] = {};
};

}  // namespace emissary::rest

#endif
