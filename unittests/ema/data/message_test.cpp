// Messages: setters and getters, life of copies, re-use, texts (ema-api.md section 4).
#include "Ema.h"
#include "data/MsgAccess.h"
#include "support.h"

using namespace ematest;

namespace {

/// The same checks on the message as built, as received, and on a copy of the received one that outlives it.
template <class M, class Check>
void everyway(const M& built, Check check) {
    {
        INFO("as built");
        check(built);
    }
    auto received = std::make_unique<ReceivedMsg<M>>(built, &shippedFields(), nullptr);
    {
        INFO("as received");
        check(**received);
    }
    const M copy(**received);
    const M copyOfCopy(copy);
    std::fill(received->bytes().begin(), received->bytes().end(), std::byte{0xEE});
    received.reset();
    {
        INFO("a copy that outlives the received message");
        check(copy);
    }
    {
        INFO("a copy of the copy");
        check(copyOfCopy);
    }
    {
        INFO("a copy of the built message");
        check(M(built));
    }
    CHECK(encode(copy) == encode(built));
}

FieldList& body(FieldList& fields) {
    fields.addReal(22, 1025, OmmReal::ExponentNeg2Enum).complete();
    return fields;
}

/// Members that all messages have.
template <class M>
M& setCommon(M& m) {
    FieldList fields;
    ElementList attrib;
    attrib.addUInt("a", 7).complete();
    return m.streamId(-5)
        .domainType(9)
        .name("ABC.X")
        .nameType(2)
        .serviceId(77)
        .id(-3)
        .filter(0x1234)
        .extendedHeader(buffer("\x01\x02"))
        .attrib(attrib)
        .payload(body(fields));
}

template <class M>
void checkCommon(const M& m) {
    CHECK(m.getStreamId() == -5);
    CHECK(m.getDomainType() == 9);
    CHECK(m.hasMsgKey());
    REQUIRE(m.hasName());
    CHECK(text(m.getName()) == "ABC.X");
    REQUIRE(m.hasNameType());
    CHECK(m.getNameType() == 2);
    REQUIRE(m.hasServiceId());
    CHECK(m.getServiceId() == 77);
    REQUIRE(m.hasId());
    CHECK(m.getId() == -3);
    REQUIRE(m.hasFilter());
    CHECK(m.getFilter() == 0x1234);
    REQUIRE(m.hasExtendedHeader());
    CHECK(text(m.getExtendedHeader()) == "\x01\x02");
    REQUIRE(m.getAttrib().getDataType() == DataType::ElementListEnum);
    const ElementList& attrib = m.getAttrib().getElementList();
    attrib.reset();
    REQUIRE(attrib.forth());
    CHECK(attrib.getEntry().getUInt() == 7);
    REQUIRE(m.getPayload().getDataType() == DataType::FieldListEnum);
    const FieldList& fields = m.getPayload().getFieldList();
    fields.reset();
    REQUIRE(fields.forth());
    CHECK(fields.getEntry().getFieldId() == 22);
}

/// As constructed and as cleared.
template <class M>
void checkEmpty(const M& m) {
    CHECK(m.getStreamId() == 0);
    CHECK(m.getDomainType() == 6);
    CHECK_FALSE(m.hasName());
    CHECK_FALSE(m.hasNameType());
    CHECK_FALSE(m.hasServiceId());
    CHECK_FALSE(m.hasId());
    CHECK_FALSE(m.hasFilter());
    CHECK_FALSE(m.hasExtendedHeader());
    CHECK(m.getAttrib().getDataType() == DataType::NoDataEnum);
    CHECK(m.getPayload().getDataType() == DataType::NoDataEnum);
    CHECK(m.getPayload().getData().getDataType() == DataType::NoDataEnum);
}

template <class M>
void checkPublisher(const M& m) {
    REQUIRE(m.hasPublisherId());
    CHECK(m.getPublisherIdUserId() == 11);
    CHECK(m.getPublisherIdUserAddress() == 0x7F000001);
}

template <class M>
void checkPermission(const M& m) {
    REQUIRE(m.hasPermissionData());
    CHECK(text(m.getPermissionData()) == "\x0A\x0B");
}

}  // namespace

