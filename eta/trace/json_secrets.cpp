// Walks a JSON text without a parser and reports the values of members whose names promise a secret.
#include "trace/json_secrets.h"

#include "eta/trace/SecretMask.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

namespace emissary::eta::trace {
namespace {

/// A text between its quotation marks.
struct Text {
    std::size_t begin, end;
};

bool isScalar(std::string_view word) noexcept {
    return word == "true" || word == "false" || word == "null" ||
           word.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
}

/// Far more than a message can have.
constexpr std::size_t kMostFrames = 256;

/// An object or array that is open.
struct Frame {
    bool isObject = false, hidden = false, isLogin = false, awaitsValue = false;
    bool hasName = false, numberType = false, secretType = false;
    std::string member;        // whose value comes next
    Text name{};               // of a key
    std::vector<Text> keys{};  // names of keys inside that are secrets in a login
};

class Finder {
public:
    explicit Finder(std::string_view text) noexcept : text_(text) {}

    JsonSecrets find() {
        frames_.emplace_back();
        while (at_ < text_.size() && frames_.size() < kMostFrames)
            token();
        found_.broken = found_.broken || frames_.size() != 1;
        while (!frames_.empty())
            close();
        return std::move(found_);
    }

private:
    void token() {
        switch (const char c = text_[at_]) {
        case '{':
        case '[':
            open(c == '{');
            break;
        case '}':
        case ']':
            ++at_;
            if (frames_.size() > 1 && frames_.back().isObject == (c == '}')) close();
            else found_.broken = true;
            break;
        case ',':
            ++at_;
            frames_.back().awaitsValue = false;
            break;
        case ':':
            ++at_;
            found_.broken = found_.broken || !frames_.back().isObject || frames_.back().awaitsValue;
            frames_.back().awaitsValue = true;
            break;
        case '"':
            string();
            break;
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            ++at_;
            break;
        default:
            scalar();
        }
    }

    /// Of a value in the frame that is open.
    [[nodiscard]] bool hidden() const noexcept {
        const Frame& f = frames_.back();
        return f.hidden || (f.isObject && f.awaitsValue && isSecretElement(f.member));
    }

    void open(bool object) {
        Frame inner;
        inner.isObject = object;
        inner.hidden = hidden();
        frames_.push_back(std::move(inner));
        ++at_;
    }

    void close() {
        const Frame f = std::move(frames_.back());
        frames_.pop_back();
        if (f.isLogin) {
            found_.login = true;
            for (const Text& name : f.keys)
                hide(name);
        }
        if (f.hasName && f.secretType) hide(f.name);
        if (frames_.empty()) return;
        if (f.hasName && f.numberType) frames_.back().keys.push_back(f.name);
    }

    void hide(const Text& text) { found_.ranges.push_back({text.begin, text.end, true}); }

    void string() {
        const std::size_t begin = ++at_;
        while (at_ < text_.size() && text_[at_] != '"')
            at_ += text_[at_] == '\\' ? 2 : 1;
        found_.broken = found_.broken || at_ >= text_.size();
        const Text text{begin, std::min(at_, text_.size())};
        at_ = std::min(at_ + 1, text_.size());
        Frame& f = frames_.back();
        if (f.isObject && !f.awaitsValue) {
            f.member = plain(text);
            return;
        }
        if (hidden()) return hide(text);
        if (!f.isObject) return;
        if (f.member == "Name") f.name = text, f.hasName = true;
        else if (f.member == "Domain") f.isLogin = f.isLogin || plain(text) == "Login";
        else if (f.member == "NameType") {
            const std::string type = plain(text);
            f.secretType = type == "Token" || type == "Cookie" || type == "AuthnToken";
        }
    }

    void scalar() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && std::string_view("{}[],:\" \t\r\n").find(text_[at_]) == std::string_view::npos)
            ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        Frame& f = frames_.back();
        found_.broken = found_.broken || !isScalar(word) || (f.isObject && !f.awaitsValue);
        if (hidden()) found_.ranges.push_back({begin, at_, false});
        else if (f.isObject && f.member == "Domain") f.isLogin = f.isLogin || number(word) == 1;
        else if (f.isObject && f.member == "NameType") {
            const double type = number(word);
            f.numberType = type == 3 || type == 4 || type == 5;
        }
    }

    /// The number as readers take it (5.0 and 50e-1 are 5); 0 when it is no number.
    [[nodiscard]] static double number(std::string_view word) noexcept {
        double value = 0;
        static_cast<void>(std::from_chars(word.data(), word.data() + word.size(), value));
        return value;
    }

    /// With the escapes of ASCII characters taken back, which is enough for names.
    [[nodiscard]] std::string plain(const Text& text) const {
        const std::string_view raw = text_.substr(text.begin, text.end - text.begin);
        std::string out;
        for (std::size_t i = 0; i < raw.size(); ++i) {
            if (raw[i] != '\\' || i + 1 == raw.size()) {
                out += raw[i];
                continue;
            }
            if (raw[++i] == 'u' && i + 4 < raw.size()) {
                const std::string digits(raw.substr(i + 1, 4));
                char* end = nullptr;
                const unsigned long code = std::strtoul(digits.c_str(), &end, 16);
                if (*end == '\0' && code < 0x80) {
                    out += static_cast<char>(code);
                    i += 4;
                    continue;
                }
            }
            out += raw[i];
        }
        return out;
    }

    const std::string_view text_;
    std::size_t at_ = 0;
    std::vector<Frame> frames_;
    JsonSecrets found_;
};

}  // namespace

JsonSecrets findJsonSecrets(std::string_view text) {
    return Finder(text).find();
}

}  // namespace emissary::eta::trace
