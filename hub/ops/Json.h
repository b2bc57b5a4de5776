// hub/ops: writes JSON text: objects and arrays in the order of the calls.
#pragma once

#include "eta/core/json_escapes.h"
#include "eta/core/printable.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace emissary::hub::ops {

/// Values follow each other with commas by themselves. Texts may hold anything: what is no UTF-8 or a control character
/// is spelled out.
class Json {
public:
    Json& object(std::string_view name = {}) { return open(name, '{'); }
    Json& array(std::string_view name = {}) { return open(name, '['); }
    Json& end() {
        out_ += closers_.back();
        closers_.pop_back();
        first_ = false;
        return *this;
    }
    Json& value(std::string_view name, std::string_view text) {
        begin(name);
        quoted(text);
        return *this;
    }
    Json& value(std::string_view name, const char* text) { return value(name, std::string_view(text)); }
    Json& value(std::string_view name, bool flag) { return raw(name, flag ? "true" : "false"); }
    template <class Number>
    requires(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>) Json& value(std::string_view name,
                                                                                        Number number) {
        return raw(name, std::to_string(number));
    }
    /// Ready JSON.
    Json& raw(std::string_view name, std::string_view json) {
        begin(name);
        out_ += json;
        return *this;
    }
    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    Json& open(std::string_view name, char bracket) {
        begin(name);
        out_ += bracket;
        closers_ += bracket == '{' ? '}' : ']';
        first_ = true;
        return *this;
    }
    void begin(std::string_view name) {
        if (!first_) out_ += ',';
        first_ = false;
        if (name.empty()) return;
        quoted(name);
        out_ += ':';
    }
    void quoted(std::string_view text) { eta::appendJsonString(out_, eta::printable(text)); }

    std::string out_, closers_;
    bool first_ = true;
};

}  // namespace emissary::hub::ops