TEST_CASE("a message that names its service has a key, whatever its class", "[ema][data]") {
    CHECK(ReqMsg().serviceName("S").hasMsgKey());
    CHECK(RefreshMsg().serviceName("S").hasMsgKey());
    CHECK(UpdateMsg().serviceName("S").hasMsgKey());
    CHECK(StatusMsg().serviceName("S").hasMsgKey());
    CHECK(PostMsg().serviceName("S").hasMsgKey());
    CHECK(AckMsg().serviceName("S").hasMsgKey());
    CHECK(PostMsg().serviceId(7).hasMsgKey());
    PostMsg post;
    post.serviceName("S");
    CHECK_FALSE(post.hasName());
    CHECK_FALSE(post.hasServiceId());
    CHECK(PostMsg(post).hasMsgKey());
    CHECK_FALSE(post.clear().hasMsgKey());
    CHECK_FALSE(post.hasServiceName());
}

TEST_CASE("ReqMsg keeps what was set", "[ema][msg]") {
    ReqMsg m;
    setCommon(m).priority(2, 3).qos(20, 100).initialImage(false).interestAfterRefresh(false).pause(true);
    m.conflatedInUpdates(true).privateStream(true);
    everyway(m, [](const ReqMsg& r) {
        checkCommon(r);
        CHECK(r.getDataType() == DataType::ReqMsgEnum);
        REQUIRE(r.hasPriority());
        CHECK(r.getPriorityClass() == 2);
        CHECK(r.getPriorityCount() == 3);
        REQUIRE(r.hasQos());
        CHECK(r.getQosTimeliness() == 20);
        CHECK(r.getQosRate() == 100);
        CHECK(text(r.getRateAsString()) == "Rate on ReqMsg. Value = 100");
        CHECK(text(r.getTimelinessAsString()) == "QosTimeliness on ReqMsg. Value = 20");
        CHECK_FALSE(r.getInitialImage());
        CHECK_FALSE(r.getInterestAfterRefresh());
        CHECK(r.getPause());
        CHECK(r.getConflatedInUpdates());
        CHECK(r.getPrivateStream());
        CHECK_FALSE(r.hasView());
        CHECK_FALSE(r.hasBatch());
        CHECK_FALSE(r.hasServiceName());
    });
    m.clear();
    checkEmpty(m);
    CHECK(m.getInitialImage());
    CHECK(m.getInterestAfterRefresh());
    CHECK_FALSE(m.getPause());
    CHECK_FALSE(m.getConflatedInUpdates());
    CHECK_FALSE(m.getPrivateStream());
    CHECK_FALSE(m.hasQos());
    CHECK_FALSE(m.hasPriority());
    CHECK(encode(m) == encode(ReqMsg()));
}

TEST_CASE("ReqMsg keeps the quality that was asked for", "[ema][msg]") {
    const UInt32 rates[] = {
        ReqMsg::TickByTickEnum, 1, 65535, ReqMsg::JustInTimeConflatedEnum, ReqMsg::BestConflatedRateEnum,
        ReqMsg::BestRateEnum};
    const UInt32 times[] = {ReqMsg::RealTimeEnum, 1, 65535, ReqMsg::BestDelayedTimelinessEnum,
                            ReqMsg::BestTimelinessEnum};
    for (const UInt32 rate : rates)
        for (const UInt32 time : times) {
            ReqMsg m;
            m.qos(time, rate);
            const ReceivedMsg<ReqMsg> r(m);
            CHECK(r->getQosTimeliness() == time);
            CHECK(r->getQosRate() == rate);
        }
    ReqMsg defaults;
    defaults.qos();
    CHECK(text(defaults.getRateAsString()) == "BestRate");
    CHECK(text(defaults.getTimelinessAsString()) == "BestTimeliness");
}

TEST_CASE("ReqMsg knows batches and views by their payload", "[ema][msg]") {
    OmmArray items, ids;
    items.addAscii("A").addAscii("B").complete();
    ids.addInt(22).addInt(25).complete();
    ElementList both;
    both.addArray(":ItemList", items).addUInt(":ViewType", 1).addArray(":ViewData", ids).complete();
    ReqMsg m;
    m.serviceId(1).payload(both);
    everyway(m, [](const ReqMsg& r) {
        CHECK(r.hasBatch());
        CHECK(r.hasView());
    });
    ElementList neither;
    neither.addUInt("x", 1).complete();
    m.payload(neither);
    CHECK_FALSE(m.hasBatch());
    CHECK_FALSE(m.hasView());
}

