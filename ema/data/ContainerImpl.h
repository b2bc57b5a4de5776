// ema/data: the common base of containers: one is built into a buffer of its own, or views bytes that others own.
#pragma once

#include "data/Load.h"

#include "Access/Include/EmaBuffer.h"
#include "eta/core/GrowingBuffer.h"

#include <string>
#include <vector>

namespace emissary::ema {

/// A writer at the start of a container's buffer, which gets its first block here: objects that only read own none.
[[nodiscard]] inline eta::BeWriter& startBlock(eta::GrowingBuffer& buffer) noexcept {
    constexpr std::size_t kFirstBlock = 512;
    eta::BeWriter& writer = buffer.start();
    (void)writer.room(kFirstBlock);
    return writer;
}

/// Implementation of one container object. Phases: empty (nothing added), building, complete (own bytes), received
/// (somebody else's bytes); and for a while prepared, which is empty or building.
class ContainerImpl {
public:
    virtual ~ContainerImpl();
    ContainerImpl(const ContainerImpl&) = delete;
    ContainerImpl& operator=(const ContainerImpl&) = delete;

    [[nodiscard]] codec::DataType type() const noexcept { return type_; }
    /// Looks at received bytes from now on; borrows them and the scope.
    void decode(Bytes bytes, const Scope& scope) noexcept;
    /// Bytes as built or received; completes what is being built.
    [[nodiscard]] Bytes encoded() {
        if (phase_ == Phase::complete) [[likely]]
            return buffer_.view();
        return encodedOther();
    }
    void complete();
    void clear() noexcept;
    /// Takes ready bytes over, as if it had been built with them and completed.
    void assign(Bytes encoded);
    [[nodiscard]] bool untouched() noexcept { return phase() == Phase::empty; }
    [[nodiscard]] bool isOpen() noexcept { return phase() == Phase::building; }
    /// Called when this container was handed empty to a parent's add: when it completes, the parent gets its bytes. Of
    /// two parents the later one: the entry of the other stays without data.
    void fillInPlaceOf(ContainerImpl& parent) noexcept;
    [[nodiscard]] const Scope& scope() const noexcept { return scope_; }
    /// Bytes that decoding walks: received, or the container's own once something was added.
    [[nodiscard]] Bytes bytesToRead();

    [[nodiscard]] const access::EmaBuffer& hex();
    [[nodiscard]] const access::EmaString& text(const eta::dictionary::Dictionary* dictionary);

protected:
    /// prepared: begun, and its block lent before anything was added. Whether something was written into it is asked
    /// only when somebody wants to know the phase; then it becomes building, or empty as if nothing had been begun.
    enum class Phase : std::uint8_t { empty, building, complete, received, prepared };

    ContainerImpl(codec::DataType type, const char* name) noexcept : type_(type), name_(name) {}

    /// Before anything is added: refuses when complete, received or blocked by an open child; begins on first use.
    void beginAdd(const char* what) {
        if (phase_ == Phase::building && child_ == nullptr) [[likely]]
            return;
        startAdd(what);
    }
    /// Refuses when complete, received or blocked by an open child; changes nothing.
    void requireAddable(const char* what);
    /// Bytes of a contained object that is ready; false for one handed over empty, to be filled in place. Called before
    /// anything of the entry is written: what is refused leaves no trace.
    [[nodiscard]] bool readyBytes(const access::ComplexType& value, const char* what, Bytes& bytes);
    [[nodiscard]] eta::BeWriter& writer() noexcept { return buffer_.writer(); }
    void checkWriter(const char* what);
    /// Throws, and changes nothing, when the length field cannot express the number of bytes. `part` names the bytes in
    /// the text.
    enum Limit : std::size_t { inContent = 0xFFFF, inHead = 0x7FFF };
    void requireFits(const char* what, const char* part, Bytes bytes, Limit limit = inContent) const {
        if (bytes.size() > limit) [[unlikely]]
            refuseSize(what, part, bytes.size(), limit);
    }
    /// Throws when the action does not fit into four bits; changes nothing.
    void requireAction(const char* what, std::uint8_t action) const;

    /// Takes over what was written into a block that was lent; ends the phase prepared by endPrepared().
    virtual void settle() noexcept {}
    virtual void begin() = 0;                    ///< write the header into the fresh buffer
    virtual void finish() = 0;                   ///< patch counts; throws on failure
    virtual void restartReading() noexcept = 0;  ///< reset()
    virtual void forget() noexcept {}            ///< header members set by the application
    /// Writes a contained object's bytes where its entry was begun.
    virtual void endChild(Bytes bytes);
    /// Takes the entry back that was begun for a contained object, whose bytes are too many.
    virtual void dropChild() noexcept {}

    [[noreturn]] void refuse(const std::string& what) const;
    [[nodiscard]] Phase phase() noexcept {
        if (phase_ == Phase::prepared) settle();
        return phase_;
    }
    /// Starts an empty container's block, for a derived one to begin and to lend. False while there is no block: that
    /// of a container which only reads would be for nothing.
    [[nodiscard]] bool prepare() noexcept {
        if (!buffer_.hasBlock()) return false;
        (void)startBlock(buffer_);
        phase_ = Phase::prepared;
        return true;
    }
    void endPrepared(bool written) noexcept {
        if (phase_ == Phase::prepared) phase_ = written ? Phase::building : Phase::empty;
    }
    void startBuilding();
    /// Called when the first add was refused: the container is empty again.
    void forgetBegun() noexcept { phase_ = Phase::empty; }

    Scope scope_;                        ///< of the bytes being read
    Scope childScope_ = inside(scope_);  ///< for what lies inside; entry containers add their set definitions

private:
    [[nodiscard]] static Scope inside(const Scope& outer) noexcept;
    void startAdd(const char* what);
    [[nodiscard]] Bytes encodedOther();
    [[noreturn]] void refuseSize(const char* what, const char* part, std::size_t size, Limit limit) const;
    /// The parent stops waiting: its entry stays without data.
    void leaveParent() noexcept;
    friend struct DataAccess;

    codec::DataType type_;
    const char* name_;
    Phase phase_ = Phase::empty;
    Bytes received_;
    eta::GrowingBuffer buffer_{0};
    ContainerImpl* child_ = nullptr;   ///< open child that will be filled in place
    ContainerImpl* parent_ = nullptr;  ///< waits for this one
    struct Texts {
        access::EmaString text;
        access::EmaBuffer hex;
    };
    std::unique_ptr<Texts> texts_;
};

/// Where an encoder and its writer stood before an entry: what turns out not to fit is taken back to there.
template <class Encoder>
struct BeforeEntry {
    Encoder encoder;
    std::size_t size = 0;
    void keep(const Encoder& now, const eta::BeWriter& writer) noexcept {
        encoder = now;
        size = writer.size();
    }
    void restore(Encoder& now, eta::BeWriter& writer) const noexcept {
        now = encoder;
        writer.truncate(size);
        writer.clearFailure();
    }
};

}  // namespace emissary::ema
