// One run of emissary-hub: configuration, hub, pages, signals, drain.
#pragma once

#include "hub/access/OperatorFile.h"
#include "hub/main/Log.h"
#include "hub/main/Reloads.h"
#include "hub/main/ServiceManager.h"
#include "hub/main/options.h"

#include <memory>

namespace emissary::hub {

class Hub;
namespace ops {
class CaptureFiles;
class OtlpPush;
class Pages;
struct Inspected;
}  // namespace ops

/// Exit codes of the program.
enum class Exit { ok = 0, unusable = 1, usage = 2 };

class Program {
public:
    Program();
    ~Program();
    /// Returns when the hub is drained, at once where there is nothing to run.
    [[nodiscard]] Exit run(const CommandLine& line);

private:
    [[nodiscard]] bool readConfiguration(const CommandLine& line);
    [[nodiscard]] bool start(const CommandLine& line);
    void announce() const;
    void serve();
    /// `clientsPerSecond` 0: all within DrainTimeout, also of a drain that goes on at a rate.
    void beginDrain(const std::string& why, std::uint32_t clientsPerSecond = 0);
    [[nodiscard]] ops::Inspected inspected();
    [[nodiscard]] bool startPages();
    void startPush();

    HubConfig config_;
    ServiceManager manager_;
    Log log_;
    std::unique_ptr<ops::CaptureFiles> captures_;     // outlives hub and pages
    std::unique_ptr<access::OperatorTokens> tokens_;  // outlives the pages
    std::unique_ptr<Hub> hub_;
    std::unique_ptr<Reloads> reloads_;
    std::unique_ptr<ops::Pages> pages_;    // goes before the hub
    std::unique_ptr<ops::OtlpPush> push_;  // so does this
    bool draining_ = false;
    bool atRate_ = false;  // it drains at a rate of clients a second
    bool ended_ = false;
};

}  // namespace emissary::hub