TEST_CASE("RefreshMsg keeps what was set", "[ema][msg]") {
    RefreshMsg m;
    setCommon(m).qos(0, OmmQos::JustInTimeConflatedEnum).seqNum(5).partNum(6).itemGroup(buffer("\x01\x02"));
    m.state(OmmState::NonStreamingEnum, OmmState::SuspectEnum, 9, "hello").permissionData(buffer("\x0A\x0B"));
    m.publisherId(11, 0x7F000001).solicited(true).doNotCache(true).clearCache(true).complete().privateStream(true);
    everyway(m, [](const RefreshMsg& r) {
        checkCommon(r);
        checkPublisher(r);
        checkPermission(r);
        CHECK(r.getDataType() == DataType::RefreshMsgEnum);
        CHECK(r.getState().getStreamState() == OmmState::NonStreamingEnum);
        CHECK(r.getState().getDataState() == OmmState::SuspectEnum);
        CHECK(r.getState().getStatusCode() == 9);
        CHECK(text(r.getState().getStatusText()) == "hello");
        REQUIRE(r.hasQos());
        CHECK(r.getQos().getTimeliness() == 0);
        CHECK(r.getQos().getRate() == OmmQos::JustInTimeConflatedEnum);
        REQUIRE(r.hasSeqNum());
        CHECK(r.getSeqNum() == 5);
        REQUIRE(r.hasPartNum());
        CHECK(r.getPartNum() == 6);
        CHECK(text(r.getItemGroup()) == "\x01\x02");
        CHECK(r.getSolicited());
        CHECK(r.getDoNotCache());
        CHECK(r.getClearCache());
        CHECK(r.getComplete());
        CHECK(r.getPrivateStream());
    });
    m.clear();
    checkEmpty(m);
    CHECK_FALSE(m.getComplete());
    CHECK_FALSE(m.getSolicited());
    CHECK_FALSE(m.hasQos());
    m.state().complete();
    const ReceivedMsg<RefreshMsg> r(m);
    CHECK(text(r->getState().toString()) == "Open / Ok / None / ''");
    CHECK(text(r->getItemGroup()) == std::string(2, '\0'));
}

TEST_CASE("StatusMsg keeps what was set", "[ema][msg]") {
    StatusMsg m;
    setCommon(m).state(OmmState::ClosedRecoverEnum, OmmState::SuspectEnum, 4, "later").itemGroup(buffer("\x01\x02"));
    m.permissionData(buffer("\x0A\x0B")).publisherId(11, 0x7F000001).clearCache(true).privateStream(true);
    everyway(m, [](const StatusMsg& r) {
        checkCommon(r);
        checkPublisher(r);
        checkPermission(r);
        CHECK(r.getDataType() == DataType::StatusMsgEnum);
        REQUIRE(r.hasState());
        CHECK(r.getState().getStreamState() == OmmState::ClosedRecoverEnum);
        CHECK(text(r.getState().getStatusText()) == "later");
        REQUIRE(r.hasItemGroup());
        CHECK(text(r.getItemGroup()) == "\x01\x02");
        CHECK(r.getClearCache());
        CHECK(r.getPrivateStream());
    });
    m.clear();
    checkEmpty(m);
    CHECK_FALSE(m.hasState());
    CHECK_FALSE(m.hasItemGroup());
}

TEST_CASE("UpdateMsg keeps what was set", "[ema][msg]") {
    UpdateMsg m;
    setCommon(m).updateTypeNum(4).seqNum(5).permissionData(buffer("\x0A\x0B")).conflated(7, 8);
    m.publisherId(11, 0x7F000001).doNotCache(true).doNotConflate(true).doNotRipple(true);
    everyway(m, [](const UpdateMsg& r) {
        checkCommon(r);
        checkPublisher(r);
        checkPermission(r);
        CHECK(r.getDataType() == DataType::UpdateMsgEnum);
        CHECK(r.getUpdateTypeNum() == 4);
        CHECK(r.getSeqNum() == 5);
        REQUIRE(r.hasConflated());
        CHECK(r.getConflatedCount() == 7);
        CHECK(r.getConflatedTime() == 8);
        CHECK(r.getDoNotCache());
        CHECK(r.getDoNotConflate());
        CHECK(r.getDoNotRipple());
    });
    m.clear();
    checkEmpty(m);
    CHECK_FALSE(m.hasConflated());
    CHECK(m.getUpdateTypeNum() == 0);
}

