// The C++ end of interop/transport.sh: an echo server, or a client that checks what an echo server sends back.
//   transport_peer serve|connect PORT MODE FOLDER [NAME]
// MODE: words joined by '+': zlib or lz4, websocket, tls. FOLDER holds NAME.pem, the certificate of the server (with
// NAME-key.pem, default "server") or the authority that the client trusts (default "ca"). One connection, then the
// program ends.
#include "eta/transport/Channel.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include <poll.h>

using namespace emissary::eta;
using namespace emissary::eta::transport;

namespace {

constexpr int kPatience = 180'000;  // milliseconds without anything happening

[[noreturn]] void stop(const std::string& why) {
    std::printf("FAIL %s\n", why.c_str());
    std::exit(1);
}

void await(Channel& c) {
    pollfd p{c.fd(), static_cast<short>(c.wantsWrite() ? POLLIN | POLLOUT : POLLIN), 0};
    if (::poll(&p, 1, kPatience) <= 0) stop("nothing happened for 30 s");
}

void activate(Channel& c) {
    for (;;) {
        const InitStatus s = c.init(Clock::now());
        if (s == InitStatus::active) return;
        if (s == InitStatus::failed) stop(c.errorText());
        await(c);
    }
}

/// Next message; false at the end of the connection.
bool read(Channel& c, Bytes& message) {
    for (;;) {
        const ReadResult r = c.read();
        if (r.kind == ReadResult::Kind::closed) return false;
        if (r.kind == ReadResult::Kind::message) {
            message = r.message;
            return true;
        }
        if (!r.more) await(c);
        static_cast<void>(c.flush());
    }
}

void write(Channel& c, Bytes message) {
    if (const Error e = c.write(message); !e.ok()) stop(std::string("write: ") + describe(e.code));
    while (!c.flush())
        await(c);
}

template <class Options>
void choose(Options& o, const std::string& mode) {
    const auto has = [&](const char* word) { return mode.find(word) != std::string::npos; };
    o.guaranteedOutputBuffers = 500;
    if (has("zlib")) o.compression = Compression::zlib;
    if (has("lz4")) o.compression = Compression::lz4;
    if (has("tls")) o.connectionType = ConnectionType::encrypted;
    else if (has("websocket")) o.connectionType = ConnectionType::webSocket;
    o.webSocket.protocols = "rssl.rwf";
    o.initializationTimeout = std::chrono::milliseconds(kPatience);
}

void serve(const std::string& port, const std::string& mode, const std::string& certificate) {
    BindOptions o;
    choose(o, mode);
    o.port = port;
    o.tls.certificate = certificate + ".pem";
    o.tls.privateKey = certificate + "-key.pem";
    Refused refused;
    auto server = Server::bind(o, refused);
    if (server == nullptr) stop(refused.text);
    std::printf("ready\n");
    std::fflush(stdout);
    pollfd p{server->fd(), POLLIN, 0};
    if (::poll(&p, 1, kPatience) <= 0) stop("nobody connected");
    auto channel = server->accept(Clock::now());
    if (channel == nullptr) stop("accept");
    activate(*channel);
    std::string copy;
    for (Bytes message; read(*channel, message);) {
        copy = asText(message);  // writing may wait and read meanwhile
        write(*channel, asBytes(copy));
    }
}

void connect(const std::string& port, const std::string& mode, const std::string& authority) {
    ConnectOptions o;
    choose(o, mode);
    if (o.connectionType == ConnectionType::encrypted && mode.find("websocket") != std::string::npos)
        o.encryptedProtocol = ConnectionType::webSocket;
    o.host = "localhost";
    o.port = port;
    o.tls.caStore = authority + ".pem";
    Refused refused;
    auto channel = Channel::connect(o, Clock::now(), refused);
    if (channel == nullptr) stop(refused.text);
    activate(*channel);
    if (channel->info().compression != o.compression) stop("another compression than asked for");
    std::mt19937 random(1);
    unsigned checked = 0;
    for (unsigned round = 0; round < 20; ++round) {
        for (const std::size_t size :
             {5u, 29u, 30u, 100u, 299u, 300u, 1000u, 6000u, 6142u, 6144u, 6145u, 20000u, 100000u}) {
            std::string message(size, '\0');
            for (std::size_t i = 0; i < size; ++i)
                message[i] = static_cast<char>(round % 3 == 0 ? random() : 'A' + i % 26);
            write(*channel, asBytes(message));
            Bytes back;
            if (!read(*channel, back)) stop(channel->errorText());
            if (asText(back) != message) stop("a message of " + std::to_string(size) + " bytes came back changed");
            ++checked;
        }
    }
    std::printf("PASS %u messages\n", checked);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5 || argc > 6) stop("usage: transport_peer serve|connect PORT MODE FOLDER [NAME]");
    const bool server = std::string(argv[1]) == "serve";
    const std::string file = std::string(argv[4]) + '/' + (argc == 6 ? argv[5] : server ? "server" : "ca");
    if (server) serve(argv[2], argv[3], file);
    else connect(argv[2], argv[3], file);
    return 0;
}
