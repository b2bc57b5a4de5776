// rwfcat as people run it.
#include "eta/codec/model/json.h"
#include "support.h"
#include "support/paths.h"

using namespace emissary::eta::codec::model;
using emissary::test::has;
using emissary::test::Ran;
using emissary::test::run;
using emissary::test::TempFolder;

namespace {

const std::string kProgram = RWFCAT_PROGRAM;
const std::string kEtc = emissary::test::sourcePath("/etc");

// An update of stream 5 with BID 33.91 and an unknown field 32767.
const std::string kUpdate = "0009040600000005000400"
                            "080002"
                            "0016"
                            "03"
                            "0c0d3f"
                            "7fff"
                            "01"
                            "41";

}  // namespace

TEST_CASE("messages as hex lines", "[rwfcat]") {
    const TempFolder folder;
    std::string lines = "# all messages without fields\n\n";
    std::vector<std::string> expected;
    forEachVector("messages.jsonl", [&](const Vector& v) {
        std::string text = dump(*v.value);
        if (has(text, "FieldList(")) return;  // their types need a dictionary of their own
        // The passwords of these messages, "x", are not printed.
        static const std::string kName = hex(emissary::eta::asBytes("Password"));
        for (auto at = text.find(kName); at != text.npos; at = text.find(kName, at + 1))
            text.replace(text.find("'78'", at), 4, "'2a'");
        lines += hex(v.bytes) + "\r\n";
        expected.push_back(text);
    });
    folder.write("in.hex", lines);
    const Ran ran = run(folder, kProgram + " in.hex");
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    std::size_t at = 0;
    forEachVectorIn(folder.file("out"), [&](const Vector& v) {
        REQUIRE(at < expected.size());
        CHECK(v.name == "line " + std::to_string(at + 3));
        CHECK(v.kind == "msg");
        CHECK(dump(*v.value) == expected[at++]);
    });
    CHECK(at == expected.size());
    CHECK(at > 350);
    const Ran piped = run(folder, kProgram + " --schema text - < in.hex");
    CHECK(piped.code == 0);
    CHECK(has(piped.out, "# line 3\n"));
    CHECK(has(piped.out, "ReqMsgEnd"));
    CHECK(has(piped.out, "RefreshMsgEnd"));
}

TEST_CASE("a list that cannot be written whole is no success", "[rwfcat]") {
    const TempFolder folder;
    folder.write("in.hex", kUpdate + "\n");
    const Ran full = run(folder, "(" + kProgram + " in.hex > /dev/full)");
    CHECK(full.code == 2);
    CHECK(has(full.err, "standard output cannot be written: No space left on device"));
    // As long as no signal ends it: a limit on files is said in the same way.
    std::string many;
    for (int i = 0; i < 1000; ++i)
        many += kUpdate + "\n";
    folder.write("many.hex", many);
    const Ran limited = run(folder, "(ulimit -f 8; " + kProgram + " many.hex > limited.out)");
    CHECK(limited.code == 2);
    CHECK(has(limited.err, "File too large"));
    CHECK(run(folder, "(" + kProgram + " --help > /dev/full)").code == 1);
}

TEST_CASE("a dictionary names the fields", "[rwfcat]") {
    const TempFolder folder;
    folder.write("in.hex", kUpdate + "\n");
    const Ran plain = run(folder, kProgram + " in.hex");
    CHECK(plain.code == 0);
    CHECK(has(plain.out, R"({"fid":22,"value":{"t":"Buffer","unknown":true,"hex":"0c0d3f"}})"));
    const Ran named = run(folder, kProgram + " --dictionary " + kEtc + " in.hex");
    CHECK(named.code == 0);
    CHECK(has(named.out, R"({"fid":22,"name":"BID","value":{"t":"Real","hint":12,"v":"3391"}})"));
    const Ran text = run(folder, kProgram + " --schema text --dictionary " + kEtc + " in.hex");
    CHECK(text.code == 0);
    CHECK(has(text.out, "UpdateMsg"));
    CHECK(has(text.out, R"(FieldEntry fid="22" name="BID" dataType="Real" value="33.91")"));
    const Ran missing = run(folder, kProgram + " --dictionary nowhere in.hex");
    CHECK(missing.code == 2);
    CHECK(has(missing.err, "nowhere/RDMFieldDictionary"));
}

