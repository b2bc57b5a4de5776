// Frames: bounds, truncation at every byte, every byte garbled, fragments.
#include "hub/mesh/Assembler.h"
#include "support/catch.hpp"

#include <algorithm>
#include <string>

using namespace emissary;
using namespace emissary::hub::mesh;
using eta::asBytes;

namespace {

using RawFrame = std::vector<std::byte>;

std::vector<RawFrame> framesOf(Batch& batch, Header& header) {
    std::vector<RawFrame> frames;
    batch.flush(header, kMostPayload, [&](Bytes f) { frames.emplace_back(f.begin(), f.end()); });
    return frames;
}

RawFrame smallFrame() {
    Batch batch;
    CHECK(batch.add(Kind::message, 7, 8, asBytes("ab"), asBytes("cde")));
    CHECK(batch.add(Kind::closed, 0xFFFFFFFF, 0, {}));
    CHECK(batch.add(Kind::laneSwitch, 1, 0xFFFFFFFF, asBytes("xy")));
    Header h;
    h.node = 0x01020304;
    h.epoch = 0x1112131415161718;
    h.lane = 5;
    h.sequence = 41;
    auto frames = framesOf(batch, h);
    REQUIRE(frames.size() == 1);
    CHECK(h.sequence == 42);
    CHECK(batch.empty());
    return frames[0];
}

/// Reads as a node does: header, then the records if they are good. Returns whether all of it was.
bool readAll(Bytes frame) {
    const auto h = readHeader(frame);
    if (!h.ok()) return false;
    const Bytes records = frame.subspan(kHeaderBytes);
    if (!checkRecords(records, h.value().records).ok()) return false;
    RecordReader reader(records);
    std::size_t n = 0;
    for (Record r; reader.next(r); ++n) {
        REQUIRE((r.body.empty() ||
                 (r.body.data() >= frame.data() && r.body.data() + r.body.size() <= frame.data() + frame.size())));
        REQUIRE(static_cast<std::uint8_t>(r.kind) >= 1);
        REQUIRE(static_cast<std::uint8_t>(r.kind) <= kLastKind);
    }
    REQUIRE(n == h.value().records);
    return true;
}

}  // namespace

TEST_CASE("A frame has the bytes that the specification draws", "[mesh]") {
    const RawFrame f = smallFrame();
    constexpr unsigned char header[]{0x45, 0x4D, 1, 1, 1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
                                     0,    5,    0, 3, 0, 0, 0, 6, 0,    0,    0,    0,    0,    0,    0,    42,
                                     1,    0,    0, 5, 0, 0, 0, 7, 0,    0,    0,    8,    'a',  'b',  'c'};
    REQUIRE(f.size() == 32 + 3 * 12 + 7);
    CHECK(std::ranges::equal(Bytes(f).first(sizeof header), std::as_bytes(std::span(header))));

    const auto h = readHeader(f);
    REQUIRE(h.ok());
    CHECK(h.value().node == 0x01020304);
    CHECK(h.value().epoch == 0x1112131415161718);
    CHECK(h.value().lane == 5);
    CHECK(h.value().records == 3);
    CHECK(h.value().whole());
    CHECK(h.value().sequence == 42);
    RecordReader reader(Bytes(f).subspan(kHeaderBytes));
    Record r;
    REQUIRE(reader.next(r));
    CHECK(r.kind == Kind::message);
    CHECK(r.number == 7);
    CHECK(r.version == 8);
    CHECK(eta::asText(r.body) == "abcde");
    REQUIRE(reader.next(r));
    CHECK(r.kind == Kind::closed);
    CHECK(r.number == 0xFFFFFFFF);
    CHECK(r.body.empty());
    REQUIRE(reader.next(r));
    CHECK(r.version == 0xFFFFFFFF);
    CHECK_FALSE(reader.next(r));
}

TEST_CASE("A frame that is cut anywhere, or has a byte too many, is refused whole", "[mesh]") {
    const RawFrame f = smallFrame();
    for (std::size_t n = 0; n < f.size(); ++n) {
        INFO(n);
        const RawFrame cut(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(n));  // so that a sanitizer sees the end
        CHECK_FALSE(readAll(cut));
    }
    RawFrame longer = f;
    longer.push_back(std::byte{0});
    CHECK_FALSE(readAll(longer));
    CHECK(readAll(f));
}

TEST_CASE("Each byte with each other value is read within the frame, or refused", "[mesh]") {
    const RawFrame f = smallFrame();
    std::size_t refused = 0;
    for (std::size_t at = 0; at < f.size(); ++at)
        for (unsigned v = 0; v < 256; ++v) {
            RawFrame g = f;
            g[at] = std::byte(v);
            refused += readAll(g) ? 0 : 1;
            if (at < 3 && g[at] != f[at]) CHECK_FALSE(readHeader(g).ok());
        }
    CHECK(refused > 256u * 20);
}

