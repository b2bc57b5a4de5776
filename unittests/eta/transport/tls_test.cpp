// Encrypted connections: versions, certificates, names, sessions, and peers that do not speak TLS.
#include "eta/transport/certificates.h"
#include "rows.h"
#include "support/catch.hpp"
#include "transport/channel/handshake.h"
#include "transport/tls/TlsStream.h"

#include <array>
#include <filesystem>
#include <fstream>

#include <openssl/ssl.h>

using namespace transport_test;

namespace {

BindOptions tlsServer(const std::string& certificate = "ec") {
    BindOptions o = bindOptions();
    o.connectionType = ConnectionType::encrypted;
    o.tls.certificate = certificates() + "/" + certificate + ".pem";
    const bool bad = certificate.starts_with("bad/");
    o.tls.privateKey = certificates() + (bad ? "/ec-key.pem" : "/" + certificate + "-key.pem");
    return o;
}

ConnectOptions tlsClient(std::uint16_t port = 0) {
    ConnectOptions o = connectOptions(port);
    o.connectionType = ConnectionType::encrypted;
    o.tls.caStore = certificates() + "/ca.pem";
    return o;
}

struct Outcome {
    InitStatus client = InitStatus::inProgress, server = InitStatus::inProgress;
    std::string clientText, serverText;
    ChannelInfo info;
};

Outcome attempt(std::unique_ptr<Server>& server, ConnectOptions connect) {
    connect.port = std::to_string(server->port());
    auto client = open(connect);
    std::unique_ptr<Channel> accepted;
    Outcome o;
    const auto over = [](InitStatus s) { return s == InitStatus::active || s == InitStatus::failed; };
    for (int turn = 0; turn < 3000 && !(over(o.client) && over(o.server)); ++turn) {
        if (!over(o.client)) o.client = client->init(at(0));
        if (accepted == nullptr) accepted = server->accept(at(0));
        if (accepted != nullptr && !over(o.server)) o.server = accepted->init(at(0));
        if (over(o.server) && o.server == InitStatus::failed && accepted != nullptr) {
            o.serverText = accepted->errorText();
            accepted->close();
            if (!over(o.client)) {  // the client may come again, with an older version
                accepted = nullptr;
                o.server = InitStatus::inProgress;
            }
        }
        if (o.client == InitStatus::failed) {
            o.clientText = client->errorText();
            client->close();
            if (accepted == nullptr) break;
        }
        if (!over(o.client)) static_cast<void>(readable(client->fd(), 1));
    }
    if (!o.serverText.empty() && o.server != InitStatus::active) o.server = InitStatus::failed;
    if (o.client == InitStatus::active) o.info = client->info();
    return o;
}

Outcome attempt(const BindOptions& bind, const ConnectOptions& connect) {
    auto server = listen(bind);
    return attempt(server, connect);
}

}  // namespace

TEST_CASE("a certificate must be good for the name that was asked for", "[transport][tls]") {
    SECTION("an address listed in it") {
        CHECK(attempt(tlsServer(), tlsClient()).client == InitStatus::active);
    }
    SECTION("a name listed in it") {
        ConnectOptions c = tlsClient();
        c.host = "localhost";
        BindOptions b = tlsServer();
        CHECK(attempt(b, c).client == InitStatus::active);
    }
    SECTION("a wildcard covers one label, whole") {
        ConnectOptions c = tlsClient();
        c.tls.serverName = "a.emissary.test";
        CHECK(attempt(tlsServer(), c).client == InitStatus::active);
        for (const char* name : {"a.b.emissary.test", "emissary.test", "a.emissary.test.example"}) {
            INFO(name);
            c.tls.serverName = name;
            const Outcome o = attempt(tlsServer(), c);
            CHECK(o.client == InitStatus::failed);
            CHECK_THAT(o.clientText, Catch::Contains(name));
        }
    }
    SECTION("one for another host") {
        const Outcome o = attempt(tlsServer("bad/other-host"), tlsClient());
        CHECK(o.client == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("certificate verify failed"));
        CHECK_THAT(o.clientText, Catch::Contains("the certificate is not for \"127.0.0.1\""));
        CHECK(o.server == InitStatus::failed);
        CHECK_THAT(o.serverText, Catch::Contains("alert"));
        ConnectOptions trusting = tlsClient();
        trusting.tls.verifyHostName = false;
        CHECK(attempt(tlsServer("bad/other-host"), trusting).client == InitStatus::active);
    }
    SECTION("one that is out of date") {
        const Outcome o = attempt(tlsServer("bad/out-of-date"), tlsClient());
        CHECK(o.client == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("expired"));
    }
    SECTION("one of an unknown authority, also when the name does not matter") {
        ConnectOptions c = tlsClient();
        c.tls.verifyHostName = false;
        const Outcome o = attempt(tlsServer("bad/unknown"), c);
        CHECK(o.client == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("unable to get local issuer certificate"));
        CHECK_THAT(o.clientText, Catch::Contains("ca.pem"));
    }
    SECTION("the platform's authorities do not know ours") {
        ConnectOptions c = tlsClient();
        c.tls.caStore.clear();
        const Outcome o = attempt(tlsServer(), c);
        CHECK(o.client == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("OpenSSLCAStore"));
    }
}

