// Writes the values of primitive types (xml-trace.md 5).
#pragma once

#include "eta/codec/Msg.h"
#include "trace/XmlLines.h"

namespace emissary::eta::trace {

/// One value, in the middle of a line. One that cannot be read is written as blank; the first fault stays in `fault`.
class ValueXml {
public:
    ValueXml(XmlLines& out, Error& fault) noexcept : out_(out), fault_(fault) {}

    /// Attributes of a primitive; `setType` says how its bytes stand in set data.
    void value(codec::DataType type, codec::DataType setType, Bytes bytes);
    /// Its printed form.
    void printed(codec::DataType type, codec::DataType setType, Bytes bytes, bool isKey);

private:
    void stateText(Bytes bytes);
    void dateText(const codec::Date& date);
    void read(codec::Decoded outcome);
    void fail(Errc code) noexcept {
        if (fault_.ok()) fault_ = {code, 0};
    }

    XmlLines& out_;
    Error& fault_;
};

}  // namespace emissary::eta::trace
