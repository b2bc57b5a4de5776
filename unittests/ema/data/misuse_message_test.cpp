// Wrong use of messages and of view definitions has its exception and code (ema-api.md 0.3, 2.6, 4.1).
#include "misuse.h"

using namespace ematest;

TEST_CASE("view definitions are checked", "[ema][misuse]") {
    FieldList fields;
    fields.addUInt(1, 1).addReal(22, 1, OmmReal::Exponent0Enum).addReal(25, 2, OmmReal::Exponent0Enum).complete();
    const auto msg = received(fields);
    const FieldList& in = msg->getPayload().getFieldList();
    SECTION("a good one stops at its fields") {
        OmmArray ids;
        ids.addInt(25).addInt(1).complete();
        ElementList view;
        view.addUInt(":ViewType", 1).addArray(":ViewData", ids).complete();
        REQUIRE(in.forth(view));
        CHECK(in.getEntry().getFieldId() == 1);
        REQUIRE(in.forth(view));
        CHECK(in.getEntry().getFieldId() == 25);
        CHECK_FALSE(in.forth(view));
    }
    SECTION("malformed ones are refused") {
        ElementList noType;
        OmmArray ids;
        ids.addInt(25).complete();
        noType.addArray(":ViewData", ids).addUInt("more", 1).complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(noType)); }).cls == "OmmInvalidUsageException");
        ElementList wrongType;
        wrongType.addUInt(":ViewType", 2).addArray(":ViewData", ids).complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(wrongType)); }).cls == "OmmInvalidUsageException");
        ElementList noData;
        noData.addUInt(":ViewType", 1).complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(noData)); }).cls == "OmmInvalidUsageException");
        FieldList list;
        list.complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(list)); }).cls == "OmmInvalidUsageException");
    }
    SECTION("arrays of ids and of names under any name name fields, too") {
        const auto stopsAt = [&](const ElementList& view) {
            std::vector<int> ids;
            in.reset();
            while (in.forth(view))
                ids.push_back(in.getEntry().getFieldId());
            return ids;
        };
        ElementList ids, names, both, fixed;
        ids.addArray("", OmmArray().addInt(25).addInt(1).complete()).complete();
        CHECK(stopsAt(ids) == std::vector<int>{1, 25});
        names.addArray("", OmmArray().addAscii("ASK").addAscii("no such field").complete()).complete();
        CHECK(stopsAt(names) == std::vector<int>{25});
        both.addArray("a", OmmArray().addInt(22).complete());
        both.addArray("b", OmmArray().addAscii("ASK").complete()).complete();
        CHECK(stopsAt(both) == std::vector<int>{22, 25});
        fixed.addArray("", OmmArray().fixedWidth(8).addAscii("BID").complete()).complete();
        CHECK(stopsAt(fixed) == std::vector<int>{22});
        const auto received = [](const ElementList& view) { return ReceivedMsg<UpdateMsg>(UpdateMsg().payload(view)); };
        CHECK(stopsAt(received(both)->getPayload().getElementList()) == std::vector<int>{22, 25});
        SECTION("names need a dictionary") {
            const ReceivedMsg<UpdateMsg> bare(UpdateMsg().payload(fields), nullptr);
            CHECK_FALSE(bare->getPayload().getFieldList().forth(names));
        }
        SECTION("other entries are refused") {
            const auto refused = [&](const ElementList& view) { CHECK_USAGE(InvalidArgumentEnum, in.forth(view)); };
            refused(ElementList().addInt("", 25).complete());
            refused(ElementList().addArray("", OmmArray().addUInt(25).complete()).complete());
            refused(ElementList().addArray("", OmmArray().addInt(70000).complete()).complete());
            refused(ElementList().addArray("", OmmArray().addInt(25).complete()).addAscii("", "BID").complete());
            refused(ElementList().complete());
        }
        SECTION("element lists take arrays of names") {
            ElementList elements;
            elements.addUInt("a", 1).addUInt("b", 2).complete();
            const ReceivedMsg<UpdateMsg> other(UpdateMsg().payload(elements));
            ElementList view;
            view.addArray("", OmmArray().addAscii("b").complete()).complete();
            REQUIRE(other->getPayload().getElementList().forth(view));
            CHECK(other->getPayload().getElementList().getEntry().getUInt() == 2);
            CHECK_USAGE(InvalidArgumentEnum, other->getPayload().getElementList().forth(ids));
        }
    }
    SECTION("so are those whose values are of other types") {
        const auto refused = [&](auto setType, auto setData) {
            OmmArray data;
            setData(data);
            ElementList view;
            setType(view);
            view.addArray(":ViewData", data.complete()).complete();
            CHECK_USAGE(InvalidArgumentEnum, in.forth(view));
        };
        const auto ids = [](OmmArray& a) { a.addInt(25); };
        const auto names = [](OmmArray& a) { a.addAscii("BID"); };
        const auto fieldView = [](ElementList& l) { l.addUInt(":ViewType", 1); };
        refused([](ElementList& l) { l.addInt(":ViewType", 1); }, ids);
        refused([](ElementList& l) { l.addAscii(":ViewType", "\x01"); }, ids);
        refused(fieldView, [](OmmArray& a) { a.addUInt(25); });
        refused(fieldView, names);
        refused(fieldView, [](OmmArray& a) { a.addInt(25).addInt(70000); });
        refused(fieldView, [](OmmArray& a) { a.addInt(25).addCodeInt(); });
        ElementList elements;
        elements.addUInt("a", 1).complete();
        const auto other = received(elements);
        OmmArray buffers;
        buffers.addBuffer(EmaBuffer("a", 1)).complete();
        ElementList view;
        view.addUInt(":ViewType", 2).addArray(":ViewData", buffers).complete();
        CHECK_USAGE(InvalidArgumentEnum, other->getPayload().getElementList().forth(view));
    }
}

