// A WebSocket client of a hub, byte by byte: it sends the headers that browsers and proxies send, and sees close codes.
#pragma once

#include "fixture.h"

#include "reactor/json/fixture.h"

#include <cerrno>
#include <deque>

#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

class Browser {
public:
    enum class Line : std::uint8_t { plain, tls };  // whose certificate is not looked at

    /// A reader of events: GET /sse with this query.
    struct Query {
        std::string text;
    };

    /// `headers`: beyond those that every upgrade request has, each with its line end.
    Browser(HubFixture& f, std::uint16_t port, const std::string& headers = {}, Line line = Line::plain)
        : Browser(f, port,
                  "GET /WebSocket HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                      "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: tr_json2\r\n" +
                      headers + "\r\n",
                  line, false) {}
    Browser(HubFixture& f, std::uint16_t port, const Query& query, const std::string& headers = {},
            Line line = Line::plain)
        : Browser(f, port,
                  "GET /sse?" + query.text + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" + headers +
                      "\r\n",
                  line, true) {}
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;
    ~Browser() {
        ::SSL_free(ssl_);
        ::SSL_CTX_free(context_);
        ::close(fd_);
    }

    static std::string originOf(std::uint16_t port, Line line = Line::plain) {
        return std::string("Origin: http") + (line == Line::tls ? "s" : "") + "://127.0.0.1:" + std::to_string(port) +
               "\r\n";
    }
    static constexpr std::uint16_t kPages = 8080;  ///< where pages come from
    /// Of the upgrade, and what follows it when it is refused.
    [[nodiscard]] const std::string& answer() const noexcept { return answer_; }
    [[nodiscard]] bool open() const noexcept {
        return answer_.starts_with(events_ ? "HTTP/1.1 200 " : "HTTP/1.1 101 ");
    }
    /// Reader of events: the number of the last one; how many comments there were; whether the stream has ended.
    [[nodiscard]] std::uint64_t lastEvent() const noexcept { return lastEvent_; }
    std::uint64_t comments() {
        ended_ = read() || ended_;
        takeFrames();
        return comments_;
    }
    bool ended() {
        ended_ = read() || ended_;
        takeFrames();
        return ended_;
    }
    /// Its socket, for those who stop reading.
    [[nodiscard]] int fd() const noexcept { return fd_; }

    /// One text, with a mask that changes nothing.
    void send(const std::string& text) {
        std::string frame(1, '\x81');
        const std::size_t n = text.size();
        const auto length = [&](int first, int bytes) {
            frame += static_cast<char>(0x80 | first);
            for (int i = bytes - 1; i >= 0; --i)
                frame += static_cast<char>(n >> (8 * i) & 0xFF);
        };
        if (n < 126) length(static_cast<int>(n), 0);
        else if (n < 65536) length(126, 2);
        else length(127, 8);
        write(frame.append(4, '\0') + text);
    }
    void login() {
        send(R"({"ID":1,"Domain":"Login","Key":{"Name":"page"}})");
        const json_test::Json got = next("Domain", "Login");
        INFO(got.source);
        REQUIRE(got.at("State").at("Stream").text == "Open");
    }
    /// The next message that has the member with the text; others are dropped.
    json_test::Json next(const std::string& member, const std::string& text) {
        for (;;) {
            const json_test::Json one = next();
            if (const auto* const m = one.find(member); m != nullptr && m->text == text) return one;
        }
    }
    /// The next message.
    json_test::Json next() {
        if (messages_.empty())
            fixture_.until([this] {
                const bool ended = read();
                takeFrames();
                REQUIRE((!ended || !messages_.empty()));
                return !messages_.empty();
            });
        const json_test::Json one = messages_.front();
        messages_.pop_front();
        return one;
    }
    /// Of the close frame that ends the connection; 0: there was none.
    std::uint16_t closeCode() {
        fixture_.until([this] {
            const bool ended = read();
            takeFrames();
            return ended || closeCode_ != 0;
        });
        return closeCode_;
    }

    [[nodiscard]] const std::string& closeText() const noexcept { return closeText_; }

private:
    Browser(HubFixture& f, std::uint16_t port, const std::string& request, Line line, bool events)
        : fixture_(f), events_(events) {
        fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
        REQUIRE(::fcntl(fd_, F_SETFL, O_NONBLOCK) == 0);
        if (line == Line::tls) encrypt();
        write(request);
        fixture_.until([this] { return read() || head(); });
        if (!in_.starts_with(events_ ? "HTTP/1.1 200 " : "HTTP/1.1 101 ")) {
            fixture_.until([this] { return read(); });
            answer_ = in_;
            return;
        }
        const std::size_t end = in_.find("\r\n\r\n") + 4;
        answer_ = in_.substr(0, end);
        in_.erase(0, end);
    }
    [[nodiscard]] bool head() const noexcept { return in_.find("\r\n\r\n") != std::string::npos; }
    enum class Io : std::uint8_t { done, later, ended };

