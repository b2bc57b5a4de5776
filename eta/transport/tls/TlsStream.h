// TLS 1.2 and 1.3 upon another stream (transport.md 4).
#pragma once

#include "transport/stream/StagedStream.h"
#include "transport/tls/TlsContext.h"

namespace emissary::eta::transport {

/// OpenSSL works on memory only: records are encrypted into the staging block and leave with one call, received bytes
/// wait in a block of our own. The stream's lock guards the SSL object; system calls of the reader happen outside it.
class TlsStream final : public StagedStream {
public:
    /// Server side.
    TlsStream(std::unique_ptr<ByteStream> below, std::shared_ptr<TlsContext> context);
    /// Client side: `name` is verified and sent, `peer` (the server and what is verified of it) names the session to
    /// resume.
    TlsStream(std::unique_ptr<ByteStream> below, std::shared_ptr<TlsContext> context, const TlsOptions& options,
              std::string name, std::string peer);
    ~TlsStream() override;

    [[nodiscard]] IoResult handshake() noexcept override;
    [[nodiscard]] bool handshakeWantsWrite() const noexcept override;
    [[nodiscard]] IoResult receive(std::span<std::byte> into) noexcept override;
    [[nodiscard]] bool hasInput() const noexcept override { return hasInput_; }
    void finish(std::uint16_t code, std::string_view text) noexcept override;
    void close() noexcept override;
    [[nodiscard]] std::string reason() const override { return reason_.empty() ? below_->reason() : reason_; }
    [[nodiscard]] CertificateFault certificateFault() const noexcept override { return fault_; }
    std::size_t describe(ChannelInfo& info) const override;

    struct Io;  // the way OpenSSL reaches our blocks
    /// For client contexts: keeps the session for the next connection to the same peer.
    static int onNewSession(SSL* ssl, SSL_SESSION* session);
    /// For server contexts that ask for certificates: OpenSSL's verdict on one of the chain. An anchor that another
    /// authority has signed needs no list of that one; which list is missing or of no use is noted for the text.
    static int onVerified(int good, X509_STORE_CTX* chain);

protected:
    [[nodiscard]] std::size_t stage(Bytes in, bool last) noexcept override;
    [[nodiscard]] bool finishStage() noexcept override;

private:
    static constexpr std::size_t kInputBytes = 64u << 10;
    static constexpr std::size_t kRecord = 16384;  ///< largest content of one TLS record

    void attach();
    [[nodiscard]] bool encrypt(Bytes plain) noexcept;
    [[nodiscard]] IoResult receiveCipher() noexcept;
    [[nodiscard]] IoResult handshakeFailed(int sslError, IoResult io) noexcept;
    [[nodiscard]] bool looksLikeTls() const noexcept;
    void refusePlainPeer() noexcept;
    [[nodiscard]] bool answersLeave() noexcept;

    std::shared_ptr<TlsContext> context_;
    SSL* ssl_ = nullptr;  // under lock_
    bool server_ = false;
    bool belowReady_ = false, done_ = false, broken_ = false;
    bool endSaid_ = false;                             // under lock_
    bool hasInput_ = false;                            // input owner
    bool sawFirstBytes_ = false;                       // of the peer
    CertificateFault fault_ = CertificateFault::none;  // of the client's certificate
    std::string name_, peer_;
    std::string reason_, listFault_;
    // input owner
    std::unique_ptr<std::byte[]> cipher_;
    std::size_t cipherBegin_ = 0, cipherEnd_ = 0;
    // under lock_: small pieces gather here until a record is worth it
    std::unique_ptr<std::byte[]> plain_;
    std::size_t plainBytes_ = 0;
};

}  // namespace emissary::eta::transport
