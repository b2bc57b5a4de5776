// capi/consumer: what a consumer is opened with, kept as it was given until then.
#pragma once

#include "emissary.h"

#include <cstdint>
#include <optional>
#include <string>

/// Empty values are not set.
struct emi_config {
    std::string file, xml;
    bool hasText = false;
    std::string host, user, password, position, applicationId, clientId, clientSecret, consumerName;
    std::optional<std::uint32_t> loginTimeoutMs, dispatchMax;
    bool json = false, enumTexts = false;
    emi_log_fn log = nullptr;
    void* logClosure = nullptr;
};
