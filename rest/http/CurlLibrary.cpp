// Loads libcurl by file name and looks up the functions that are used.
#include "http/CurlLibrary.h"

#ifdef EMISSARY_HAVE_CURL

#include <mutex>

#include <dlfcn.h>

namespace emissary::rest {

namespace {

constexpr const char* kUsual = "libcurl.so.4";
constexpr const char* kRemedy = "; install libcurl (Debian package libcurl4), or name its file with libcurlName()";

/// The first function that is missing is in `missing` then.
template <class Function>
void find(void* library, const char* name, Function& function, const char*& missing) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr && missing == nullptr) missing = name;
}

}  // namespace

const CurlLibrary* CurlLibrary::load(const std::string& fileName, eta::Refused& refused) {
    static std::mutex mutex;
    // One library for the process, never unloaded: threads and handles of libcurl have no end that all clients know.
    static CurlLibrary loaded;     // guarded by mutex until it is complete
    static bool complete = false;  // guarded by mutex
    const std::lock_guard guard(mutex);
    if (complete) return &loaded;
    // RTLD_LOCAL: a libcurl of the program itself keeps its own symbols.
    void* const library = ::dlopen(fileName.empty() ? kUsual : fileName.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const said = ::dlerror();
        refused.text =
            std::string("libcurl is not available (") + (said != nullptr ? said : "unknown error") + ")" + kRemedy;
        return nullptr;
    }
    const char* missing = nullptr;
    find(library, "curl_global_init", loaded.globalInit, missing);
    find(library, "curl_easy_init", loaded.easyInit, missing);
    find(library, "curl_easy_setopt", loaded.set, missing);
    find(library, "curl_easy_getinfo", loaded.info, missing);
    find(library, "curl_easy_strerror", loaded.describe, missing);
    find(library, "curl_easy_cleanup", loaded.easyCleanup, missing);
    find(library, "curl_slist_append", loaded.append, missing);
    find(library, "curl_slist_free_all", loaded.freeList, missing);
    find(library, "curl_multi_init", loaded.multiInit, missing);
    find(library, "curl_multi_add_handle", loaded.add, missing);
    find(library, "curl_multi_remove_handle", loaded.remove, missing);
    find(library, "curl_multi_perform", loaded.perform, missing);
    find(library, "curl_multi_poll", loaded.poll, missing);
    find(library, "curl_multi_wakeup", loaded.wakeup, missing);
    find(library, "curl_multi_info_read", loaded.next, missing);
    find(library, "curl_multi_cleanup", loaded.multiCleanup, missing);
    if (missing != nullptr)
        // 7.68 is the first version with curl_multi_wakeup(), without which a request would wait for the poll to end.
        refused.text =
            std::string("libcurl is not available: it has no ") + missing + ", version 7.68 or later is needed";
    if (!refused && loaded.globalInit(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        refused.text = "libcurl is not available: it cannot be initialised";
    if (refused) {
        // Closed again, so that a later call may name another file.
        ::dlclose(library);
        return nullptr;
    }
    complete = true;
    return &loaded;
}

}  // namespace emissary::rest

#endif
