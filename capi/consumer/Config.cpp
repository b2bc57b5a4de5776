// capi/consumer: configuration calls: each checks its argument and keeps a copy.
#include "consumer/Config.h"

#include "calls/calls.h"

#include <array>
#include <charconv>
#include <new>
#include <string_view>

using namespace emissary::capi;

namespace {

struct Name {
    const char* name;
    std::string emi_config::*member;
};
// The names are part of the interface: callers in other languages pass them as they stand in emissary.h.
constexpr std::array<Name, 8> kTexts{{{"host", &emi_config::host},
                                      {"user", &emi_config::user},
                                      {"password", &emi_config::password},
                                      {"position", &emi_config::position},
                                      {"application_id", &emi_config::applicationId},
                                      {"client_id", &emi_config::clientId},
                                      {"client_secret", &emi_config::clientSecret},
                                      {"consumer_name", &emi_config::consumerName}}};

std::uint32_t number(std::string_view name, std::string_view value, std::uint32_t least, std::uint32_t most) {
    std::uint32_t number = 0;
    const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failed != std::errc{} || end != value.data() + value.size() || number < least || number > most)
        throw Failure(EMI_E_ARGUMENT, std::string(name) + " takes a number from " + std::to_string(least) + " to " +
                                          std::to_string(most) + ", not '" + std::string(value) + "'");
    return number;
}

/// Names those that there are.
std::string unknown(std::string_view name) {
    std::string text = "no setting is called '" + std::string(name) + "'; there are ";
    for (const auto& known : kTexts)
        text.append(known.name).append(", ");
    return text + "login_timeout_ms, dispatch_max, enum_texts and websocket";
}

void set(emi_config& config, std::string_view name, std::string_view value) {
    for (const auto& known : kTexts)
        if (name == known.name) {
            config.*known.member = value;
            return;
        }
    if (name == "login_timeout_ms") {
        config.loginTimeoutMs = number(name, value, 0, 4'294'967'295);
        return;
    }
    if (name == "dispatch_max") {
        config.dispatchMax = number(name, value, 1, 1'000'000);
        return;
    }
    if (name == "enum_texts") {
        config.enumTexts = number(name, value, 0, 1) == 1;
        return;
    }
    if (name != "websocket") throw Failure(EMI_E_ARGUMENT, unknown(name));
    if (value != "json" && !value.empty())
        throw Failure(EMI_E_ARGUMENT, "websocket takes 'json' or '', not '" + std::string(value) + "'");
    config.json = value == "json";
}

}  // namespace

emi_config* emi_config_new(void) {
    // A C caller looks for null; there is no emi_error here to say more.
    return new (std::nothrow) emi_config;
}

void emi_config_free(emi_config* config) {
    delete config;
}

int emi_config_file(emi_config* config, const char* path, emi_error* error) {
    return guarded(error, [&] {
        need(config, "config");
        need(path, "path");
        if (*path == '\0') throw Failure(EMI_E_ARGUMENT, "the path of the configuration file is empty");
        config->file = path;
        // File and text exclude each other: the later call counts.
        config->hasText = false;
    });
}

int emi_config_text(emi_config* config, const char* xml, emi_error* error) {
    return guarded(error, [&] {
        need(config, "config");
        need(xml, "xml");
        config->xml = xml;
        config->hasText = true;
        config->file.clear();
    });
}

int emi_config_set(emi_config* config, const char* name, const char* value, emi_error* error) {
    return guarded(error, [&] {
        need(config, "config");
        need(name, "name");
        need(value, "value");
        set(*config, name, value);
    });
}

int emi_config_log(emi_config* config, emi_log_fn log, void* closure, emi_error* error) {
    return guarded(error, [&] {
        need(config, "config");
        // The closure stays the caller's. It has to live as long as the consumer that is opened with this
        // configuration.
        config->log = log;
        config->logClosure = closure;
    });
}