TEST_CASE("versions and ciphers are those that were chosen", "[transport][tls]") {
    BindOptions b = tlsServer("server");
    ConnectOptions c = tlsClient();
    SECTION("the best of both by default") {
        CHECK(attempt(b, c).info.tlsVersion == kTls13);
    }
    SECTION("a server of 1.2 only") {
        b.tls.versions = kTls12;
        const Outcome o = attempt(b, c);
        CHECK(o.info.tlsVersion == kTls12);
        CHECK_THAT(o.info.cipher, Catch::Contains("GCM") || Catch::Contains("CHACHA20"));
    }
    SECTION("versions that are not spoken, beside one that is") {
        c.tls.versions = 1 | 2 | kTls12;
        CHECK(attempt(b, c).info.tlsVersion == kTls12);
    }
    SECTION("nothing in common") {
        b.tls.versions = kTls12;
        c.tls.versions = kTls13;
        const Outcome o = attempt(b, c);
        CHECK(o.client == InitStatus::failed);
        CHECK(o.server == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("protocol version"));
        CHECK_THAT(o.serverText, Catch::Contains("unsupported protocol"));
    }
    SECTION("the server's cipher list") {
        b.tls.versions = kTls12;
        b.tls.cipherSuite = "ECDHE-RSA-AES128-GCM-SHA256";
        CHECK(attempt(b, c).info.cipher == "ECDHE-RSA-AES128-GCM-SHA256");
        b.tls.versions = kTls13;
        b.tls.cipherSuite = "TLS_AES_128_GCM_SHA256:ECDHE-RSA-AES128-GCM-SHA256";
        CHECK(attempt(b, c).info.cipher == "TLS_AES_128_GCM_SHA256");
    }
    SECTION("the client's cipher list") {
        c.tls.versions = kTls12;
        c.tls.cipherSuite = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256";
        CHECK(attempt(b, c).info.cipher.ends_with("AES128-GCM-SHA256"));
        c.tls.versions = kTls13;
        c.tls.cipherSuite = "TLS_CHACHA20_POLY1305_SHA256";
        CHECK(attempt(b, c).info.cipher == "TLS_CHACHA20_POLY1305_SHA256");
    }
    SECTION("cipher lists with nothing in common") {
        b.tls.versions = kTls13;
        b.tls.cipherSuite = "TLS_AES_128_GCM_SHA256";
        c.tls.cipherSuite = "TLS_CHACHA20_POLY1305_SHA256";
        const Outcome o = attempt(b, c);
        CHECK(o.client == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("TLS handshake"));
    }
    SECTION("Diffie-Hellman with built-in groups and with a file") {
        b.tls.versions = kTls12;
        b.tls.cipherSuite = "DHE-RSA-AES256-GCM-SHA384";
        CHECK(attempt(b, c).info.cipher == "DHE-RSA-AES256-GCM-SHA384");
        b.tls.dhParameters = certificates() + "/dh.pem";
        CHECK(attempt(b, c).info.cipher == "DHE-RSA-AES256-GCM-SHA384");
    }
}

