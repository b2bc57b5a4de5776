// Small public classes: channel information and statistics, time, texts of dates.
#include "Access/Include/ChannelInformation.h"
#include "Access/Include/ChannelStatistics.h"
#include "Access/Include/DateTimeStringFormat.h"
#include "Access/Include/ElementEntry.h"
#include "Access/Include/ElementList.h"
#include "Access/Include/GetTime.h"
#include "support.h"

using namespace emissary::ema::test;
using namespace refinitiv::ema::access;

TEST_CASE("channel information keeps, copies and clears its members", "[config][channel]") {
    ChannelInformation a("component", "host", "1.2.3.4", ChannelInformation::ActiveEnum, ChannelInformation::SocketEnum,
                         ChannelInformation::RwfEnum, 14, 1, 60);
    a.port(14002).maxFragmentSize(6142).maxOutputBuffers(50).guaranteedOutputBuffers(40).numInputBuffers(10);
    a.sysSendBufSize(1).sysRecvBufSize(2).compressionType(ChannelInformation::LZ4Enum).compressionThreshold(300);
    a.encryptionProtocol(4).name("Channel_1").sessionName("Session_1");
    ChannelInformation b(a), c;
    c = a;
    a.clear();
    for (const ChannelInformation* i : {&b, &c}) {
        CHECK(i->getConnectedComponentInfo() == "component");
        CHECK(i->getHostname() == "host");
        CHECK(i->getIPaddress() == "1.2.3.4");
        CHECK(i->port() == 14002);
        CHECK(i->getChannelState() == ChannelInformation::ActiveEnum);
        CHECK(i->getConnectionType() == ChannelInformation::SocketEnum);
        CHECK(i->getProtocolType() == ChannelInformation::RwfEnum);
        CHECK(i->getMajorVersion() == 14);
        CHECK(i->getMinorVersion() == 1);
        CHECK(i->getPingTimeout() == 60);
        CHECK(i->getMaxFragmentSize() == 6142);
        CHECK(i->getMaxOutputBuffers() == 50);
        CHECK(i->getGuaranteedOutputBuffers() == 40);
        CHECK(i->getNumInputBuffers() == 10);
        CHECK(i->getSysSendBufSize() == 1);
        CHECK(i->getSysRecvBufSize() == 2);
        CHECK(i->getCompressionType() == ChannelInformation::LZ4Enum);
        CHECK(i->getCompressionThreshold() == 300);
        CHECK(i->getEncryptionProtocol() == 4);
        CHECK(i->getName() == "Channel_1");
        CHECK(i->getSessionName() == "Session_1");
    }
    CHECK(a.getHostname().empty());
    CHECK(a.getChannelState() == ChannelInformation::InactiveEnum);
    CHECK(a.getConnectionType() == ChannelInformation::Unidentified);
    CHECK(a.getProtocolType() == ChannelInformation::UnknownEnum);
    CHECK(std::string(b.toString().c_str()) ==
          "hostname: host\n\tIP address: 1.2.3.4\n\tport: 14002\n\tconnected component info: component\n"
          "\tchannel state: active\n\tconnection type: socket\n\tprotocol type: Refinitiv wire format\n"
          "\tmajor version: 14\n\tminor version: 1\n\tping timeout: 60\n\tmax fragmentation size: 6142\n"
          "\tmax output buffers: 50\n\tguaranteed output buffers: 40\n\tnumber input buffers: 10\n"
          "\tsystem send buffer size: 1\n\tsystem receive buffer size: 2\n\tcompression type: LZ4\n"
          "\tcompression threshold: 300\n\tencryption protocol: 4");
    CHECK(holdsAll(a.toString().c_str(),
                   {"connected component info: unavailable", "channel state: inactive", "connection type: unknown",
                    "protocol type: unknown wire format", "compression type: none"}));
}

TEST_CASE("channel statistics know whether they have a count", "[config][channel]") {
    ChannelStatistics s;
    CHECK_FALSE(s.hasTcpRetransmitCount());
    CHECK(thrownBy([&] { (void)s.getTcpRetransmitCount(); }).type == kInvalidUsage);
    s.tcpRetransmitCount(0);
    CHECK(s.hasTcpRetransmitCount());
    CHECK(s.getTcpRetransmitCount() == 0);
    CHECK(ChannelStatistics(5).getTcpRetransmitCount() == 5);
    s.clear();
    CHECK_FALSE(s.hasTcpRetransmitCount());
}

TEST_CASE("the units of time agree", "[config][channel]") {
    const TimeValue s = GetTime::getSeconds(), ms = GetTime::getMillis(), us = GetTime::getMicros(),
                    ns = GetTime::getNanos(), ticks = GetTime::getTicks();
    CHECK(s <= ms / 1000);
    CHECK(ms <= us / 1000);
    CHECK(us <= ns / 1000);
    CHECK(static_cast<double>(ns) <= static_cast<double>(ticks) / GetTime::ticksPerNano());
    CHECK(GetTime::ticksPerSecond() == GetTime::ticksPerMilli() * 1000);
    CHECK(GetTime::ticksPerMilli() == GetTime::ticksPerMicro() * 1000);
    CHECK(GetTime::ticksPerMicro() == GetTime::ticksPerNano() * 1000);
}

TEST_CASE("dates and times in both styles", "[config][format]") {
    ElementList list;
    list.addDate("d", 2024, 2, 9)
        .addTime("t", 14, 2, 33, 125)
        .addDateTime("dt", 2024, 2, 9, 14, 2, 33, 125)
        .addCodeDate("blank")
        .complete();
    DateTimeStringFormat format;
    CHECK(format.getDateTimeStringFormatType() == DateTimeStringFormat::STR_DATETIME_RSSL);
    const auto all = [&] {
        std::string text;
        const auto add = [&](const EmaString& part) { (text += part.c_str()) += "|"; };
        list.reset();
        // The formatter's arguments are not const; what entries hand out is.
        REQUIRE(list.forth());
        add(format.dateAsString(const_cast<OmmDate&>(static_cast<const OmmDate&>(list.getEntry().getLoad()))));
        REQUIRE(list.forth());
        add(format.timeAsString(const_cast<OmmTime&>(static_cast<const OmmTime&>(list.getEntry().getLoad()))));
        REQUIRE(list.forth());
        add(format.dateTimeAsString(
            const_cast<OmmDateTime&>(static_cast<const OmmDateTime&>(list.getEntry().getLoad()))));
        REQUIRE(list.forth());
        add(format.dateAsString(const_cast<OmmDate&>(static_cast<const OmmDate&>(list.getEntry().getLoad()))));
        return text;
    };
    CHECK(all() == "09 FEB 2024|14:02:33:125:000:000|09 FEB 2024 14:02:33:125:000:000|(blank data)|");
    format.dateTimeStringFormatType(DateTimeStringFormat::STR_DATETIME_ISO8601);
    CHECK(all() == "2024-02-09|14:02:33.125|2024-02-09T14:02:33.125|(blank data)|");
    CHECK(thrownBy([&] {
              format.dateTimeStringFormatType(static_cast<DateTimeStringFormat::DateTimeStringFormatTypes>(3));
          }).type == OmmException::OmmOutOfRangeExceptionEnum);
    CHECK(format.getDateTimeStringFormatType() == DateTimeStringFormat::STR_DATETIME_ISO8601);
}