TEST_CASE("GenericMsg keeps what was set", "[ema][msg]") {
    GenericMsg m;
    setCommon(m).seqNum(5).secondarySeqNum(6).partNum(7).permissionData(buffer("\x0A\x0B")).complete().providerDriven();
    everyway(m, [](const GenericMsg& r) {
        checkCommon(r);
        checkPermission(r);
        CHECK(r.getDataType() == DataType::GenericMsgEnum);
        CHECK(r.getSeqNum() == 5);
        CHECK(r.getSecondarySeqNum() == 6);
        CHECK(r.getPartNum() == 7);
        CHECK(r.getComplete());
    });
    m.clear();
    checkEmpty(m);
    CHECK_FALSE(m.getComplete());
}

TEST_CASE("PostMsg keeps what was set", "[ema][msg]") {
    PostMsg m;
    setCommon(m).seqNum(5).postId(6).partNum(7).postUserRights(5).permissionData(buffer("\x0A\x0B"));
    m.publisherId(11, 0x7F000001).solicitAck(true).complete();
    everyway(m, [](const PostMsg& r) {
        checkCommon(r);
        checkPermission(r);
        CHECK(r.getDataType() == DataType::PostMsgEnum);
        CHECK(r.getPublisherIdUserId() == 11);
        CHECK(r.getPublisherIdUserAddress() == 0x7F000001);
        CHECK(r.getSeqNum() == 5);
        CHECK(r.getPostId() == 6);
        CHECK(r.getPartNum() == 7);
        CHECK(r.getPostUserRights() == 5);
        CHECK(text(r.getPostUserRightsAsString()) == "Create | ModifyPermission");
        CHECK(r.getSolicitAck());
        CHECK(r.getComplete());
    });
    m.clear();
    checkEmpty(m);
    CHECK(m.getPublisherIdUserId() == 0);
    CHECK_FALSE(m.getSolicitAck());
    CHECK_FALSE(m.getComplete());
}

TEST_CASE("AckMsg keeps what was set", "[ema][msg]") {
    AckMsg m;
    setCommon(m).seqNum(5).ackId(6).nackCode(AckMsg::SymbolUnknownEnum).text("why").privateStream(true);
    everyway(m, [](const AckMsg& r) {
        checkCommon(r);
        CHECK(r.getDataType() == DataType::AckMsgEnum);
        CHECK(r.getSeqNum() == 5);
        CHECK(r.getAckId() == 6);
        CHECK(r.getNackCode() == 10);
        CHECK(text(r.getNackCodeAsString()) == "SymbolUnknown");
        CHECK(text(r.getText()) == "why");
        CHECK(r.getPrivateStream());
    });
    m.clear();
    checkEmpty(m);
    CHECK_FALSE(m.hasNackCode());
    CHECK_FALSE(m.hasText());
}

TEST_CASE("the name of the service comes from the context and survives copies", "[ema][msg]") {
    UpdateMsg sent;
    sent.name("N").serviceId(3);
    auto r = std::make_unique<ReceivedMsg<UpdateMsg>>(sent, &shippedFields(), "DIRECT_FEED");
    REQUIRE((*r)->hasServiceName());
    CHECK(text((*r)->getServiceName()) == "DIRECT_FEED");
    const UpdateMsg copy(**r);
    r.reset();
    CHECK(text(copy.getServiceName()) == "DIRECT_FEED");
    CHECK(copy.getServiceId() == 3);
    ReqMsg req;
    req.serviceName("S");
    CHECK(emissary::ema::MsgAccess::hasServiceName(req));
    CHECK(emissary::ema::MsgAccess::serviceName(req) == "S");
    CHECK_FALSE(req.hasServiceId());
}

TEST_CASE("a message inside another says nothing of the other's service", "[ema][msg]") {
    UpdateMsg inner;
    inner.name("IN").serviceId(77);
    PostMsg post;
    post.serviceId(1).name("OUT").payload(inner);
    const ReceivedMsg<PostMsg> r(post, &shippedFields(), "SVC_ONE");
    REQUIRE(r->hasServiceName());
    const UpdateMsg& in = r->getPayload().getUpdateMsg();
    CHECK_FALSE(in.hasServiceName());
    CHECK(in.getServiceId() == 77);
    CHECK_FALSE(emissary::ema::MsgAccess::hasServiceName(in));
    CHECK(text(in.toString()).find("SVC_ONE") == std::string::npos);
}