    void encrypt() {
        context_ = ::SSL_CTX_new(::TLS_client_method());
        REQUIRE(context_ != nullptr);
        ::SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        ssl_ = ::SSL_new(context_);
        REQUIRE((ssl_ != nullptr && ::SSL_set_fd(ssl_, fd_) == 1));
        fixture_.until([this] {
            ::ERR_clear_error();  // of others in this thread
            const Io io = outcome(::SSL_connect(ssl_));
            REQUIRE(io != Io::ended);
            return io == Io::done;
        });
    }
    /// Of what OpenSSL has returned.
    [[nodiscard]] Io outcome(int result) const {
        if (result > 0) return Io::done;
        const int why = ::SSL_get_error(ssl_, result);
        return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? Io::later : Io::ended;
    }
    /// Takes what was sent off the front.
    Io sendSome(std::string_view& bytes) {
        ssize_t n = 0;
        Io io = Io::done;
        if (ssl_ != nullptr) {
            ::ERR_clear_error();
            const int written = ::SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()));
            n = written;
            io = outcome(written);
        } else {
            n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n < 0) io = errno == EAGAIN ? Io::later : Io::ended;
        }
        if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
        return io;
    }
    void write(std::string_view bytes) {
        fixture_.until([&] {
            const Io io = sendSome(bytes);
            return bytes.empty() || io == Io::ended;  // a hub that has had enough does not read the rest
        });
    }
    /// True at the end of the connection.
    bool read() {
        for (char room[4096];;) {
            ::ERR_clear_error();
            const ssize_t n = ssl_ != nullptr ? ::SSL_read(ssl_, room, sizeof room) : ::recv(fd_, room, sizeof room, 0);
            if (n > 0) {
                in_.append(room, static_cast<std::size_t>(n));
                continue;
            }
            if (ssl_ != nullptr) return outcome(static_cast<int>(n)) == Io::ended;
            return n == 0 || errno != EAGAIN;
        }
    }
    void takeEvents() {
        for (std::size_t end; (end = in_.find("\n\n")) != std::string::npos; in_.erase(0, end + 2)) {
            const std::string event = in_.substr(0, end);
            if (event == ":") {
                ++comments_;
                continue;
            }
            const std::size_t at = event.find("data: ");
            REQUIRE(at != std::string::npos);
            const json_test::Json data = json_test::parseJson(event.substr(at + 6));
            if (event.starts_with("event: close\n")) {
                closeCode_ = static_cast<std::uint16_t>(std::stoul(data.at("Code").text));
                closeText_ = data.at("Text").text;
                continue;
            }
            REQUIRE(event.starts_with("id: " + std::to_string(++lastEvent_) + "\ndata: ["));
            messages_.insert(messages_.end(), data.items.begin(), data.items.end());
        }
    }
    void takeFrames() {
        if (events_) return takeEvents();
        const auto byte = [this](std::size_t i) { return std::size_t{static_cast<unsigned char>(in_[i])}; };
        while (in_.size() >= 2) {
            const std::size_t opcode = byte(0) & 0xF, first = byte(1);
            const std::size_t extra = first == 126 ? 2 : first == 127 ? 8 : 0;
            if (in_.size() < 2 + extra) return;
            std::size_t length = extra == 0 ? first : 0;
            for (std::size_t i = 0; i < extra; ++i)
                length = length << 8 | byte(2 + i);
            if (in_.size() - 2 - extra < length) return;
            if (opcode == 8 && length >= 2)
                closeCode_ = static_cast<std::uint16_t>(byte(2 + extra) << 8 | byte(3 + extra));
            const std::string payload = in_.substr(2 + extra, length);
            in_.erase(0, 2 + extra + length);
            if (opcode != 1) continue;
            const json_test::Json texts = json_test::parseJson(payload);
            messages_.insert(messages_.end(), texts.items.begin(), texts.items.end());
        }
    }

    HubFixture& fixture_;
    const bool events_;
    bool ended_ = false;
    std::uint64_t lastEvent_ = 0, comments_ = 0;
    std::string closeText_;
    int fd_ = -1;
    SSL_CTX* context_ = nullptr;
    SSL* ssl_ = nullptr;  // null: the connection is not encrypted
    std::string in_, answer_;
    std::deque<json_test::Json> messages_;
    std::uint16_t closeCode_ = 0;
};

}  // namespace emissary::test
