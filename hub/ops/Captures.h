// hub/ops: what goes over one connection, written to a file for some seconds.
#pragma once

#include "eta/transport/MessageTrace.h"
#include "hub/core/Client.h"
#include "reactor/Reactor.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace emissary::hub::ops {

/// Makes the files of captures: XML traces (docs/spec/xml-trace.md), which rwfcat reads. Tokens and passwords are
/// masked in them. One file for each connection, which a later capture of the same connection goes on with.
class CaptureFiles {
public:
    static constexpr std::uint32_t kMostFiles = 1000;  ///< as long as the process lives
    /// Files are made in the folder, each with at most `mostBytes` bytes.
    CaptureFiles(const std::string& folder, std::uint64_t mostBytes);

    /// For the options of ports whose connections may be captured.
    [[nodiscard]] const std::shared_ptr<eta::transport::TraceSource>& source() const noexcept { return source_; }
    /// What was said of files since the last call; any thread.
    [[nodiscard]] std::string takeReport();
    /// Why files have ended early (a full disk, their most bytes) since the last call, kMostStops at most; any thread.
    [[nodiscard]] std::vector<std::string> takeStops();

private:
    static constexpr std::size_t kMostStops = 32;
    struct Said {
        std::mutex mutex;
        std::string last;
        std::vector<std::string> stops;
    };
    std::shared_ptr<Said> said_ = std::make_shared<Said>();  // shared with the source, which outlives connections
    std::shared_ptr<eta::transport::TraceSource> source_;
};

/// Captures under way. On the hub's thread, with the session lock held.
class Captures {
public:
    static constexpr std::size_t kMostAtOnce = 8;
    static constexpr std::uint64_t kMostSeconds = 3600;

    /// Null: there is no folder for captures.
    /// `log` gets a line when a capture has ended early; it may be empty.
    Captures(reactor::Reactor& reactor, CaptureFiles* files, std::function<void(const std::string&)> log)
        : reactor_(reactor), files_(files), log_(std::move(log)) {}
    ~Captures();
    Captures(const Captures&) = delete;
    Captures& operator=(const Captures&) = delete;

    struct Outcome {
        unsigned status = 200;
        std::string text;  ///< which file, or why there is none
    };
    [[nodiscard]] Outcome begin(const Client& client, std::chrono::seconds time);
    [[nodiscard]] std::size_t size() const noexcept { return running_.size(); }

private:
    struct Running {
        std::uint64_t connection = 0;
        std::weak_ptr<eta::transport::Channel> wire;
        reactor::TimerId timer = 0;
    };
    void end(std::uint64_t connection);
    void lookAtFiles();

    reactor::Reactor& reactor_;
    CaptureFiles* const files_;
    std::vector<Running> running_;
    const std::function<void(const std::string&)> log_;
    reactor::TimerId look_ = 0;                    // 0: none
    std::map<std::uint64_t, std::string> opened_;  // by connection; there are at most CaptureFiles::kMostFiles
};

}  // namespace emissary::hub::ops
