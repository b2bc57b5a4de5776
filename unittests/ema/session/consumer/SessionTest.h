// An OmmConsumer against a scripted provider that runs in a thread of its own.
#pragma once

#include "Ema.h"
#include "support/EmaConfigFile.h"
#include "support/RawProvider.h"
#include "support/catch.hpp"
#include "support/ema_clients.h"

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
        return turnUntil([&] { return run(condition); }, [] {});
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