TEST_CASE("members that do not fit their wire form are refused where they are set", "[ema][misuse]") {
    const EmaString name256 = letters(256);
    const EmaBuffer bytes256(name256.c_str(), 256), bytes32768(letters(32768).c_str(), 32768);
    const EmaString text32768 = letters(32768);
    const auto names = [](const Thrown& t, const char* member) {
        INFO(t);
        CHECK(t.cls == "OmmOutOfRangeException");
        CHECK(t.text.find(member) != std::string::npos);
    };
    RefreshMsg refresh;
    names(thrownBy([&] { refresh.name(name256); }), "RefreshMsg: name");
    CHECK_FALSE(refresh.hasMsgKey());
    names(thrownBy([&] { refresh.extendedHeader(bytes256); }), "RefreshMsg: extendedHeader");
    names(thrownBy([&] { refresh.itemGroup(bytes256); }), "RefreshMsg: itemGroup");
    names(thrownBy([&] { refresh.permissionData(bytes32768); }), "RefreshMsg: permissionData");
    names(thrownBy([&] { refresh.state(OmmState::OpenEnum, OmmState::OkEnum, 0, text32768); }),
          "RefreshMsg: statusText");
    OmmOpaque large;
    large.set(letters(32767));
    names(thrownBy([&] { refresh.attrib(large); }), "RefreshMsg: attrib");
    CHECK_FALSE(refresh.hasExtendedHeader());
    CHECK_FALSE(refresh.hasPermissionData());
    CHECK_NOTHROW(refresh.name(letters(255)).extendedHeader(EmaBuffer(name256.c_str(), 255)).state());
    CHECK_NOTHROW(encode(refresh));
    StatusMsg status;
    names(thrownBy([&] { status.state(OmmState::OpenEnum, OmmState::OkEnum, 0, text32768); }), "StatusMsg: statusText");
    CHECK_FALSE(status.hasState());
    names(thrownBy([&] { AckMsg().text(letters(65536)); }), "AckMsg: text");
}

TEST_CASE("a message carries nothing that is empty", "[ema][misuse]") {
    UpdateMsg m;
    CHECK_USAGE(InvalidOperationEnum, m.payload(OmmXml()));
    CHECK_USAGE(InvalidOperationEnum, m.payload(ReqMsg()));
    CHECK_USAGE(InvalidOperationEnum, m.attrib(OmmOpaque()));
    CHECK_FALSE(m.hasMsgKey());
    CHECK(m.getPayload().getDataType() == DataType::NoDataEnum);
}