TEST_CASE("a server that cannot serve says so when it binds", "[transport][tls]") {
    const auto refusal = [](const BindOptions& o) {
        Refused refused;
        CHECK(Server::bind(o, refused) == nullptr);
        return refused.text;
    };
    BindOptions b = tlsServer();
    SECTION("no certificate, no key") {
        b.tls.certificate.clear();
        CHECK_THAT(refusal(b), Catch::Contains("ServerCert"));
        b = tlsServer();
        b.tls.privateKey.clear();
        CHECK_THAT(refusal(b), Catch::Contains("ServerPrivateKey"));
    }
    SECTION("files that are not there, or not what they should be") {
        b.tls.certificate = "/nowhere.pem";
        CHECK_THAT(refusal(b), Catch::Contains("/nowhere.pem") && Catch::Contains("No such file"));
        b = tlsServer();
        b.tls.privateKey = b.tls.certificate;
        CHECK_THAT(refusal(b), Catch::Contains("ServerPrivateKey"));
        b = tlsServer();
        b.tls.dhParameters = b.tls.certificate;
        CHECK_THAT(refusal(b), Catch::Contains("DhParams"));
    }
    SECTION("a key that belongs to another certificate") {
        b.tls.privateKey = certificates() + "/bad/unknown-ca-key.pem";
        CHECK_THAT(refusal(b), Catch::Contains("ServerPrivateKey") && Catch::Contains("is not the key of ServerCert"));
        b.tls.privateKey = certificates() + "/server-key.pem";  // of another kind
        CHECK_THAT(refusal(b), Catch::Contains("is not the key of ServerCert"));
    }
    SECTION("a key with a pass phrase, which nobody waits for at the terminal") {
        const std::string key = certificates() + "/protected-key.pem";
        const auto make = [&](const std::string& command) {
            REQUIRE(std::system(("openssl " + command + " -in '" + certificates() + "/ec-key.pem' -out '" + key +
                                 "' -passout pass:secret 2>/dev/null")
                                    .c_str()) == 0);
        };
        for (const char* command : {"pkey -aes256", "ec -aes256"}) {  // PKCS #8 and the older form
            INFO(command);
            make(command);
            b = tlsServer();
            b.tls.privateKey = key;
            CHECK_THAT(refusal(b), Catch::Contains("ServerPrivateKey \"" + key) && Catch::Contains("pass phrase") &&
                                       Catch::Contains("openssl pkey"));
            b = tlsServer();
            b.tls.dhParameters = key;
            CHECK_THAT(refusal(b), Catch::Contains("DhParams \"" + key));
        }
    }
    SECTION("ciphers and versions that do not exist") {
        b.tls.cipherSuite = "NO-SUCH-CIPHER";
        CHECK_THAT(refusal(b), Catch::Contains("CipherSuite") && Catch::Contains("NO-SUCH-CIPHER"));
        b = tlsServer();
        b.tls.versions = 2;
        CHECK_THAT(refusal(b), Catch::Contains("SecurityProtocol 2") && Catch::Contains("TLS 1.3"));
    }
    SECTION("a client's CA store that is not there") {
        ConnectOptions c = tlsClient(1);
        c.tls.caStore = "/nowhere/ca.pem";
        Refused refused;
        CHECK(Channel::connect(c, at(0), refused) == nullptr);
        CHECK_THAT(refused.text, Catch::Contains("OpenSSLCAStore \"/nowhere/ca.pem\""));
    }
    SECTION("the tunnel") {
        b.connectionType = ConnectionType::http;
        CHECK_THAT(refusal(b), Catch::Contains("RSSL_ENCRYPTED") && Catch::Contains("RSSL_SOCKET"));
        ConnectOptions c = tlsClient(1);
        c.connectionType = ConnectionType::http;
        Refused refused;
        CHECK(Channel::connect(c, at(0), refused) == nullptr);
        CHECK_THAT(refused.text, Catch::Contains("RSSL_ENCRYPTED") && Catch::Contains("RSSL_SOCKET"));
    }
}

