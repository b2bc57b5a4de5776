// What a peer sends stays text: toString() and << spell out what a terminal would obey, and what cannot be read as
// text is shown in part instead of being taken for an error (ema-api.md 15).
#include "Ema.h"
#include "support.h"

#include "eta/core/printable.h"

#include <sstream>

using namespace ematest;
using emissary::eta::LineBreaks;
using emissary::eta::printable;

namespace {

/// Every byte that could move a cursor, and bytes that are no UTF-8.
std::string hostile() {
    std::string all = "\x1b]0;title\x07";
    for (int c = 0; c < 0x20; ++c)
        all += static_cast<char>(c);
    return all + "\x7f\x9b\xff\xc2\x9b end";
}

bool harmless(std::string_view shown, std::string_view allowed = "\n") {
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto c = static_cast<unsigned char>(shown[i]);
        if (c == 0x7F || (c < 0x20 && allowed.find(shown[i]) == std::string_view::npos)) return false;
        if (c >= 0x80 && c < 0xA0 && (i == 0 || static_cast<unsigned char>(shown[i - 1]) < 0xC3)) return false;
    }
    return true;
}

template <class T>
std::string streamed(const T& value) {
    std::ostringstream out;
    out << static_cast<const char*>(value);
    return out.str();
}

}  // namespace