TEST_CASE("keys and reals are of kinds that exist", "[ema][misuse]") {
    Map m;
    CHECK_USAGE(InvalidOperationEnum, m.keyType(DataType::ArrayEnum));
    CHECK_USAGE(InvalidOperationEnum, m.keyType(DataType::NoDataEnum));
    CHECK_USAGE(InvalidOperationEnum, m.keyType(static_cast<DataType::DataTypeEnum>(7)));
    CHECK_USAGE(InvalidOperationEnum, m.keyType(static_cast<DataType::DataTypeEnum>(0)));
    CHECK_USAGE(InvalidOperationEnum, m.keyType(static_cast<DataType::DataTypeEnum>(261)));
    CHECK_NOTHROW(m.keyType(DataType::AsciiEnum));
    FieldList f;
    for (const int magnitude : {31, 32, 36, 63})
        CHECK_OUT_OF_RANGE(f.addReal(1, 1, static_cast<OmmReal::MagnitudeType>(magnitude)));
    CHECK_OUT_OF_RANGE(Map().addKeyReal(1, static_cast<OmmReal::MagnitudeType>(31), MapEntry::AddEnum));
    CHECK_NOTHROW(f.addReal(1, 1, OmmReal::NotANumberEnum).addReal(1, 1, OmmReal::Divisor256Enum));
}

TEST_CASE("messages refuse what they do not have", "[ema][misuse]") {
    const UpdateMsg m;
    CHECK_USAGE(InvalidOperationEnum, m.getName());
    CHECK_USAGE(InvalidOperationEnum, m.getNameType());
    CHECK_USAGE(InvalidOperationEnum, m.getServiceId());
    CHECK_USAGE(InvalidOperationEnum, m.getServiceName());
    CHECK_USAGE(InvalidOperationEnum, m.getId());
    CHECK_USAGE(InvalidOperationEnum, m.getFilter());
    CHECK_USAGE(InvalidOperationEnum, m.getExtendedHeader());
    CHECK_USAGE(InvalidOperationEnum, m.getSeqNum());
    CHECK_USAGE(InvalidOperationEnum, m.getPermissionData());
    CHECK_USAGE(InvalidOperationEnum, m.getConflatedCount());
    CHECK_USAGE(InvalidOperationEnum, m.getConflatedTime());
    CHECK_USAGE(InvalidOperationEnum, m.getPublisherIdUserId());
    CHECK_USAGE(InvalidOperationEnum, m.getPublisherIdUserAddress());
    const ReqMsg req;
    CHECK_USAGE(InvalidOperationEnum, req.getPriorityClass());
    CHECK_USAGE(InvalidOperationEnum, req.getPriorityCount());
    CHECK_USAGE(InvalidOperationEnum, req.getQosRate());
    CHECK_USAGE(InvalidOperationEnum, req.getQosTimeliness());
    const RefreshMsg refresh;
    CHECK_USAGE(InvalidOperationEnum, refresh.getQos());
    CHECK_USAGE(InvalidOperationEnum, refresh.getPartNum());
    const StatusMsg status;
    CHECK_USAGE(InvalidOperationEnum, status.getState());
    CHECK_USAGE(InvalidOperationEnum, status.getItemGroup());
    const GenericMsg generic;
    CHECK_USAGE(InvalidOperationEnum, generic.getSecondarySeqNum());
    const PostMsg post;
    CHECK_USAGE(InvalidOperationEnum, post.getPostId());
    CHECK_USAGE(InvalidOperationEnum, post.getPostUserRights());
    const AckMsg ack;
    CHECK_USAGE(InvalidOperationEnum, ack.getNackCode());
    CHECK_USAGE(InvalidOperationEnum, ack.getText());
}

TEST_CASE("a service has a name or an id, and domains end at 255", "[ema][misuse]") {
    const auto check = [](auto m) {
        m.serviceName("S");
        CHECK_USAGE(InvalidOperationEnum, m.serviceId(1));
        m.clear();
        m.serviceId(1);
        CHECK_USAGE(InvalidOperationEnum, m.serviceName("S"));
    };
    check(ReqMsg());
    check(RefreshMsg());
    check(StatusMsg());
    check(UpdateMsg());
    check(PostMsg());
    check(AckMsg());
    const auto domain = [](auto m) {
        CHECK_NOTHROW(m.domainType(255));
        try {
            m.domainType(256);
            FAIL("nothing was thrown");
        } catch (const OmmUnsupportedDomainTypeException& e) {
            CHECK(text(e.getText()) == "Passed in DomainType is out of range.");
            CHECK(e.getDomainType() == 256);
        }
    };
    domain(ReqMsg());
    domain(RefreshMsg());
    domain(StatusMsg());
    domain(UpdateMsg());
    domain(PostMsg());
    domain(AckMsg());
    domain(GenericMsg());
}
