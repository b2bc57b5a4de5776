// A WebSocket client of a hub, byte by byte: it sends the headers that browsers and proxies send, and sees close codes.
#pragma once

#include "fixture.h"

#include "reactor/json/fixture.h"

#include <cerrno>
#include <deque>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

class Browser {
public:
    /// `headers`: beyond those that every upgrade request has, each with its line end.
    Browser(HubFixture& f, std::uint16_t port, const std::string& headers = {}) : fixture_(f) {
        fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
        REQUIRE(::fcntl(fd_, F_SETFL, O_NONBLOCK) == 0);
        write("GET /WebSocket HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
              "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
              "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: tr_json2\r\n" +
              headers + "\r\n");
        fixture_.until([this] { return read() || head(); });
        if (!in_.starts_with("HTTP/1.1 101 ")) {
            fixture_.until([this] { return read(); });
            answer_ = in_;
            return;
        }
        const std::size_t end = in_.find("\r\n\r\n") + 4;
        answer_ = in_.substr(0, end);
        in_.erase(0, end);
    }
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;
    ~Browser() { ::close(fd_); }

    static std::string originOf(std::uint16_t port) {
        return "Origin: http://127.0.0.1:" + std::to_string(port) + "\r\n";
    }
    static constexpr std::uint16_t kPages = 8080;  ///< where pages come from
    /// Of the upgrade, and what follows it when it is refused.
    [[nodiscard]] const std::string& answer() const noexcept { return answer_; }
    [[nodiscard]] bool open() const noexcept { return answer_.starts_with("HTTP/1.1 101 "); }

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
            while (!messages_.empty()) {
                const json_test::Json one = messages_.front();
                messages_.pop_front();
                if (const auto* const m = one.find(member); m != nullptr && m->text == text) return one;
            }
            fixture_.until([this] {
                const bool ended = read();
                takeFrames();
                REQUIRE((!ended || !messages_.empty()));
                return !messages_.empty();
            });
        }
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

private:
    [[nodiscard]] bool head() const noexcept { return in_.find("\r\n\r\n") != std::string::npos; }
    void write(std::string_view bytes) {
        fixture_.until([&] {
            const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
            return bytes.empty() || (n < 0 && errno != EAGAIN);  // a hub that has had enough does not read the rest
        });
    }
    /// True at the end of the connection.
    bool read() {
        for (char room[4096];;) {
            const ssize_t n = ::recv(fd_, room, sizeof room, 0);
            if (n == 0 || (n < 0 && errno != EAGAIN)) return true;
            if (n < 0) return false;
            in_.append(room, static_cast<std::size_t>(n));
        }
    }
    void takeFrames() {
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
    int fd_ = -1;
    std::string in_, answer_;
    std::deque<json_test::Json> messages_;
    std::uint16_t closeCode_ = 0;
};

}  // namespace emissary::test