TEST_CASE("bad bytes give an exit code and a place, and the good ones are still printed", "[rwfcat]") {
    const TempFolder folder;
    for (std::size_t cut = 0; cut < kUpdate.size() / 2; ++cut) {
        INFO(cut);
        folder.write("in.hex", kUpdate + "\n" + kUpdate.substr(0, cut * 2) + "\n" + kUpdate + "\n");
        const Ran ran = run(folder, kProgram + " in.hex");
        if (cut == 0) continue;               // an empty line
        const bool wholePayload = cut == 11;  // header only: an empty list
        CHECK(ran.code == (wholePayload ? 0 : 1));
        if (wholePayload) continue;
        CHECK(has(ran.err, "in.hex: error: line 2, byte "));
        CHECK(has(ran.out, R"("name":"line 1")"));
        CHECK(has(ran.out, R"("kind":"negative")"));
        CHECK(has(ran.out, R"("name":"line 3")"));
    }
    folder.write("in.hex", kUpdate + "\n00 0x\n" + kUpdate + "0\n");
    const Ran digits = run(folder, kProgram + " --input hex in.hex");
    CHECK(digits.code == 1);
    CHECK(has(digits.err, "in.hex: error: line 2, column 5: not a hex digit"));
    CHECK(has(digits.err, "in.hex: error: line 3, an odd number of hex digits"));
}

TEST_CASE("a slip in hex is named with its place, and not read as something else", "[rwfcat]") {
    const TempFolder folder;
    // In the first line too, which decides what the input is.
    for (const auto& [slip, column] : {std::pair{"O", 9}, {"g", 1}, {"\xC2\xA0", 3}, {"0x", 1}, {"{", 20}}) {
        std::string line = kUpdate;
        line.insert(static_cast<std::size_t>(column - 1), slip);
        INFO(line);
        folder.write("in.hex", line + "\n" + kUpdate + "\n");
        const Ran ran = run(folder, kProgram + " in.hex");
        CHECK(ran.code == 1);
        const int at = slip == std::string_view("0x") ? column + 1 : column;
        CHECK(has(ran.err, "in.hex: error: line 1, column " + std::to_string(at) + ": not a hex digit: "));
        CHECK(has(ran.err, "begin the line with #"));
        CHECK_FALSE(has(ran.out, "\"line 1\""));
        CHECK(has(ran.out, "\"line 2\""));
        CHECK(run(folder, kProgram + " - < in.hex").code == 1);
    }
    // A stream ends at the slip: what follows would be read at the wrong place.
    folder.write("stream", "001b02" + kUpdate + "\n001b02" + kUpdate.substr(2) + "\n001b02" + kUpdate + "x\n001b02" +
                               kUpdate + "\n");
    const Ran stream = run(folder, kProgram + " --input stream-hex stream");
    CHECK(stream.code == 1);
    CHECK(has(stream.err, "stream: error: line 3, column 55: not a hex digit: 'x'"));
    CHECK(has(stream.err, "what follows was not decoded"));
}

TEST_CASE("tokens and passwords are not printed", "[rwfcat]") {
    const TempFolder folder;
    // Logins: the name "secret7" of type authnToken, and "user" with the password "secret7".
    const std::string secret = "73656372657437";
    const std::string named = "00140101000000010400800a0607" + secret + "05";
    const std::string password = "00270101000000010400801d2204757365720515080001"
                                 "08"
                                 "50617373776f7264"
                                 "1107" +
                                 secret;
    folder.write("in.hex", named + "\n" + password + "\n" + password.substr(0, password.size() - 2) + "\n");
    for (const char* schema : {"vectors", "text"}) {
        const Ran ran = run(folder, kProgram + " --schema " + schema + " in.hex");
        INFO(ran.out << ran.err);
        CHECK(ran.code == 1);
        CHECK(has(ran.err, "in.hex: error: line 3, byte "));
        CHECK(has(ran.out, "*******"));
        CHECK_FALSE(has(ran.out, secret.substr(0, 12)));
        CHECK_FALSE(has(ran.out, "secret7"));
    }
}

TEST_CASE("raw streams, containers and options", "[rwfcat]") {
    const TempFolder folder;
    const auto bytes = unhex("001b02" + kUpdate + "00ff02");
    folder.write("raw", std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    const Ran raw = run(folder, kProgram + " --input raw raw");
    CHECK(has(raw.out, R"("name":"offset 0")"));
    CHECK(raw.code == 1);
    CHECK(has(raw.err, "raw: error: offset "));
    const Ran lz4 = run(folder, kProgram + " --input stream-hex --compression lz4 --quiet " +
                                    emissary::test::vectorPath("/ripc/lz4_stream.hex"));
    CHECK(lz4.code == 1);  // its payloads are plain text, not messages
    CHECK(has(lz4.out, R"("kind":"negative")"));
    folder.write("real", "0c0d3f\n");
    const Ran real = run(folder, kProgram + " --type real real");
    CHECK(real.code == 0);
    CHECK(
        has(real.out, R"("kind":"primitive","type":"Real","hex":"0c0d3f","value":{"t":"Real","hint":12,"v":"3391"})"));

    CHECK(run(folder, kProgram + " --help").code == 0);
    for (const char* wrong : {"--schema xml", "--input x", "--type Nothing", "--port 0", "--ripc-version 15", "--bogus",
                              "--schema", "missing.file", ".", "--schema text --type Map"}) {
        INFO(wrong);
        const Ran ran = run(folder, kProgram + " " + wrong + " < real");
        CHECK(ran.code == 2);
        CHECK(has(ran.err, "rwfcat: error: "));
    }
}
