// ema/data: the phases of a container: empty, building, complete, received. A container that was handed empty to its
// parent's add fills the parent's entry when it completes.
#include "data/ContainerImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/DataAccess.h"
#include "errors/raise.h"
#include "text/print.h"

#include <utility>

namespace emissary::ema {

using access::OmmInvalidUsageException;

// A child that is destroyed while its parent waits leaves its entry without data.
ContainerImpl::~ContainerImpl() {
    leaveParent();
    if (child_ != nullptr) child_->parent_ = nullptr;
}

void ContainerImpl::leaveParent() noexcept {
    if (parent_ == nullptr) return;
    ContainerImpl* waiting = std::exchange(parent_, nullptr);
    waiting->child_ = nullptr;
    waiting->endChild({});
}

void ContainerImpl::refuse(const std::string& what) const {
    throwInvalidUsage(std::string(name_) + ": " + what, OmmInvalidUsageException::InvalidOperationEnum);
}

/// Set definitions are those of one container and do not reach the next one in; the depth is what nesting is bounded
/// by.
Scope ContainerImpl::inside(const Scope& outer) noexcept {
    return {outer.dictionary, nullptr, outer.serviceName, outer.hasServiceName, outer.depth + 1};
}

// The nesting depth counts here, so that hostile nesting ends at codec::kMaxDepth.
void ContainerImpl::decode(Bytes bytes, const Scope& scope) noexcept {
    phase_ = Phase::received;
    received_ = bytes;
    // Mostly as it was: update after update of one connection.
    if (scope_ != scope) {
        scope_ = scope;
        childScope_ = inside(scope);
    } else childScope_.sets = nullptr;
    restartReading();
}

void ContainerImpl::clear() noexcept {
    if (child_ != nullptr) std::exchange(child_, nullptr)->parent_ = nullptr;
    leaveParent();
    if (phase_ == Phase::received) {  // only then there are any
        received_ = {};
        scope_ = {};
        // Encoded memory stays with the object: an application that builds message after message allocates once.
        childScope_ = inside(scope_);
    }
    phase_ = Phase::empty;
    forget();
    restartReading();
}

void ContainerImpl::assign(Bytes encoded) {
    clear();
    startBlock(buffer_).bytes(encoded);
    checkWriter("assign");
    phase_ = Phase::complete;
}

void ContainerImpl::startBuilding() {
    if (phase() != Phase::empty) return;
    (void)startBlock(buffer_);
    phase_ = Phase::building;
    begin();
}

/// The rare part of beginAdd(): the first entry, and every refusal.
void ContainerImpl::startAdd(const char* what) {
    requireAddable(what);
    startBuilding();
}

void ContainerImpl::requireAddable(const char* what) {
    if (phase() == Phase::complete) refuse(std::string(what) + " after complete(); call clear() first");
    if (phase_ == Phase::received) refuse(std::string(what) + " on a received container; it can only be read");
    if (child_ != nullptr)
        refuse(std::string(what) + " while a contained " + child_->name_ +
               " is still open; its complete() was not called");
}

/// Throws when something that was written did not fit.
void ContainerImpl::checkWriter(const char* what) {
    if (writer().ok()) [[likely]]
        return;
    refuse(std::string(what) + ": the value does not fit its wire form");
}

void ContainerImpl::refuseSize(const char* what, const char* part, std::size_t size, Limit limit) const {
    refuse(std::string(what) + ": " + part + " of " + std::to_string(size) +
           " bytes does not fit its wire form, at most " + std::to_string(limit));
}
void ContainerImpl::requireAction(const char* what, std::uint8_t action) const {
    // The action has 4 bits beside the flags (rwf.md 3.4).
    if (action > 15)
        refuse(std::string(what) + ": action " + std::to_string(action) + " does not fit its wire form, at most 15");
}

// A container fills one entry only. One that was handed to another parent before leaves that one's entry without data,
// so that the parent can be completed, and is not waited for by two.
void ContainerImpl::fillInPlaceOf(ContainerImpl& parent) noexcept {
    leaveParent();
    parent_ = &parent;
    parent.child_ = this;
}

bool ContainerImpl::readyBytes(const access::ComplexType& value, const char* what, Bytes& bytes) {
    ContainerImpl* child = DataAccess::impl(value);
    // An untouched child is an open entry: the application fills it after the add, as EMA allows.
    if (child != nullptr && child->untouched()) return false;
    if (child != nullptr && child->isOpen())
        refuse(std::string(what) + " of a " + child->name_ + " whose complete() was not called");
    bytes = DataAccess::encoded(value).bytes;
    return true;
}

void ContainerImpl::endChild(Bytes bytes) {
    writer().bytes(bytes);
}

// Completing twice, or a received container, is allowed and does nothing.
void ContainerImpl::complete() {
    if (phase() == Phase::complete || phase_ == Phase::received) return;
    if (child_ != nullptr)
        refuse(std::string("complete() while a contained ") + child_->name_ +
               " is still open; its complete() was not called");
    const bool fresh = phase_ == Phase::empty;
    startBuilding();
    // The phase is restored on a refusal, so the application may correct the content and try again.
    try {
        finish();
    } catch (...) {
        if (fresh) phase_ = Phase::empty;  // a refused complete() of an empty container leaves it empty
        throw;
    }
    phase_ = Phase::complete;
    restartReading();
    if (parent_ != nullptr) {
        ContainerImpl* waiting = parent_;
        waiting->child_ = nullptr;
        parent_ = nullptr;
        // The parent takes the bytes before this call returns: the child may be cleared and used for the next entry.
        waiting->endChild(buffer_.view());
        if (waiting->writer().ok()) [[likely]]
            return;
        waiting->dropChild();  // takes back the entry; the rest of the parent stays as it was
        waiting->refuseSize("add", name_, buffer_.view().size(), inContent);
    }
}

Bytes ContainerImpl::encodedOther() {
    if (phase_ == Phase::received) return received_;
    complete();
    return buffer_.view();
}

Bytes ContainerImpl::bytesToRead() {
    if (phase() == Phase::received) return received_;
    if (phase_ == Phase::empty) return {};
    complete();  // reading what was built: nothing can be added any more
    return buffer_.view();
}

// A container under construction has no bytes to show yet.
const access::EmaBuffer& ContainerImpl::hex() {
    if (!texts_) texts_ = std::make_unique<Texts>();
    if (untouched() || isOpen()) return texts_->hex.clear();
    const Bytes b = encoded();
    return texts_->hex.setFrom(reinterpret_cast<const char*>(b.data()), static_cast<access::UInt32>(b.size()));
}

const access::EmaString& ContainerImpl::text(const eta::dictionary::Dictionary* dictionary) {
    if (!texts_) texts_ = std::make_unique<Texts>();
    if (untouched() || isOpen())  // asking must not complete it
        return texts_->text.set("\nDecoding of just encoded object in the same application is not supported\n");
    std::string out;
    PrintScope s{dictionary != nullptr ? dictionary : scope_.dictionary, scope_.sets, scope_.serviceName,
                 scope_.hasServiceName};
    const Bytes b = encoded();
    if (type_ == codec::DataType::Array) printArray(out, b, 0);
    else printContainer(out, type_, b, s);
    return texts_->text.set(out.data(), static_cast<access::UInt32>(out.size()));
}

}  // namespace emissary::ema
