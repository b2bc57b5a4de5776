// A provider of the C interface for tests, and the values that are given to it.
#pragma once

#include "emissary.h"

#include "support/catch.hpp"
#include "support/paths.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace emissary::test {

/// Of a provider that was opened with port "0".
inline std::string portOf(emi_provider* provider) {
    std::uint16_t port = 0;
    REQUIRE(emi_provider_port(provider, &port, nullptr) == EMI_OK);
    return std::to_string(port);
}

inline emi_value value(const char* name, emi_kind kind, std::int64_t number = 0, std::uint8_t hint = 0,
                       const char* text = nullptr) {
    emi_value v{};
    v.size = sizeof v;
    v.name = name;
    v.kind = static_cast<std::uint8_t>(kind);
    v.i64 = number;
    v.hint = hint;
    v.text = text;
    v.length = text == nullptr ? 0 : std::strlen(text);
    return v;
}

/// Settings of a consumer.
inline std::map<std::string, std::string> settingsFor(bool json) {
    return json ? std::map<std::string, std::string>{{"websocket", "json"}} : std::map<std::string, std::string>{};
}

/// A value inside data.
inline emi_value at(unsigned depth, emi_kind kind, const char* name = nullptr, std::int64_t number = 0,
                    const char* text = nullptr, std::uint8_t hint = 0) {
    emi_value v = value(name, kind, number, hint, text);
    v.depth = static_cast<std::uint8_t>(depth);
    return v;
}
inline emi_value entry(unsigned depth, int action, std::int64_t number = 0) {
    emi_value v = at(depth, EMI_ENTRY, nullptr, number);
    v.action = static_cast<std::uint8_t>(action);
    return v;
}

/// Data as a text: "MAP [TEXT B1 ...]", a line for each value, indented.
inline std::string shown(const emi_value* data, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        const emi_value& v = data[i];
        out += std::string(v.depth, ' ') + std::to_string(v.kind);
        if (v.role != 0) out += " summary";
        if (v.action != 0) out += " action " + std::to_string(v.action);
        if (v.fid != 0) out += " fid " + std::to_string(v.fid);
        if (*v.name != '\0') out += std::string(" ") + v.name;
        if (v.blank != 0) out += " blank";
        if (v.i64 != 0) out += " " + std::to_string(v.i64);
        if (v.hint != 0) out += " hint " + std::to_string(v.hint);
        if (v.length != 0) out += " '" + std::string(v.text, v.length) + "'";
        out += "\n";
    }
    return out;
}

/// Listens on a port of its own; closed at the end.
class CProvider {
public:
    explicit CProvider(bool json = false) {
        INFO(error.text);
        REQUIRE(emi_provider_open("0", "DIRECT_FEED", sourcePath("/etc").c_str(), json ? 1 : 0, &handle, &error) ==
                EMI_OK);
        port = portOf(handle);
    }
    ~CProvider() { emi_provider_close(handle); }
    CProvider(const CProvider&) = delete;
    CProvider& operator=(const CProvider&) = delete;

    [[nodiscard]] std::string host() const { return "localhost:" + port; }
    void publish(const char* item, const std::vector<emi_value>& values) {
        INFO(error.text);
        REQUIRE(emi_provider_publish(handle, item, values.data(), values.size(), &error) == EMI_OK);
    }
    int send(const char* item, unsigned domain, int type, const std::vector<emi_value>& data) {
        return emi_provider_send(handle, item, domain, type, data.data(), data.size(), &error);
    }

    std::string port;
    emi_error error{sizeof(emi_error), 0, {}};
    emi_provider* handle = nullptr;
};

/// A batch that is freed at the end, with its arrays.
class CBatch {
public:
    explicit CBatch(emi_batch* filled) : batch(filled) {
        view.size = sizeof view;
        REQUIRE(emi_batch_view(batch, &view, nullptr) == EMI_OK);
    }
    ~CBatch() { emi_batch_free(batch); }
    CBatch(const CBatch&) = delete;
    CBatch& operator=(const CBatch&) = delete;

    [[nodiscard]] std::string data(std::size_t row) const {
        const emi_value* values = nullptr;
        std::size_t count = 0;
        REQUIRE(emi_batch_data(batch, row, &values, &count, nullptr) == EMI_OK);
        return shown(values, count);
    }
    [[nodiscard]] emi_header header(std::size_t row) const {
        emi_header h{};
        h.size = sizeof h;
        REQUIRE(emi_batch_header(batch, row, &h, nullptr) == EMI_OK);
        return h;
    }

    [[nodiscard]] emi_column column(std::size_t index) const {
        emi_column c{};
        c.size = sizeof c;
        REQUIRE(emi_batch_column(batch, index, &c, nullptr) == EMI_OK);
        return c;
    }

    emi_batch* batch;
    emi_view view{};
};

}  // namespace emissary::test
