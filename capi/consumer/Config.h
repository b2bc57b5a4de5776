// What a consumer is opened with, kept as it was given until then.
#pragma once

#include "emissary.h"

#include <string>

/// Values in the caller's words; empty ones are not set.
struct emi_config {
    std::string file, xml;
    bool hasText = false;
    std::string host, user, password, position, applicationId, clientId, clientSecret, consumerName;
    std::string loginTimeoutMs, dispatchMax;
    bool json = false;
    emi_log_fn log = nullptr;
    void* logClosure = nullptr;
};
