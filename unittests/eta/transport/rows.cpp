// Lists the connection types with their options, and connects a pair of channels for each.
#include "rows.h"

#include "support/catch.hpp"
#include "support/paths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace transport_test {

namespace {

struct Directory {
    std::string path;
    Directory() : path((std::filesystem::temp_directory_path() / "emissary-certificates-XXXXXX").string()) {
        REQUIRE(::mkdtemp(path.data()) != nullptr);
        const std::string command = emissary::test::sourcePath("/dev/make_test_certificates.sh '") + path + "'";
        REQUIRE(std::system(command.c_str()) == 0);
    }
    ~Directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

void encrypt(Row& r, std::uint32_t versions) {
    r.bind.connectionType = r.connect.connectionType = ConnectionType::encrypted;
    r.bind.tls.versions = kTls12 | kTls13;
    r.connect.tls.versions = versions;
    r.bind.tls.certificate = certificates() + "/ec.pem";
    r.bind.tls.privateKey = certificates() + "/ec-key.pem";
    r.connect.tls.caStore = certificates() + "/ca.pem";
}

void compress(Row& r, Compression type) {
    r.bind.compression = r.connect.compression = type;
}

void webSocket(Row& r, bool json) {
    if (r.connect.connectionType == ConnectionType::encrypted) r.connect.encryptedProtocol = ConnectionType::webSocket;
    else r.connect.connectionType = ConnectionType::webSocket;
    r.connect.webSocket.protocols = json ? "tr_json2" : "rssl.rwf";
    r.json = json;
    if (json) r.lacks[Ability::bytes] = "JSON is text, and the transport puts it in brackets";
}

}  // namespace

const std::string& certificates() {
    static const Directory directory;
    return directory.path;
}

ByteVector Row::received(const ByteVector& message) const {
    return json ? concat({{std::byte{'['}}, message, {std::byte{']'}}}) : message;
}

const std::vector<Row>& rows() {
    static const std::vector<Row> all = [] {
        std::vector<Row> made;
        const auto add = [&](const char* name, auto... how) {
            Row r;
            r.name = name;
            r.bind = bindOptions();
            r.connect = connectOptions(0);
            (how(r), ...);
            if (r.connect.compression == Compression::none) r.lacks[Ability::compression] = "none is asked for";
            made.push_back(std::move(r));
        };
        const auto zlib = [](Row& r) { compress(r, Compression::zlib); };
        const auto lz4 = [](Row& r) { compress(r, Compression::lz4); };
        const auto tls12 = [](Row& r) { encrypt(r, kTls12); };
        const auto tls13 = [](Row& r) { encrypt(r, kTls13); };
        const auto rwf = [](Row& r) { webSocket(r, false); };
        const auto json = [](Row& r) { webSocket(r, true); };
        const auto shared = [](Row& r) {
            r.bind.connectionType = r.connect.connectionType = ConnectionType::sharedMemory;
            r.local = true;
            r.lacks[Ability::tcp] = "both ends share memory; shared_memory_test.cpp has silent peers";
        };
        const auto group = [](ConnectionType type) {
            return [type](Row& r) {
                r.connect = multicastOptions(type, 0, 0);
                r.bind.connectionType = type;
                r.group = true;
                r.lacks[Ability::listener] =
                    "nobody listens, refuses or ends the other's connection; a sender waits for nobody";
                r.lacks[Ability::tcp] = "groups exchange datagrams";
                if (type != ConnectionType::reliableMulticast)
                    r.lacks[Ability::fragments] = "without repairs a message is one datagram";
            };
        };
        add("tcp");
        add("tcp zlib", zlib);
        add("tcp lz4", lz4);
        add("tls 1.2", tls12);
        add("tls 1.3", tls13);
        add("tls 1.3 zlib", tls13, zlib);
        add("tls 1.3 lz4", tls13, lz4);
        add("websocket rwf", rwf);
        add("websocket rwf zlib", rwf, zlib);
        add("websocket rwf lz4", rwf, lz4);
        add("websocket json", json);
        add("websocket json deflate", json, zlib);
        add("tls websocket rwf", tls13, rwf);
        add("tls websocket rwf zlib", tls13, rwf, zlib);
        add("tls websocket rwf lz4", tls13, rwf, lz4);
        add("tls 1.2 websocket rwf", tls12, rwf);
        add("tls websocket json", tls12, json);
        add("tls websocket json deflate", tls13, json, zlib);
        add("shared memory", shared);
        add("shared memory zlib", shared, zlib);
        if (std::getenv("EMISSARY_TEST_EMULATED") != nullptr) return made;  // qemu-user joins no groups
        add("reliable multicast", group(ConnectionType::reliableMulticast));
        add("sequenced multicast", group(ConnectionType::sequencedMulticast));
        return made;
    }();
    return all;
}

const Row& row(const std::string& name) {
    for (const Row& r : rows())
        if (r.name == name) return r;
    FAIL("no row " << name);
    return rows().front();
}

std::vector<std::string> rowNames(const std::vector<Ability>& needed) {
    std::vector<std::string> names;
    for (const Row& r : rows())
        if (std::all_of(needed.begin(), needed.end(), [&](Ability a) { return r.can(a); })) names.push_back(r.name);
    return names;
}

Pair makePair(const Row& r) {
    return makePair(r.bind, r.connect);
}

}  // namespace transport_test
