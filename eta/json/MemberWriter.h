// Members of JSON objects, and the first failure of a conversion to JSON.
#pragma once

#include "eta/codec/Types.h"
#include "eta/core/Result.h"
#include "json/TextWriter.h"
#include "json/member_names.h"

#include <string_view>
#include <type_traits>

namespace emissary::eta::json {

/// A TextWriter that knows members: `member` is the whole text up to the value, `,"Name":`. Its copies write to one
/// place and keep one failure; functions that return bool are false after one.
class MemberWriter : public TextWriter {
public:
    MemberWriter(BeWriter& out, Error& error) noexcept : TextWriter(out), error_(&error) {}

    bool fail(Error e) noexcept {
        if (error_->ok()) *error_ = e;
        return false;
    }
    bool fail(Errc code) noexcept { return fail(Error{code, 0}); }
    [[nodiscard]] bool deeper(int depth) noexcept { return depth < codec::kMaxDepth || fail(Errc::tooDeep); }

    void flag(std::string_view member, bool value) noexcept {
        raw(member);
        raw(value ? "true" : "false");
    }
    template <class T>
    void number(std::string_view member, T value) noexcept {
        raw(member);
        if constexpr (std::is_signed_v<T>) integer(static_cast<std::int64_t>(value));
        else integer(static_cast<std::uint64_t>(value));
    }
    using TextWriter::number;
    /// The word for a number, or the number itself where there is none.
    template <std::size_t N>
    void wordValue(const WordTable<N>& table, std::uint8_t value) noexcept {
        const std::string_view text = table.textOf(value);
        if (text.empty()) return integer(std::uint64_t{value});
        raw('"');
        raw(text);
        raw('"');
    }
    template <std::size_t N>
    void word(std::string_view member, const WordTable<N>& table, std::uint8_t value) noexcept {
        raw(member);
        wordValue(table, value);
    }
    void data(std::string_view member, Bytes value) noexcept {
        raw(member);
        base64(value);
    }

private:
    Error* error_;
};

}  // namespace emissary::eta::json
