// The pages of a fixture's hub, as hub/main makes them, asked by another thread while the test's thread dispatches.
#pragma once

#include "../../perftools/TempDir.h"
#include "hub/ops/Captures.h"
#include "hub/ops/Pages.h"
#include "late_reader.h"
#include "reactor/metrics/Snapshot.h"
#include "support/http_get.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

namespace emissary::test {

/// A folder for captures, which is there before the hub.
struct CapturesFixture {
    perf::test::TempDir dir;
    ops::CaptureFiles captures{dir.file("").substr(0, dir.file("").size() - 1), kMostBytes};
    static constexpr std::uint64_t kMostBytes = 100'000;

    /// All that was written.
    [[nodiscard]] std::string captured() const {
        std::string all;
        for (const auto& file : std::filesystem::directory_iterator(dir.file(""))) {
            std::ifstream in(file.path());
            all.append(std::istreambuf_iterator<char>(in), {});
        }
        return all;
    }
};

/// A whole hub with a second port, and calls to it.
struct CallsFixture : CapturesFixture, HubFixture {
    /// Nobody waits for the time that passes.
    struct Time final : reactor::TimeSource {
        [[nodiscard]] eta::TimePoint now() const noexcept override { return TimeSource::now() + ahead.load(); }
        std::atomic<eta::Duration> ahead{eta::Duration::zero()};
    };

    explicit CallsFixture(bool isJson, Time* time = nullptr, const std::function<void(HubSettings&)>& change = {})
        : HubFixture(
              [&](HubSettings& s) {
                  ListenerSettings second = s.listeners[0];
                  second.name = "second";
                  for (ListenerSettings* l : {&s.listeners[0], &second})
                      l->bind.tracing = captures.source();
                  s.listeners.push_back(second);
                  if (change) change(s);
              },
              time),
          json(isJson) {
        plainNumbers = true;
        connected();
        until([this] { return hub->dictionary() != nullptr && value("emissary_hub_clients") == 0; });
        const Hub::Rooms rooms = hub->rooms();
        ops::Inspected inspected{rooms.reactor,
                                 rooms.items,
                                 rooms.clients,
                                 rooms.services,
                                 rooms.flow,
                                 hub->settings(),
                                 [this](const auto& each) { hub->eachSource(each); },
                                 [this] { return hub->dictionary(); },
                                 [this](const std::string&, std::uint32_t rate) { drains = true, hub->drain(rate); },
                                 [this] { return drains; },
                                 rooms.relay,
                                 &rooms.ends};
        inspected.interventions = &rooms.interventions;
        inspected.pauseSource = [this](const std::string& name, bool paused) {
            return hub->pauseSource(name, paused).text;
        };
        inspected.captures = &captures;
        inspected.log = [this](const std::string& line) { lines.push_back(line); };
        inspected.note = [this](const ops::CallNote& n) {
            notes.push_back((n.refused ? "refused " : "") + n.code + ": " + n.text);
        };
        pages = std::make_unique<ops::Pages>(std::move(inspected), ops::Pages::Options{});
    }
    ~CallsFixture() { pages.reset(); }

    [[nodiscard]] std::uint64_t value(std::string_view name) const {
        return static_cast<std::uint64_t>(hub->rooms().reactor.metrics().value(name).value_or(0));
    }
    [[nodiscard]] std::string ask(const std::string& request) {
        std::string text;
        std::atomic<bool> done{false};
        std::thread asking([&, port = pages->port()] {
            text = http(port, request);
            done.store(true, std::memory_order_release);  // the test's loop acquires it
        });
        const auto end = std::chrono::steady_clock::now() + RawConsumer::kPatience;
        while (!done.load(std::memory_order_acquire) && std::chrono::steady_clock::now() < end) {
            hub->dispatch(std::chrono::microseconds(500));
            provider.poll();
        }
        asking.join();
        return text;
    }
    /// Status and body: "200 {...}".
    [[nodiscard]] static std::string answer(const std::string& reply) {
        const std::size_t body = reply.find("\r\n\r\n");
        return body == std::string::npos ? reply : reply.substr(9, 4) + reply.substr(body + 4);
    }
    [[nodiscard]] std::string get(const std::string& path) {
        return answer(ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    }
    [[nodiscard]] std::string call(const std::string& name, const std::string& arguments,
                                   const std::string& headers = "Content-Type: application/json\r\n") {
        return answer(ask("POST /ctl/" + name + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers +
                          "Content-Length: " + std::to_string(arguments.size()) + "\r\n\r\n" + arguments));
    }
    /// What /connz says of the user's connections that have not ended.
    [[nodiscard]] std::string liveOf(const std::string& user) {
        std::string text = get("/connz?user=" + user);
        text.resize(std::min(text.find("\"ended\":["), text.size()));
        return text;
    }
    /// The number of the user's connection, as /connz tells it: where another thread serves it, a moment after its
    /// login.
    [[nodiscard]] std::string numberOf(const std::string& user) {
        std::string text;
        std::size_t at = std::string::npos;
        until([&] {
            text = liveOf(user);
            at = text.find("\"client\":");
            return at != std::string::npos;
        });
        return text.substr(at + 9, text.find(',', at) - at - 9);
    }
    /// Connections of the user that the hub's table has: a client that sees its connection closed is in there a moment
    /// longer where another thread serves it.
    [[nodiscard]] std::size_t clientsOf(const std::string& user) {
        const std::string text = liveOf(user);
        std::size_t n = 0;
        for (std::size_t at = text.find("\"client\":"); at != std::string::npos; at = text.find("\"client\":", at + 1))
            ++n;
        return n;
    }
    /// Everything that was handed to the threads of clients has been taken.
    void settled() {
        turn();
        until([this] { return value("emissary_hub_front_waiting") == 0; });
        for (int i = 0; i < 200; ++i)
            turn();
    }
    /// Opens an item for both, and the provider answers it. Returns its stream at the provider.
    std::int32_t both(LateReader& a, LateReader& b, std::int32_t stream = 5) {
        a.open(stream);
        b.open(stream);
        const std::int32_t source = asked().msg.streamId;
        until([&] { return hub->rooms().flow.counts().mounts.get() == 2; });
        refresh(source, 7);
        until([&] {
            a.read(), b.read();
            return a.values.contains(stream) && b.values.contains(stream);
        });
        return source;
    }
    [[nodiscard]] bool noted(const std::string& part) const {
        return std::ranges::any_of(notes, [&](const std::string& n) { return n.find(part) != std::string::npos; });
    }

    const bool json;
    bool drains = false;
    std::vector<std::string> notes;
    std::unique_ptr<ops::Pages> pages;
};

}  // namespace emissary::test
