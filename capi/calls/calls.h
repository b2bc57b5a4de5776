// What every call of the C interface is wrapped in: exceptions become a code and a text.
#pragma once

#include "emissary.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace emissary::capi {

/// A failure that is known here: its code, and the text for the caller.
struct Failure : std::runtime_error {
    Failure(emi_code failureCode, const std::string& text) : std::runtime_error(text), code(failureCode) {}
    emi_code code;
};

/// Fills the caller's error from the exception that is being handled, and returns its code.
int report(emi_error* error) noexcept;

/// While it lives, this thread is inside the program's log function.
class InLogFunction {
public:
    InLogFunction() noexcept { inside() = true; }
    ~InLogFunction() { inside() = false; }
    InLogFunction(const InLogFunction&) = delete;
    InLogFunction& operator=(const InLogFunction&) = delete;
    [[nodiscard]] static bool& inside() noexcept {
        thread_local bool flag = false;
        return flag;
    }
};

/// Calls `work` and lets no exception out.
template <class Work>
int guarded(emi_error* error, Work&& work) noexcept {
    try {
        // A record may come while the library holds its locks: a call from there would wait for itself.
        if (InLogFunction::inside()) throw Failure(EMI_E_USAGE, "a log function must not call this library");
        work();
        return EMI_OK;
    } catch (...) { return report(error); }
}

/// Refuses null for a handle or an argument.
inline void need(const void* pointer, const char* what) {
    if (pointer == nullptr) throw Failure(EMI_E_ARGUMENT, std::string(what) + " is null");
}

/// Refuses null, and structs whose `size` is not that of this interface or a later one.
template <class Struct>
void needSize(const Struct* given, const char* what) {
    need(given, what);
    if (given->size < sizeof(Struct))
        throw Failure(EMI_E_ARGUMENT, std::string(what) + "->size is " + std::to_string(given->size) + ", not " +
                                          std::to_string(sizeof(Struct)));
}

}  // namespace emissary::capi