TEST_CASE("a copy of a received message can go to another service", "[ema][msg]") {
    UpdateMsg sent;
    sent.name("N").serviceId(3);
    const ReceivedMsg<UpdateMsg> r(sent, &shippedFields(), "DIRECT_FEED");
    UpdateMsg byId(*r);
    byId.serviceId(4);
    CHECK(byId.getServiceId() == 4);
    CHECK_FALSE(byId.hasServiceName());
    CHECK_USAGE(InvalidOperationEnum, byId.serviceName("OTHER"));  // the application has said which
    UpdateMsg byName(UpdateMsg{*r});
    byName.serviceName("OTHER");
    CHECK(text(byName.getServiceName()) == "OTHER");
    CHECK_FALSE(byName.hasServiceId());
    CHECK(text(byName.getName()) == "N");
    CHECK_USAGE(InvalidOperationEnum, byName.serviceId(4));
    UpdateMsg built;  // what the application set stays its own choice in a copy
    built.serviceId(3);
    UpdateMsg copy(built);
    CHECK_USAGE(InvalidOperationEnum, copy.serviceName("OTHER"));
}

TEST_CASE("a refresh without state() is Open, Ok and None on the wire", "[ema][msg]") {
    RefreshMsg sent, spelled;
    sent.name("N").serviceId(3);
    spelled.name("N").serviceId(3).state();
    CHECK(encode(sent) == encode(spelled));
    const auto check = [](const RefreshMsg& m) { CHECK(text(m.getState().toString()) == "Open / Ok / None / ''"); };
    check(sent);
    check(*ReceivedMsg<RefreshMsg>(sent));
    check(RefreshMsg(sent));
    SECTION("after clear() as well") {
        sent.state(OmmState::ClosedEnum, OmmState::SuspectEnum, 1, "gone").clear();
        check(sent);
    }
    SECTION("inside another message") {
        const ReceivedMsg<UpdateMsg> outer(UpdateMsg().payload(sent));
        check(outer->getPayload().getRefreshMsg());
    }
    SECTION("a status without state() has none") {
        CHECK_FALSE(StatusMsg().name("N").hasState());
    }
}

TEST_CASE("state and quality of a message have bytes to show", "[ema][msg]") {
    RefreshMsg sent;
    sent.name("N").state(OmmState::OpenEnum, OmmState::SuspectEnum, 3, "late").qos(5, OmmQos::TickByTickEnum);
    const ReceivedMsg<RefreshMsg> r(sent);
    ElementList list;
    list.addState("s", OmmState::OpenEnum, OmmState::SuspectEnum, 3, "late").addQos("q", 5, OmmQos::TickByTickEnum);
    list.complete();
    UpdateMsg with;
    with.payload(list);
    const ReceivedMsg<UpdateMsg> stored(with);
    const ElementList& in = stored->getPayload().getElementList();
    REQUIRE(in.forth());
    CHECK(hex(r->getState()) == hex(in.getEntry().getState()));
    CHECK(hex(r->getState()).size() > 4);
    REQUIRE(in.forth());
    CHECK(hex(r->getQos()) == hex(in.getEntry().getQos()));
    CHECK_FALSE(hex(r->getQos()).empty());
}

TEST_CASE("two getters of one object keep two texts", "[ema][msg]") {
    ReqMsg req;
    req.qos(7, 9);
    const EmaString& rate = req.getRateAsString();
    const std::string rateBefore = text(rate);
    const EmaString& timeliness = req.getTimelinessAsString();
    CHECK(text(rate) == rateBefore);
    CHECK(text(timeliness) != rateBefore);
    RefreshMsg sent;
    sent.qos(7, 9).state();
    const ReceivedMsg<RefreshMsg> r(sent);
    const EmaString& shownRate = r->getQos().getRateAsString();
    CHECK(text(r->getQos().getTimelinessAsString()) == "Timeliness: 7");
    CHECK(text(shownRate) == "Rate: 9");
}

TEST_CASE("a copy keeps the dictionary that its content needs", "[ema][msg]") {
    auto dictionary = std::make_shared<Dictionary>(shippedFields());
    const std::weak_ptr<const Dictionary> watched = dictionary;
    RefreshMsg sent;
    FieldList fields;
    fields.addReal(22, 1025, OmmReal::ExponentNeg2Enum).complete();
    sent.name("N").serviceId(3).state().payload(fields);
    auto received = std::make_unique<ReceivedMsg<RefreshMsg>>(sent, dictionary.get());
    auto copy = std::make_unique<RefreshMsg>(**received);
    // The session ends: the message and the only other owner of the dictionary are gone.
    received.reset();
    dictionary.reset();
    REQUIRE_FALSE(watched.expired());
    const auto check = [](const RefreshMsg& m) {
        const FieldList& in = m.getPayload().getFieldList();
        REQUIRE(in.forth());
        CHECK(text(in.getEntry().getName()) == "BID");
        CHECK(in.getEntry().getReal().getMantissa() == 1025);
        CHECK(text(m.toString()).find("dataType=\"Real\"") != std::string::npos);
    };
    check(*copy);
    const auto again = std::make_unique<RefreshMsg>(*copy);
    copy.reset();
    REQUIRE_FALSE(watched.expired());
    check(*again);
    again->clear();
    CHECK(watched.expired());
}

