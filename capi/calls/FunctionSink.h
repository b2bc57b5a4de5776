// capi/calls: log records of the library for a function of the caller.
#pragma once

#include "calls/calls.h"

#include "emissary/LogSink.h"

#include <mutex>
#include <string>

namespace emissary::capi {

/// Hands log records to a C function, or drops them.
class FunctionSink final : public emissary::LogSink {
public:
    FunctionSink(emi_log_fn log, void* closure) noexcept : log_(log), closure_(closure) {}
    void write(const emissary::LogRecord& record) override {
        if (log_ == nullptr) return;
        const std::lock_guard oneAtATime(lock_);
        const InLogFunction inside;
        log_(closure_, static_cast<int>(record.severity), std::string(record.component).c_str(),
             std::string(record.text).c_str());
    }

private:
    std::mutex lock_;  // of calls: the library makes one at a time, and this interface has records of its own
    emi_log_fn log_;
    void* closure_;
};

}  // namespace emissary::capi
