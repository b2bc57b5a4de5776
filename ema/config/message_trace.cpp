// Reads the XmlTrace parameters of an instance into the options of its trace.
#include "message_trace.h"

namespace emissary::ema {

/// What is not given stays as it is: the old place in Channel is read first, and the instance's section over it.
void readTrace(const Reader& r, eta::trace::XmlTraceOptions& trace) {
    r.text("XmlTraceFileName", trace.fileName);
    r.number("XmlTraceMaxFileSize", trace.maxFileSize);
    r.number("XmlTraceMaxFiles", trace.maxFiles);
    r.flag("XmlTraceToFile", trace.toFile);
    r.flag("XmlTraceToStdout", trace.toStdout);
    r.flag("XmlTraceToMultipleFiles", trace.multipleFiles);
    r.flag("XmlTraceRead", trace.read);
    r.flag("XmlTraceWrite", trace.write);
    r.flag("XmlTracePing", trace.ping);
    r.flag("XmlTracePingOnly", trace.pingOnly);
    r.flag("XmlTraceHex", trace.hex);
}

}  // namespace emissary::ema