TEST_CASE("messages copy what they are given", "[ema][msg]") {
    UpdateMsg m;
    {
        EmaString name("short lived");
        FieldList fields;
        body(fields);
        m.name(name).payload(fields);
        name.set("something else, quite long to force new memory");
        fields.clear().addUInt(1, 1);
    }
    CHECK(text(m.getName()) == "short lived");
    const FieldList& fields = m.getPayload().getFieldList();
    REQUIRE(fields.forth());
    CHECK(fields.getEntry().getFieldId() == 22);
}

TEST_CASE("an open payload is completed by the message", "[ema][msg]") {
    FieldList fields;
    fields.addUInt(1, 5);
    UpdateMsg m;
    m.payload(fields);
    const ReceivedMsg<UpdateMsg> r(m);
    REQUIRE(r->getPayload().getFieldList().forth());
    CHECK(r->getPayload().getFieldList().getEntry().getUInt() == 5);
    FieldList blocked;
    ElementList child;
    blocked.addElementList(1, child);
    CHECK_USAGE(InvalidOperationEnum, m.payload(blocked));
}

TEST_CASE("a reused message object shows the message it points at, nothing older", "[ema][msg]") {
    UpdateMsg first, second;
    FieldList fields;
    first.name("FIRST").seqNum(1).permissionData(buffer("\x0A")).payload(body(fields));
    second.name("SECOND");
    const std::vector<std::byte> one = encode(first), two = encode(second);
    codec::Msg wire;
    const emissary::ema::DecodeContext context{&shippedFields(), {}, false};
    UpdateMsg shown;
    REQUIRE(codec::decodeMsg(one, wire).ok());
    emissary::ema::MsgAccess::point(shown, wire, context);
    CHECK(text(shown.getName()) == "FIRST");
    REQUIRE(shown.getPayload().getFieldList().forth());
    REQUIRE(codec::decodeMsg(two, wire).ok());
    emissary::ema::MsgAccess::point(shown, wire, context);
    CHECK(text(shown.getName()) == "SECOND");
    CHECK_FALSE(shown.hasSeqNum());
    CHECK_FALSE(shown.hasPermissionData());
    CHECK(shown.getPayload().getDataType() == DataType::NoDataEnum);
    REQUIRE(codec::decodeMsg(one, wire).ok());
    emissary::ema::MsgAccess::point(shown, wire, context);
    REQUIRE(shown.getPayload().getFieldList().forth());
    CHECK(shown.getPayload().getFieldList().getEntry().getReal().getMantissa() == 1025);
    CHECK_FALSE(shown.getPayload().getFieldList().forth());
}

TEST_CASE("received messages are not changed", "[ema][msg]") {
    UpdateMsg sent;
    sent.name("N");
    const ReceivedMsg<UpdateMsg> r(sent);
    auto& received = const_cast<UpdateMsg&>(*r);
    CHECK_USAGE(InvalidOperationEnum, received.name("M"));
    UpdateMsg copy(*r);
    copy.name("M");
    CHECK(text(copy.getName()) == "M");
    CHECK(text(r->getName()) == "N");
}

TEST_CASE("the example refresh prints exactly through the message", "[ema][msg]") {
    FieldList fields;
    fields.info(1, 0).addReal(22, 1025, OmmReal::ExponentNeg2Enum).complete();
    RefreshMsg m;
    m.streamId(5).name("ABC.X").nameType(1).serviceId(1).solicited(true).complete().qos().payload(fields);
    m.state(OmmState::OpenEnum, OmmState::OkEnum, 0, "image ready");
    const ReceivedMsg<RefreshMsg> r(m, &shippedFields(), "DIRECT_FEED");
    CHECK(text(r->toString()) == kExampleRefresh);
    CHECK(std::string(*r) == kExampleRefresh);
    CHECK(text(RefreshMsg(*r).toString()) == kExampleRefresh);
}
