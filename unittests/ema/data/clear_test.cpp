// clear() of messages: a message that was cleared is a new one, whatever was set before (ema-api.md section 4). Members
// that nearly every message has are reset by themselves when nothing else was set; what that could leave behind is
// looked for here.
#include "Ema.h"
#include "data/MsgAccess.h"
#include "support.h"

using namespace ematest;

namespace {

template <class M>
void checkFresh(const M& m) {
    CHECK(encode(m) == encode(M()));
    CHECK(m.getStreamId() == 0);
    CHECK(m.getDomainType() == 6);
    CHECK_FALSE(m.hasName());
    CHECK_FALSE(m.hasServiceId());
    CHECK_FALSE(m.hasExtendedHeader());
    CHECK(m.getAttrib().getDataType() == DataType::NoDataEnum);
    CHECK(m.getPayload().getDataType() == DataType::NoDataEnum);
    CHECK_FALSE(emissary::ema::MsgAccess::hasServiceName(m));
    CHECK(emissary::ema::MsgAccess::serviceList(m).empty());
    Map map;  // takes no message that nothing was set on
    CHECK_USAGE(InvalidOperationEnum, map.addKeyUInt(1, MapEntry::AddEnum, m));
}

/// Clears messages of one class on which the members of all messages were set, those that `setOwn` sets, or both.
template <class M, class Set>
void checkClears(Set setOwn) {
    FieldList fields;
    fields.addReal(22, 1025, OmmReal::ExponentNeg2Enum).complete();
    const auto setPlain = [&](M& m) { m.streamId(7).domainType(9).payload(fields); };
    const auto setKey = [](M& m) { m.name("ABC").nameType(2).id(5).filter(6).extendedHeader(buffer("x")); };
    M m;
    for (int round = 0; round < 2; ++round) {
        CAPTURE(round);
        setPlain(m);
        checkFresh(m.clear());
        setPlain(m);
        setOwn(m);
        setPlain(m);
        CHECK(encode(m) != encode(M()));
        checkFresh(m.clear());
        setKey(m);
        checkFresh(m.clear());
        setOwn(m);
        M copy(m);
        checkFresh(copy.clear());
        setPlain(copy);
        checkFresh(copy.clear());
        checkFresh(m.clear());
    }
    setPlain(m);
    const ReceivedMsg<M> got(m, &shippedFields(), "SERVICE");
    CHECK_USAGE(InvalidOperationEnum, const_cast<M&>(*got).payload(fields));
    M copy(*got);
    checkFresh(copy.clear());
    checkFresh(const_cast<M&>(*got).clear());
}

}  // namespace

TEST_CASE("a cleared message is a new one, whatever was set before", "[ema][msg]") {
    ElementList batch;
    batch.addArray(":ItemList", OmmArray().addAscii("A").addAscii("B").complete()).complete();
    checkClears<ReqMsg>([&](ReqMsg& m) {
        m.interestAfterRefresh(false).initialImage(false).privateStream(true).pause(true).priority(2, 3).payload(batch);
        m.qos(OmmQos::RealTimeEnum, OmmQos::TickByTickEnum).serviceName("S");
    });
    checkClears<ReqMsg>([&](ReqMsg& m) { m.payload(batch); });
    checkClears<ReqMsg>([](ReqMsg& m) { m.serviceListName("L"); });
    checkClears<RefreshMsg>([](RefreshMsg& m) {
        m.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "gone").itemGroup(buffer("ab"));
        m.seqNum(5).partNum(6).permissionData(buffer("p")).qos().complete(true).solicited(true).serviceName("S");
    });
    checkClears<StatusMsg>([](StatusMsg& m) {
        m.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "gone").itemGroup(buffer("ab"));
    });
    checkClears<UpdateMsg>([](UpdateMsg& m) {
        m.updateTypeNum(3).seqNum(5).conflated(1, 2).doNotCache(true).publisherId(1, 2).serviceName("S");
    });
    checkClears<UpdateMsg>([](UpdateMsg& m) { m.updateTypeNum(3).doNotCache(true).doNotRipple(true); });
    checkClears<GenericMsg>([](GenericMsg& m) { m.complete(true).providerDriven(true).secondarySeqNum(4); });
    checkClears<PostMsg>([](PostMsg& m) { m.complete(true).solicitAck(true).postId(4).publisherId(1, 2); });
    checkClears<AckMsg>([](AckMsg& m) { m.ackId(3).nackCode(AckMsg::DeniedBySourceEnum).text("no"); });
}

TEST_CASE("a message that was cleared shows nothing that was read before", "[ema][msg]") {
    FieldList fields;
    fields.addInt(1, 5).complete();
    UpdateMsg m;
    m.payload(fields);
    REQUIRE(m.getPayload().getDataType() == DataType::FieldListEnum);
    REQUIRE(m.getPayload().getFieldList().getDataType() == DataType::FieldListEnum);
    m.clear();
    CHECK(m.getPayload().getDataType() == DataType::NoDataEnum);
    m.payload(fields);
    CHECK(m.getPayload().getDataType() == DataType::FieldListEnum);
    m.streamId(4);
    CHECK(m.getPayload().getDataType() == DataType::FieldListEnum);
}
