// rest/http: libcurl, loaded by name when it is first needed (docs/adr/0015-libcurl-is-loaded-when-it-is-needed.md).
#pragma once

#include "eta/core/Refused.h"

#include <string>

#ifdef EMISSARY_HAVE_CURL
// Calls go through pointers, which the header's checks of argument types know nothing of.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
// Its macros would hide the members of these names.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

namespace emissary::rest {

/// The functions that are used of it. One for the process: it stays loaded, since its threads may run until the end.
struct CurlLibrary {
    decltype(&::curl_global_init) globalInit = nullptr;
    decltype(&::curl_easy_init) easyInit = nullptr;
    decltype(&::curl_easy_setopt) set = nullptr;
    decltype(&::curl_easy_getinfo) info = nullptr;
    decltype(&::curl_easy_strerror) describe = nullptr;
    decltype(&::curl_easy_cleanup) easyCleanup = nullptr;
    decltype(&::curl_slist_append) append = nullptr;
    decltype(&::curl_slist_free_all) freeList = nullptr;
    decltype(&::curl_multi_init) multiInit = nullptr;
    decltype(&::curl_multi_add_handle) add = nullptr;
    decltype(&::curl_multi_remove_handle) remove = nullptr;
    decltype(&::curl_multi_perform) perform = nullptr;
    decltype(&::curl_multi_poll) poll = nullptr;
    decltype(&::curl_multi_wakeup) wakeup = nullptr;
    decltype(&::curl_multi_info_read) next = nullptr;
    decltype(&::curl_multi_cleanup) multiCleanup = nullptr;

    /// Loads the library of that file name (empty: libcurl.so.4) unless it is there already: one copy serves the whole
    /// process, so a second name has no effect. Null when refused. Any thread.
    [[nodiscard]] static const CurlLibrary* load(const std::string& fileName, eta::Refused& refused);
};

}  // namespace emissary::rest
#endif
