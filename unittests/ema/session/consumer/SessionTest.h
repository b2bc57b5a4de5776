// An OmmConsumer against a scripted provider that runs in a thread of its own.
#pragma once

#include "Ema.h"
#include "support/EmaConfigFile.h"
#include "support/RawProvider.h"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace emissary::test {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class ProviderThread {
public:
    /// `prepare` runs before the first client can come.
    explicit ProviderThread(const std::function<void(RawProvider&)>& prepare = {}) {
        if (prepare) prepare(provider_);
        port_ = provider_.port();
        thread_ = std::thread([this] { loop(); });
    }
    ~ProviderThread() {
        stop_ = true;
        thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// Runs on the provider's thread and returns its result.
    template <class F>
    auto run(F f) {
        std::packaged_task<decltype(f(provider_))()> task([&] { return f(provider_); });
        auto result = task.get_future();
        {
            const std::lock_guard guard(mutex_);
            task_ = [&] { task(); };
        }
        return result.get();
    }
    /// Waits until the condition (evaluated on the provider's thread) holds; false after ten seconds.
    template <class F>
    bool until(F condition) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < end)
            if (run(condition)) return true;
        return false;
    }
    /// Waits for the request for an item that is not answered automatically; its stream id.
    std::int32_t requested(std::string_view name) {
        std::int32_t id = 0;
        REQUIRE(until([&](RawProvider& p) {
            while (auto got = p.take()) {
                if (got->msg.cls != codec::MsgClass::Request || got->name() != name) continue;
                id = got->msg.streamId;
                return true;
            }
            return false;
        }));
        return id;
    }

private:
    void loop() {
        while (!stop_) {
            std::function<void()> task;
            {
                const std::lock_guard guard(mutex_);
                task.swap(task_);
            }
            if (task) task();
            provider_.poll(1);
        }
    }
    RawProvider provider_;
    std::uint16_t port_ = 0;
    std::mutex mutex_;
    std::function<void()> task_;  // guarded by mutex_
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

/// A consumer of the provider at `port`.
class ConsumerConfigFile : public EmaConfigFile {
public:
    explicit ConsumerConfigFile(std::uint16_t port, const std::string& consumerParameters = {},
                                bool fileDictionary = true, const std::string& channelParameters = {},
                                const std::string& connection = R"(<Channel value="Channel"/>)",
                                const std::string& channelType = "RSSL_SOCKET")
        : EmaConfigFile(config::consumer(R"(<ReconnectMinDelay value="100"/><ReconnectMaxDelay value="100"/>)" +
                                             consumerParameters,
                                         connection) +
                        config::channel(channelType, config::parameter("Host", "127.0.0.1") +
                                                         config::parameter("Port", std::to_string(port)) +
                                                         channelParameters) +
                        config::logger() +
                        config::dictionary(sourcePath("/etc/RDMFieldDictionary"), sourcePath("/etc/enumtype.def"),
                                           fileDictionary ? "FileDictionary" : "ChannelDictionary")) {}
};

/// Notes every callback as a line: "IBM.N refresh Open/Ok", "IBM.N update".
class RecordingConsumerClient : public OmmConsumerClient {
public:
    void onRefreshMsg(const RefreshMsg& m, const OmmConsumerEvent& e) override {
        note(m, " refresh " + state(m.getState()), e);
    }
    void onUpdateMsg(const UpdateMsg& m, const OmmConsumerEvent& e) override { note(m, " update", e); }
    void onStatusMsg(const StatusMsg& m, const OmmConsumerEvent& e) override {
        note(m, " status" + (m.hasState() ? " " + state(m.getState()) : std::string()), e);
    }
    void onGenericMsg(const GenericMsg& m, const OmmConsumerEvent& e) override { note(m, " generic", e); }
    void onAckMsg(const AckMsg& m, const OmmConsumerEvent& e) override { note(m, " ack", e); }
    void onAllMsg(const Msg&, const OmmConsumerEvent&) override { ++all; }

    bool wait(const std::string& line, std::size_t times = 1) {
        std::unique_lock guard(mutex_);
        const bool came =
            changed_.wait_for(guard, std::chrono::seconds(10), [&] { return countLocked(line) >= times; });
        if (!came)
            for (const auto& l : lines_)
                UNSCOPED_INFO(l);
        return came;
    }
    std::size_t count(const std::string& line) {
        const std::lock_guard guard(mutex_);
        return countLocked(line);
    }
    std::vector<std::string> lines() {
        const std::lock_guard guard(mutex_);
        return lines_;
    }
    std::atomic<int> all{0};
    std::function<void(const Msg&, const OmmConsumerEvent&)> hook;  ///< set before registering

private:
    static std::string state(const OmmState& s) {
        std::string text = s.getStreamStateAsString().c_str();
        text += "/";
        text += s.getDataStateAsString().c_str();
        return text + "/" + std::to_string(s.getStatusCode());
    }
    std::size_t countLocked(const std::string& line) const {
        return static_cast<std::size_t>(std::count(lines_.begin(), lines_.end(), line));
    }
    void note(const Msg& m, const std::string& what, const OmmConsumerEvent& e) {
        if (hook) hook(m, e);
        const std::lock_guard guard(mutex_);
        lines_.push_back((m.hasName() ? m.getName().c_str() : std::string("-")) + what);
        changed_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> lines_;  // guarded by mutex_
};

class RecordingErrorClient : public OmmConsumerErrorClient {
public:
    void onInvalidUsage(const EmaString& text) override { usage.emplace_back(text.c_str()); }
    void onInvalidUsage(const EmaString& text, Int32 code) override {
        usage.emplace_back(std::to_string(code) + ":" + text.c_str());
    }
    void onInvalidHandle(UInt64 handle, const EmaString&) override { handles.push_back(handle); }
    std::vector<std::string> usage;
    std::vector<UInt64> handles;
};

/// What the call throws: "OmmInvalidUsageException -4052: text"; empty when nothing.
template <class F>
std::string thrown(F f) {
    try {
        f();
    } catch (const OmmInvalidUsageException& e) {
        return "OmmInvalidUsageException " + std::to_string(e.getErrorCode()) + ": " + e.getText().c_str();
    } catch (const OmmException& e) {
        return std::string(e.getExceptionTypeAsString().c_str()) + ": " + e.getText().c_str();
    }
    return {};
}

inline ReqMsg item(const char* name) {
    ReqMsg m;
    m.serviceName("DIRECT_FEED").name(name);
    return m;
}

}  // namespace emissary::test