TEST_CASE("printable() spells out what a terminal would obey, and nothing else", "[ema][escape]") {
    CHECK(printable("plain ~") == "plain ~");
    CHECK(printable("back\\slash \"quoted\"") == "back\\slash \"quoted\"");
    CHECK(printable("\x1b[2J\r\n\t") == "\\x1B[2J\\x0D\\x0A\\x09");
    CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
    CHECK(printable("\x7f") == "\\x7F");
    SECTION("UTF-8 stays, what is none and the C1 controls do not") {
        CHECK(printable("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80") == "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
        CHECK(printable("\xc2\xa0") == "\xc2\xa0");
        CHECK(printable("\xc2\x9b") == "\\xC2\\x9B");
        CHECK(printable("\xff\xfe") == "\\xFF\\xFE");
        CHECK(printable("\x9b"
                        "2J") == "\\x9B2J");
        CHECK(printable("\xc3") == "\\xC3");                             // cut short
        CHECK(printable("\xe2\x82") == "\\xE2\\x82");                    // cut short
        CHECK(printable("\xc0\x9b") == "\\xC0\\x9B");                    // overlong
        CHECK(printable("\xe0\x80\x9b") == "\\xE0\\x80\\x9B");           // overlong
        CHECK(printable("\xed\xa0\x80") == "\\xED\\xA0\\x80");           // a surrogate
        CHECK(printable("\xf4\x90\x80\x80") == "\\xF4\\x90\\x80\\x80");  // beyond the last plane
        CHECK(printable("\xf0\x80\x80\x9b") == "\\xF0\\x80\\x80\\x9B");
    }
    SECTION("lines may be kept, a lone carriage return never is") {
        CHECK(printable("a\nb\tc\r\nd\re\x1b", LineBreaks::kept) == "a\nb\tc\r\nd\\x0De\\x1B");
    }
    SECTION("once is enough") {
        const std::string once = printable(hostile());
        CHECK(harmless(once, ""));
        CHECK(printable(once) == once);
    }
}

TEST_CASE("texts of values are fit for a terminal", "[ema][escape]") {
    const std::string bad = hostile();
    ElementList list;
    list.addAscii("ascii", EmaString(bad.data(), static_cast<UInt32>(bad.size()))).addUtf8("utf8", buffer(bad));
    list.addRmtes("rmtes", buffer("bell\x07 and \xff")).addBuffer("buffer", buffer(bad));
    list.addState("state", OmmState::OpenEnum, OmmState::OkEnum, 0,
                  EmaString(bad.data(), static_cast<UInt32>(bad.size())));
    list.addArray("array", OmmArray().addAscii(EmaString(bad.data(), static_cast<UInt32>(bad.size()))).complete());
    list.addAscii(EmaString(bad.data(), 20), "name").complete();
    const ReceivedMsg<RefreshMsg> msg(
        RefreshMsg()
            .name(EmaString(bad.data(), static_cast<UInt32>(bad.size())))
            .state(OmmState::OpenEnum, OmmState::OkEnum, 0, EmaString(bad.data(), static_cast<UInt32>(bad.size())))
            .attrib(list)
            .payload(list));
    CHECK(harmless(text(msg->toString())));
    CHECK(harmless(streamed(*msg)));
    CHECK(harmless(text(msg->getState().toString()), ""));
    const ElementList& in = msg->getPayload().getElementList();
    CHECK(harmless(text(in.toString())));
    while (in.forth()) {
        const ElementEntry& e = in.getEntry();
        INFO(printable(text(e.getName())));
        CHECK(harmless(text(e.toString())));
        CHECK(harmless(text(e.getLoad().toString())));
        CHECK(harmless(streamed(e.getLoad())));
        CHECK(e.getLoadType() != DataType::ErrorEnum);
        CHECK(text(e.toString()).find("OmmError") == std::string::npos);
    }
    SECTION("the values themselves are what was sent") {
        in.reset();
        REQUIRE(in.forth());
        CHECK(text(in.getEntry().getAscii()) == bad);
        REQUIRE(in.forth());
        CHECK(text(in.getEntry().getUtf8()) == bad);
        CHECK(text(msg->getName()) == bad);
        CHECK(text(msg->getState().getStatusText()) == bad);
    }
    SECTION("a byte that RMTES does not have is shown, not an error") {
        in.reset();
        REQUIRE(in.forth(EmaString("rmtes")));
        CHECK(text(in.getEntry().getLoad().toString()) == "bell\\x07 and \\xFF");
        CHECK(text(in.getEntry().toString()) ==
              "ElementEntry  name=\"rmtes\" dataType=\"Rmtes\" value=\"bell\\x07 and \\xFF\"\n");
        CHECK_USAGE(InvalidDataEnum, in.getEntry().getRmtes().getAsUTF8());
    }
}

TEST_CASE("broken UTF-8 in names and status texts is shown byte by byte", "[ema][escape]") {
    using namespace std::string_literals;
    const std::string broken = "\xe2\x82 \xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 gr\xc3\xbc\xc3\x9f \x9b"
                               "1m\0\r\n\x1b\xc3"s;
    const std::string shown = "\\xE2\\x82 \\xC0\\xAF \\xED\\xA0\\x80 \\xF4\\x90\\x80\\x80 gr\xc3\xbc\xc3\x9f "
                              "\\x9B1m\\x00\\x0D\\x0A\\x1B\\xC3";
    const EmaString sent(broken.data(), static_cast<UInt32>(broken.size()));
    const auto check = [&](const std::string& all) {
        INFO(printable(all, LineBreaks::kept));
        CHECK(all.find("name=\"" + shown + "\"") != std::string::npos);
        CHECK(all.find("OmmError") == std::string::npos);
        CHECK(harmless(all));
    };
    const ReceivedMsg<StatusMsg> status(
        StatusMsg().name(sent).state(OmmState::OpenEnum, OmmState::SuspectEnum, OmmState::NoneEnum, sent));
    check(text(status->toString()));
    check(streamed(*status));
    CHECK(text(status->toString()).find("/ '" + shown + "'\"") != std::string::npos);
    CHECK(text(status->getState().toString()).find("'" + shown + "'") != std::string::npos);
    check(text(ReceivedMsg<RefreshMsg>(RefreshMsg().name(sent))->toString()));
    check(text(ReceivedMsg<UpdateMsg>(UpdateMsg().name(sent))->toString()));
    check(text(ReceivedMsg<ReqMsg>(ReqMsg().name(sent))->toString()));
    check(text(ReceivedMsg<PostMsg>(PostMsg().name(sent))->toString()));
    check(text(ReceivedMsg<GenericMsg>(GenericMsg().name(sent))->toString()));
    check(text(ReceivedMsg<AckMsg>(AckMsg().name(sent).text(sent))->toString()));
}

TEST_CASE("an RMTES buffer shows its text with its lines, but no control characters", "[ema][escape]") {
    const std::string content = "two\nlines\a";
    const RmtesBuffer shown(content.data(), static_cast<UInt32>(content.size()));
    CHECK(text(shown.toString()) == "two\nlines\\x07");
    CHECK(text(shown.getAsUTF8()) == content);
}

TEST_CASE("texts of keys, acknowledgements, Xml and Json are fit for a terminal", "[ema][escape]") {
    const std::string bad = hostile();
    const EmaString badText(bad.data(), static_cast<UInt32>(bad.size()));
    SECTION("map keys and permission data") {
        const ReceivedMsg<UpdateMsg> msg(
            UpdateMsg().payload(Map().addKeyAscii(badText, MapEntry::DeleteEnum, buffer(bad)).complete()));
        CHECK(harmless(text(msg->toString())));
        const Map& map = msg->getPayload().getMap();
        REQUIRE(map.forth());
        CHECK(harmless(text(map.getEntry().toString())));
        CHECK(harmless(text(map.getEntry().getKey().getData().toString()), ""));
    }
    SECTION("Xml and Json keep their lines") {
        const EmaString lines = EmaString("<a>\r\n\t").append(badText).append("\n</a>");
        const ReceivedMsg<UpdateMsg> xml(UpdateMsg().payload(OmmXml().set(lines)));
        const std::string shown = text(xml->getPayload().getData().toString());
        CHECK(harmless(shown, "\n\r\t"));
        CHECK(shown.find("<a>\r\n\t\\x1B]0;title\\x07") != std::string::npos);
        const ReceivedMsg<UpdateMsg> json(UpdateMsg().payload(OmmJson().set(lines)));
        CHECK(harmless(text(json->toString()), "\n\r\t"));
    }
    SECTION("acknowledgements and service names") {
        const ReceivedMsg<AckMsg> msg(AckMsg().name(badText).text(badText), &shippedFields(), "S\x1b");
        CHECK(harmless(text(msg->toString())));
    }
    SECTION("channels, as their peers name themselves") {
        const ChannelInformation channel(badText, badText, badText, ChannelInformation::ActiveEnum,
                                         ChannelInformation::SocketEnum, ChannelInformation::RwfEnum, 14, 1, 60);
        CHECK(harmless(text(channel.toString()), "\n\t"));
        CHECK(text(channel.getConnectedComponentInfo()) == bad);
    }
    SECTION("logins") {
        refinitiv::ema::domain::login::Login::LoginRefresh login;
        login.name(badText).applicationName(badText).state(OmmState::OpenEnum, OmmState::OkEnum, 0, badText);
        CHECK(harmless(text(login.toString())));
    }
    SECTION("dictionaries") {
        Dictionary d;
        REQUIRE(d.parseFields("A\x1b \"B\x1b\" 1 NULL PRICE 1 INT 1\n", "f").text.empty());
        FieldList fields;
        fields.addInt(1, 5).complete();
        const ReceivedMsg<UpdateMsg> msg(UpdateMsg().payload(fields), &d);
        CHECK(harmless(text(msg->toString())));
        const auto& dictionary =
            refinitiv::ema::rdm::DictionaryUtility::dataDictionary(msg->getPayload().getFieldList());
        CHECK(harmless(text(dictionary.toString())));
        CHECK(harmless(text(dictionary.getEntry(1).toString())));
    }
}
