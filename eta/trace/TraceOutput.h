// The destinations of one channel's trace: a file with a limit, and standard output.
#pragma once

#include "eta/trace/XmlTrace.h"
#include "eta/trace/message_xml.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace emissary::eta::trace {

/// What the traces of one source share.
struct TraceCommon {
    XmlTraceOptions options;
    TraceReport report;
    std::atomic<std::uint32_t> files{0};  ///< begun so far

    void tell(TraceNotice notice, const std::string& text) const noexcept;
};

/// Both destinations. One caller at a time.
class TraceOutput final : public TextSink {
public:
    explicit TraceOutput(std::shared_ptr<TraceCommon> common);
    ~TraceOutput() override;
    TraceOutput(const TraceOutput&) = delete;
    TraceOutput& operator=(const TraceOutput&) = delete;

    /// Destinations as bits.
    static constexpr unsigned kFile = 1, kStdout = 2, kBoth = kFile | kStdout;

    /// Begins the first file. False when there is no destination.
    [[nodiscard]] bool start();
    /// An entry begins: a full file is closed, and followed by another one or by none. False when nothing takes it.
    [[nodiscard]] bool beginEntry();
    /// Which destinations get what follows.
    void aim(unsigned destinations) noexcept { aim_ = destinations; }
    [[nodiscard]] bool take(std::string_view piece) override;
    /// Nothing is traced any more.
    void stop(const std::string& why) noexcept;

private:
    [[nodiscard]] bool openFile();
    void closeFile() noexcept;
    void toFile(std::string_view piece);
    void toStdout(std::string_view piece);

    const std::shared_ptr<TraceCommon> common_;
    std::string name_, printable_;
    int file_ = -1;
    bool stdout_ = false;
    unsigned aim_ = kBoth;
    std::int64_t size_ = 0, entry_ = 0;
};

}  // namespace emissary::eta::trace
