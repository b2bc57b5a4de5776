// Turns each message of a channel into an entry with heading and time, and hands it to the outputs.
#include "eta/trace/XmlTrace.h"

#include "eta/core/Clock.h"
#include "eta/trace/SecretMask.h"
#include "eta/transport/options.h"
#include "trace/TraceOutput.h"
#include "trace/XmlLines.h"

#include <cstdio>
#include <ctime>
#include <mutex>
#include <new>

namespace emissary::eta::trace {
namespace {

using transport::ChannelInfo;
using transport::MessageTrace;

const char* headingOf(MessageTrace::Event event) noexcept {
    switch (event) {
    case MessageTrace::Event::incoming:
        return "Incoming Message";
    case MessageTrace::Event::outgoing:
        return "Outgoing Message";
    case MessageTrace::Event::packed:
        return "Pack Message";
    case MessageTrace::Event::incomingPing:
        return "Incoming Ping";
    case MessageTrace::Event::outgoingPing:
        return "Outgoing Ping";
    case MessageTrace::Event::channelClosed:
        break;
    }
    return "Channel Closed";
}

/// The trace of one channel. Reader and writers of the channel take turns.
class XmlTrace final : public MessageTrace {
public:
    XmlTrace(std::shared_ptr<TraceCommon> common, const ChannelInfo& info, int descriptor)
        : common_(common), output_(std::move(common)), text_(output_), protocol_(info.protocolType),
          major_(info.majorVersion), minor_(info.minorVersion),
          channel_(" (Channel IPC descriptor = " + std::to_string(descriptor) + ") -->") {}

    [[nodiscard]] bool start() { return output_.start(); }

    void tell(Event event, Bytes message) noexcept override {
        if (!wanted(event)) return;
        const std::lock_guard lock(mutex_);
        try {
            if (output_.beginEntry()) entry(event, message);
        } catch (const std::bad_alloc&) {
            text_.restart();
            output_.stop("XML trace: out of memory; nothing more is traced");
        }
    }

private:
    [[nodiscard]] bool wanted(Event event) const noexcept {
        const XmlTraceOptions& o = common_->options;
        switch (event) {
        case Event::incoming:
            return o.read && !o.pingOnly;
        case Event::outgoing:
        case Event::packed:
            return o.write && !o.pingOnly;
        case Event::incomingPing:
        case Event::outgoingPing:
            return o.ping || o.pingOnly;
        case Event::channelClosed:
            break;
        }
        return true;
    }

    void entry(Event event, Bytes message) {
        text_.restart();
        comment(headingOf(event));
        time();
        if (event == Event::channelClosed) return text_.flush();
        if (event != Event::incomingPing && event != Event::outgoingPing) body(message);
        if (text_.full()) {
            text_.restart();
            text_.add("<!-- the rest of this message is left out: it is too large -->");
            text_.endLine();
        }
        comment("End Message");
        text_.flush();
    }

    void comment(const char* what) {
        text_.add("<!-- ");
        text_.add(what);
        text_.add(channel_);
        text_.endLine();
    }

    void time() {
        using std::chrono::milliseconds;
        const auto now = WallClock::now();
        const std::time_t seconds = WallClock::to_time_t(now);
        const auto ms = std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count() % 1000;
        std::tm parts{};
        ::localtime_r(&seconds, &parts);
        char line[64];
        const int n = std::snprintf(line, sizeof line, "<!-- Time: %d:%02d:%02d:%03d -->", parts.tm_hour, parts.tm_min,
                                    parts.tm_sec, static_cast<int>(ms));
        text_.add({line, static_cast<std::size_t>(n)});
        text_.endLine();
    }

    void body(Bytes message) {
        message = withoutSecrets(message);
        bool hex = common_->options.hex;
        if (protocol_ == transport::kProtocolRwf) hex = !writeMessageXml(text_, message, major_, minor_).ok() || hex;
        else if (protocol_ == transport::kProtocolJson) json(message);
        else hex = true;
        if (!hex || text_.full()) return;
        writeHexDump(text_, message);
        text_.endLine();
    }

    [[nodiscard]] Bytes withoutSecrets(Bytes message) {
        if (protocol_ == transport::kProtocolRwf) return mask_.rwf(message);
        return protocol_ == transport::kProtocolJson ? mask_.json(message) : mask_.unknown(message);
    }

    /// A comment in the file, the bare text on standard output.
    void json(Bytes message) {
        text_.flush();
        output_.aim(TraceOutput::kFile);
        text_.add("<!-- JSON protocol\n");
        text_.flush();
        output_.aim(TraceOutput::kBoth);
        for (const std::byte b : message) {
            const auto c = static_cast<unsigned>(b);
            if (c >= 0x20 && c <= 0x7E) {
                text_.add(static_cast<char>(c));
                continue;
            }
            static constexpr char kDigits[] = "0123456789abcdef";
            text_.add("(0x");
            text_.add(kDigits[c >> 4]);
            text_.add(kDigits[c & 15]);
            text_.add(')');
        }
        text_.endLine();
        text_.flush();
        output_.aim(TraceOutput::kFile);
        text_.add("-->\n");
        text_.flush();
        output_.aim(TraceOutput::kBoth);
    }

    const std::shared_ptr<TraceCommon> common_;
    std::mutex mutex_;
    TraceOutput output_;
    TraceText text_;
    SecretMask mask_;
    const std::uint8_t protocol_, major_, minor_;
    const std::string channel_;
};

class XmlTraceSource final : public transport::TraceSource {
public:
    XmlTraceSource(XmlTraceOptions options, TraceReport report) : common_(std::make_shared<TraceCommon>()) {
        common_->options = std::move(options);
        common_->report = std::move(report);
    }
    [[nodiscard]] bool atOnce() const noexcept override { return common_->options.toFile || common_->options.toStdout; }
    [[nodiscard]] std::unique_ptr<MessageTrace> open(const ChannelInfo& info, int descriptor) noexcept override try {
        auto trace = std::make_unique<XmlTrace>(common_, info, descriptor);
        return trace->start() ? std::move(trace) : nullptr;
    } catch (const std::bad_alloc&) {
        common_->tell(TraceNotice::stopped, "XML trace: out of memory");
        return nullptr;
    }

private:
    const std::shared_ptr<TraceCommon> common_;
};

}  // namespace

std::shared_ptr<transport::TraceSource> makeXmlTrace(XmlTraceOptions options, TraceReport report) {
    return std::make_shared<XmlTraceSource>(std::move(options), std::move(report));
}

}  // namespace emissary::eta::trace