TEST_CASE("a listener takes another certificate while it listens, and keeps what it has when that is none",
          "[transport][tls]") {
    namespace fs = std::filesystem;
    std::string folder = (fs::temp_directory_path() / "emissary-tls-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    BindOptions b = tlsServer("bad/other-host");
    const auto copy = [&](const BindOptions& from) {
        fs::copy_file(from.tls.certificate, folder + "/cert.pem", fs::copy_options::overwrite_existing);
        fs::copy_file(from.tls.privateKey, folder + "/key.pem", fs::copy_options::overwrite_existing);
    };
    copy(b);
    b.tls.certificate = folder + "/cert.pem";
    b.tls.privateKey = folder + "/key.pem";
    {
        auto server = listen(b);
        CHECK(attempt(server, tlsClient()).client == InitStatus::failed);
        copy(tlsServer());
        CHECK(attempt(server, tlsClient()).client == InitStatus::failed);
        CHECK(emissary::eta::transport::renewCertificates().empty());
        CHECK(attempt(server, tlsClient()).client == InitStatus::active);

        std::ofstream(folder + "/cert.pem") << "half a file";
        const auto faults = emissary::eta::transport::renewCertificates();
        REQUIRE(faults.size() == 1);
        CHECK_THAT(faults[0].text, Catch::Contains("ServerCert") && Catch::Contains(folder));
        CHECK(attempt(server, tlsClient()).client == InitStatus::active);
    }
    CHECK(emissary::eta::transport::renewCertificates().empty());  // nobody listens
    fs::remove_all(folder);
}

TEST_CASE("plain and encrypted do not meet, and both sides learn it at once", "[transport][tls]") {
    SECTION("a plain RIPC client at an encrypted port") {
        const Outcome o = attempt(tlsServer(), connectOptions(0));
        CHECK(o.client == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("RSSL_ENCRYPTED"));
        CHECK_THAT(o.serverText, Catch::Contains("RIPC connection request in the clear to an encrypted port"));
    }
    SECTION("a plain WebSocket client at an encrypted port") {
        ConnectOptions c = connectOptions(0);
        c.connectionType = ConnectionType::webSocket;
        const Outcome o = attempt(tlsServer(), c);
        CHECK(o.client == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("RSSL_ENCRYPTED"));
        CHECK_THAT(o.serverText, Catch::Contains("WebSocket"));
    }
    SECTION("an encrypted client at a plain port") {
        const Outcome o = attempt(bindOptions(), tlsClient());
        CHECK(o.client == InitStatus::failed);
        CHECK_THAT(o.clientText, Catch::Contains("TLS handshake") && Catch::Contains("RSSL_SOCKET"));
        CHECK_THAT(o.serverText, Catch::Contains("a TLS client?"));
    }
    SECTION("a server that answers an encrypted client with something else") {
        RawListener raw;
        auto client = open(tlsClient(raw.port()));
        REQUIRE(writable(client->fd()));
        RawSocket peer = raw.accept();
        static_cast<void>(client->init(at(0)));
        peer.send(asBytes("HTTP/1.1 400 Bad Request\r\n\r\n"));
        CHECK(settle(*client) == InitStatus::failed);
        CHECK_THAT(client->errorText(), Catch::Contains("does not speak TLS on this port"));
    }
    SECTION("a server that closes without a word, as existing ones do") {
        RawListener raw;
        ConnectOptions c = connectOptions(raw.port());
        c.fallback = false;
        auto client = open(c);
        REQUIRE(writable(client->fd()));
        RawSocket peer = raw.accept();
        static_cast<void>(client->init(at(0)));
        peer.close();
        CHECK(settle(*client) == InitStatus::failed);
        CHECK_THAT(client->errorText(), Catch::Contains("RSSL_ENCRYPTED"));
    }
}

TEST_CASE("a client names the server that it wants: names, never addresses", "[transport][tls]") {
    RawListener listener;
    const auto hello = [&](const std::string& host, const std::string& name) {
        ConnectOptions c = tlsClient(listener.port());
        c.host = host;
        c.tls.serverName = name;
        auto client = open(c);
        RawSocket s = listener.accept();
        for (int turn = 0; turn < 100 && client->init(at(0)) == InitStatus::inProgress && !readable(s.fd(), 10);
             ++turn) {}
        const ByteVector header = s.receive(5);
        REQUIRE(header.at(0) == std::byte{0x16});
        const ByteVector body = s.receive(loadBe<std::uint16_t>(header.data() + 3));
        return std::string(asText(body));
    };
    CHECK_THAT(hello("127.0.0.1", "a.emissary.test"), Catch::Contains("a.emissary.test"));
    CHECK_THAT(hello("localhost", ""), Catch::Contains("localhost"));
    CHECK_THAT(hello("127.0.0.1", ""), !Catch::Contains("127.0.0.1"));
}

TEST_CASE("a second connection takes up the session of the first", "[transport][tls]") {
    const std::uint32_t version = GENERATE(kTls12, kTls13);
    BindOptions b = tlsServer();
    auto server = listen(b);
    ConnectOptions c = tlsClient(server->port());
    c.tls.versions = version;
    for (int i = 0; i < 3; ++i) {
        auto client = open(c);
        auto accepted = acceptOne(*server);
        InitStatus cs{}, as{};
        for (int turn = 0; turn < 3000 && !(cs == InitStatus::active && as == InitStatus::active); ++turn) {
            if (cs != InitStatus::active) cs = client->init(at(0));
            if (as != InitStatus::active) as = accepted->init(at(0));
            REQUIRE(cs != InitStatus::failed);
            REQUIRE(as != InitStatus::failed);
            static_cast<void>(readable(client->fd(), 1));
        }
        CHECK(client->info().tlsVersion == version);
        CHECK(client->info().tlsResumed == (i > 0));
        CHECK(accepted->info().tlsResumed == (i > 0));
        // The tickets of TLS 1.3 come with the first data.
        REQUIRE(accepted->write(pattern(100)).ok());
        REQUIRE(flushWait(*accepted));
        CHECK(readMessage(*client) == pattern(100));
    }
}

TEST_CASE("a session of a client that verified less is not taken up by one that verifies more", "[transport][tls]") {
    const std::uint32_t version = GENERATE(kTls12, kTls13);
    auto server = listen(tlsServer("bad/other-host"));
    ConnectOptions c = tlsClient(server->port());
    c.tls.versions = version;
    for (const bool verifies : {true, false, false, true}) {
        c.tls.verifyHostName = verifies;
        auto client = open(c);
        auto accepted = acceptOne(*server);
        InitStatus cs{}, as{};
        const auto over = [](InitStatus s) { return s == InitStatus::active || s == InitStatus::failed; };
        for (int turn = 0; turn < 3000 && !(over(cs) && over(as)); ++turn) {
            if (!over(cs)) cs = client->init(at(0));
            if (!over(as)) as = accepted->init(at(0));
            static_cast<void>(readable(client->fd(), 1));
        }
        if (verifies) {
            CHECK(cs == InitStatus::failed);
            CHECK_THAT(client->errorText(), Catch::Contains("mismatch"));
            continue;
        }
        REQUIRE(cs == InitStatus::active);
        REQUIRE(as == InitStatus::active);
        REQUIRE(accepted->write(pattern(100)).ok());
        REQUIRE(flushWait(*accepted));
        CHECK(readMessage(*client) == pattern(100));
    }
}

TEST_CASE("a client that trusts a directory of authorities", "[transport][tls]") {
    // OpenSSL looks certificates up by the hash of their subject.
    const std::string directory = certificates() + "/hashed";
    const std::string command = "mkdir -p '" + directory + "' && cp '" + certificates() + "/ca.pem' '" + directory +
                                "' && openssl rehash '" + directory + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    ConnectOptions c = tlsClient();
    c.tls.caStore = directory;
    CHECK(attempt(tlsServer(), c).client == InitStatus::active);
}

TEST_CASE("an encrypted server serves RIPC and WebSocket clients on one port", "[transport][tls][websocket]") {
    auto server = listen(tlsServer());
    for (const ConnectionType inner : {ConnectionType::socket, ConnectionType::webSocket}) {
        ConnectOptions c = tlsClient(server->port());
        c.encryptedProtocol = inner;
        c.webSocket.protocols = "rssl.rwf";
        auto client = open(c);
        auto accepted = acceptOne(*server);
        InitStatus cs{}, as{};
        for (int turn = 0; turn < 3000 && !(cs == InitStatus::active && as == InitStatus::active); ++turn) {
            if (cs != InitStatus::active) cs = client->init(at(0));
            if (as != InitStatus::active) as = accepted->init(at(0));
            static_cast<void>(readable(client->fd(), 1));
        }
        CHECK(cs == InitStatus::active);
        CHECK(as == InitStatus::active);
        CHECK(accepted->info().webSocketProtocol == (inner == ConnectionType::socket ? "" : "rssl.rwf"));
    }
}

TEST_CASE("random bytes instead of TLS records end the connection with a reason", "[transport][tls]") {
    auto server = listen(tlsServer());
    for (const char* start :
         {"160301", "16030100ff01", "150301000202", "1603030004 0e000000", "ffffffffffff", "1603"}) {
        INFO(start);
        RawSocket raw = RawSocket::connectTo(server->port());
        auto accepted = acceptOne(*server);
        raw.send(concat({hex(start), pattern(300)}));
        CHECK(settle(*accepted) == InitStatus::failed);
        CHECK_FALSE(accepted->errorText().empty());
        accepted->close();
        CHECK(raw.closedByPeer());
    }
}

TEST_CASE("handshakes that never end are bounded by count and by time, whatever the port speaks",
          "[transport][tls][websocket]") {
    struct Case {
        const char* what;
        BindOptions bind;
        ByteVector begin;  // and then nothing
    };
    BindOptions webSocket = bindOptions();
    webSocket.connectionType = ConnectionType::webSocket;
    const Bytes upgrade = asBytes("GET /WebSocket HTTP/1.1\r\nHost: h\r\n");
    const Case cases[] = {
        {"half a ClientHello", tlsServer(), hex("16 03 01 02 00 01 00 01 fc 03 03")},
        {"nothing, to an encrypted port", tlsServer(), {}},
        {"half an upgrade request", webSocket, {upgrade.begin(), upgrade.end()}},
    };
    for (const Case& row : cases) {
        INFO(row.what);
        BindOptions o = row.bind;
        o.maxInitializing = 3;
        auto server = listen(o);
        std::vector<RawSocket> raws;
        std::vector<std::unique_ptr<Channel>> held;
        const auto come = [&] {
            raws.push_back(RawSocket::connectTo(server->port()));
            raws.back().send(row.begin);
            REQUIRE(readable(server->fd()));
        };
        for (int i = 0; i < 3; ++i) {
            come();
            held.push_back(acceptOne(*server));
            if (!row.begin.empty()) REQUIRE(readable(held.back()->fd()));
            CHECK(held.back()->init(at(30)) == InitStatus::inProgress);
        }
        come();
        if (row.begin.empty()) {  // whoever is silent goes first
            held.push_back(acceptOne(*server));
            CHECK(server->counters().evicted == 1);
            CHECK(raws[0].closedByPeer());
            held.erase(held.begin());
        } else {
            CHECK(server->accept(at(0)) == nullptr);
            CHECK(server->counters().refusedBusy == 1);
        }

        CHECK(held[0]->initDeadline() == at(60));  // what came has not moved it
        CHECK(held[0]->init(at(60)) == InitStatus::failed);
        CHECK_THAT(held[0]->errorText(), Catch::Contains("initialization timeout"));
        CHECK(server->counters().handshakeTimeouts == 1);
        come();
        held.push_back(acceptOne(*server));
        CHECK(server->counters().accepted == (row.begin.empty() ? 5u : 4u));
    }
}

namespace {

/// A client in memory, so that no kernel's buffers decide when an answer finds no room: from deafen() on it takes none.
class KeyUpdater final : public ByteStream {
public:
    KeyUpdater() : context_(::SSL_CTX_new(::TLS_client_method())), ssl_(::SSL_new(context_)) {
        ::SSL_set_bio(ssl_, ::BIO_new(::BIO_s_mem()), ::BIO_new(::BIO_s_mem()));
        ::SSL_set_connect_state(ssl_);
    }
    ~KeyUpdater() override {
        ::SSL_free(ssl_);
        ::SSL_CTX_free(context_);
    }

    [[nodiscard]] bool connects() { return ::SSL_do_handshake(ssl_) == 1; }
    [[nodiscard]] bool asks() {
        return ::SSL_key_update(ssl_, SSL_KEY_UPDATE_REQUESTED) == 1 && ::SSL_do_handshake(ssl_) == 1;
    }
    void deafen() { deaf_ = true; }

    [[nodiscard]] IoResult handshake() noexcept override { return {}; }
    [[nodiscard]] IoResult receive(std::span<std::byte> into) noexcept override {
        const int n = ::BIO_read(::SSL_get_wbio(ssl_), into.data(), static_cast<int>(into.size()));
        if (n <= 0) return {IoResult::Kind::wouldBlock, 0, 0};
        return {IoResult::Kind::ok, static_cast<std::size_t>(n), 0};
    }
    [[nodiscard]] IoResult send(std::span<const iovec> parts) noexcept override {
        if (deaf_) return {IoResult::Kind::wouldBlock, 0, 0};
        std::size_t taken = 0;
        for (const iovec& p : parts) {
            const int n = ::BIO_write(::SSL_get_rbio(ssl_), p.iov_base, static_cast<int>(p.iov_len));
            if (n > 0) taken += static_cast<std::size_t>(n);
        }
        return {IoResult::Kind::ok, taken, 0};
    }
    void shutdown() noexcept override {}
    void close() noexcept override {}
    [[nodiscard]] int fd() const noexcept override { return -1; }

private:
    SSL_CTX* context_;
    SSL* ssl_;
    bool deaf_ = false;
};

}  // namespace

TEST_CASE("key updates whose answers are not read end the connection", "[transport][tls]") {
    Refused refused;
    const auto context = TlsContext::server(tlsServer().tls, refused);
    INFO(refused.text);
    REQUIRE(context != nullptr);
    auto owned = std::make_unique<KeyUpdater>();
    KeyUpdater& peer = *owned;
    TlsStream server(std::move(owned), context);
    bool connected = false, accepted = false;
    for (int turn = 0; turn < 10 && !(connected && accepted); ++turn) {
        connected = peer.connects();
        accepted = server.handshake().kind == IoResult::Kind::ok;
    }
    REQUIRE((connected && accepted));

    std::array<std::byte, 4096> into{};
    const auto asksAndIsRead = [&](int times) {
        IoResult r{IoResult::Kind::wouldBlock, 0, 0};
        for (int i = 0; i < times && r.kind == IoResult::Kind::wouldBlock; ++i) {
            if (!peer.asks()) return IoResult{IoResult::Kind::end, 0, 0};
            r = server.receive(into);
        }
        return r;
    };
    // As long as the answers leave, a peer may ask as often as it wants; an answer takes 26 bytes or more.
    CHECK(asksAndIsRead(12000).kind == IoResult::Kind::wouldBlock);
    CHECK(server.held() == 0);

    peer.deafen();
    const IoResult last = asksAndIsRead(20000);
    CHECK(last.kind == IoResult::Kind::error);
    CHECK(last.error == EPROTO);
    CHECK_THAT(server.reason(), Catch::Contains("key updates"));
    CHECK(server.held() < (320u << 10));
    CHECK(server.receive(into).kind == IoResult::Kind::error);
}

TEST_CASE("options that no connection can work with are told before the first attempt", "[transport][tls]") {
    ConnectOptions c = tlsClient(1);
    CHECK_FALSE(checkConnect(c));
    CHECK_FALSE(checkConnect(connectOptions(1)));
    SECTION("a CA store that is not there") {
        c.tls.caStore = "/nowhere/ca.pem";
        CHECK_THAT(checkConnect(c).text,
                   Catch::Contains("OpenSSLCAStore \"/nowhere/ca.pem\": No such file or directory"));
    }
    SECTION("a CA store without certificates") {
        c.tls.caStore = certificates() + "/ec-key.pem";
        CHECK_THAT(checkConnect(c).text, Catch::Contains("OpenSSLCAStore"));
    }
    SECTION("ciphers that do not exist") {
        c.tls.cipherSuite = "NO-SUCH-CIPHER";
        CHECK_THAT(checkConnect(c).text, Catch::Contains("CipherSuite"));
    }
    SECTION("a connection type that is not supported") {
        c.connectionType = ConnectionType::http;
        CHECK_THAT(checkConnect(c).text, Catch::Contains("RSSL_HTTP"));
    }
}