TEST_CASE("What a header may say has bounds", "[mesh]") {
    RawFrame f = smallFrame();
    const auto with = [&](std::size_t at, unsigned value) {
        RawFrame g = f;
        g[at] = std::byte(value);
        return readHeader(g).error();
    };
    CHECK(with(3, 0).code == eta::Errc::badValue);
    CHECK(with(3, 5).ok());
    CHECK(with(3, 6).code == eta::Errc::badValue);
    CHECK(with(23, 7).code == eta::Errc::unsupportedType);  // LZ4
    CHECK(with(23, 7).offset == 20);
    CHECK(with(23, 0x0E).code == eta::Errc::badValue);  // a flag that nobody has defined
    CHECK(with(20, 1).code == eta::Errc::badValue);
    CHECK(with(31, 0).code == eta::Errc::badValue);  // sequences begin with 1
    CHECK(with(24, 0x40).code == eta::Errc::badValue);
    CHECK(with(24, 0x3F).ok());

    f.resize(kHeaderBytes + kMostPayload);
    CHECK(readHeader(f).ok());
    f.resize(kHeaderBytes + kMostPayload + 1);
    CHECK(readHeader(f).error().code == eta::Errc::badLength);
}

TEST_CASE("A batch refuses what no record can carry", "[mesh]") {
    Batch batch;
    std::vector<std::byte> body(kMostBody + 1);
    CHECK_FALSE(batch.add(Kind::image, 1, 1, body));
    CHECK_FALSE(batch.addUpdate(1, 1, body));
    CHECK_FALSE(batch.add(Kind::image, 1, 1, asBytes("a"), Bytes(body).first(kMostBody)));
    CHECK(batch.empty());
    CHECK(batch.add(Kind::image, 1, 1, Bytes(body).first(kMostBody)));
    batch.clear();
    for (unsigned i = 0; i < 0xFFFF; ++i)
        REQUIRE(batch.add(Kind::message, i, i, {}));
    CHECK_FALSE(batch.add(Kind::message, 1, 1, {}));
    Header h;
    for (const RawFrame& f : framesOf(batch, h))
        CHECK(readHeader(f).value().records == 0xFFFF);
}

TEST_CASE("Above 256 KiB a message is several frames, and only all of them in order are one again", "[mesh]") {
    for (const std::size_t size :
         {kMostPayload - kRecordBytes, kMostPayload - kRecordBytes + 1, 3 * kMostPayload, kMostBody}) {
        INFO(size);
        std::vector<std::byte> body(size);
        for (std::size_t i = 0; i < size; ++i)
            body[i] = std::byte(i * 7 + i / 251);
        Batch batch;
        REQUIRE(batch.add(Kind::image, 9, 3, body));
        Header h;
        h.sequence = 100;
        const auto frames = framesOf(batch, h);
        REQUIRE(frames.size() == (size + kRecordBytes + kMostPayload - 1) / kMostPayload);
        CHECK(h.sequence == 100 + frames.size());
        if (frames.size() == 1) {
            CHECK(readAll(frames[0]));
            continue;
        }
        const auto add = [&](Assembler& a, std::size_t i, std::size_t most = std::size_t{32} << 20) {
            const auto header = readHeader(frames[i]);
            REQUIRE(header.ok());
            CHECK(header.value().sequence == 101 + i);
            CHECK_FALSE(header.value().whole());
            return a.add(*header, Bytes(frames[i]).subspan(kHeaderBytes), most);
        };
        Assembler a;
        for (std::size_t i = 0; i + 1 < frames.size(); ++i)
            CHECK(add(a, i) == Assembler::Result::waits);
        REQUIRE(add(a, frames.size() - 1) == Assembler::Result::complete);
        REQUIRE(checkRecords(a.records(), 1).ok());
        RecordReader reader(a.records());
        Record r;
        REQUIRE(reader.next(r));
        CHECK(std::ranges::equal(r.body, body));

        for (std::size_t missing = 0; missing < frames.size(); ++missing) {
            Assembler b;
            bool complete = false;
            for (std::size_t i = 0; i < frames.size(); ++i)
                if (i != missing) complete = add(b, i) == Assembler::Result::complete || complete;
            CHECK_FALSE(complete);
        }
        Assembler twice;
        CHECK(add(twice, 0) == Assembler::Result::waits);
        CHECK(add(twice, 0) == Assembler::Result::waits);  // begins anew
        if (frames.size() > 2) {
            CHECK(add(twice, 1) == Assembler::Result::waits);
            CHECK(add(twice, 1) == Assembler::Result::broken);
        }
        Assembler small;
        CHECK(add(small, 0, kMostPayload) == Assembler::Result::waits);
        CHECK(add(small, 1, kMostPayload) == Assembler::Result::broken);
        CHECK(small.records().empty());
    }
}
