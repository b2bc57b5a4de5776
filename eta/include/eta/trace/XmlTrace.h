// The XML trace: every message of a connection as text in files and on standard output (xml-trace.md).
#pragma once

#include "eta/transport/MessageTrace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace emissary::eta::trace {

/// What is traced, and where to (xml-trace.md 1).
struct XmlTraceOptions {
    bool toFile = false, toStdout = false;   ///< neither: nothing, until a channel's trace is switched on: then to file
    std::string fileName = "EmaTrace";       ///< base of the names, may contain a path; NAME_MILLISECONDS.xml
    std::int64_t maxFileSize = 100'000'000;  ///< bytes; a file that has as many gets no further message; > 0
    bool multipleFiles = false;              ///< a full file is followed by another one; false: then nothing is traced
    std::uint32_t maxFiles = 100;            ///< that one source begins; with none left nothing is traced; 0 = no limit
    bool read = true, write = true;          ///< messages that come in, that go out
    bool ping = false;                       ///< pings too
    bool pingOnly = false;                   ///< pings, and no messages
    bool hex = false;                        ///< the bytes of every message behind it
};

/// What a trace has to tell: a file was begun, or tracing has stopped or could not begin, and why.
enum class TraceNotice : std::uint8_t { opened, stopped };
/// Called with a sentence; any thread, while a message is read or written. It must not use the channel.
using TraceReport = std::function<void(TraceNotice, const std::string&)>;

/// Traces for ChannelOptions::tracing: one file per channel, begun when the channel is active. A file that cannot be
/// opened or written, a full disk, ends the tracing and is reported; the channel goes on. Tokens and passwords are
/// masked (SecretMask). Files are readable for their owner only. On standard output control characters are spelled out.
///
/// A message is never cut in two by a file's end, so that a file may be larger by one message; of a message whose text
/// is larger than maxFileSize and than 16 MiB the rest is left out.
[[nodiscard]] std::shared_ptr<transport::TraceSource> makeXmlTrace(XmlTraceOptions options, TraceReport report);

}  // namespace emissary::eta::trace
