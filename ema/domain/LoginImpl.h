// ema/domain: attributes of login messages, and how they travel (rdm.md 2.1 to 2.3).
#pragma once

#include "Domain/Login/Include/Login.h"

#include "Access/Include/EmaBuffer.h"
#include "Access/Include/EmaString.h"

#include <array>
#include <cstdint>

namespace emissary::ema {

namespace access = refinitiv::ema::access;

/// What a login message can carry: first the elements of its attributes, then members of key and message.
enum class LoginAttribute : std::uint8_t {
    allowSuspectData,
    downloadConnectionConfig,
    applicationId,
    applicationName,
    position,
    applicationAuthorizationToken,
    instanceId,
    password,
    providePermissionExpressions,
    providePermissionProfile,
    singleOpen,
    role,
    supportProviderDictionaryDownload,
    pause,
    supportBatchRequests,
    supportEnhancedSymbolList,
    supportOMMPost,
    supportOptimizedPauseResume,
    supportViewRequests,
    supportStandby,
    solicited,
    clearCache,
    authenticationExtended,
    authenticationTTReissue,
    authenticationErrorCode,
    authenticationErrorText,
    name,
    nameType,
    state,
    seqNum,
    count
};

/// Those that are set, whatever message they belong to.
class LoginAttributes {
public:
    using A = LoginAttribute;

    [[nodiscard]] bool has(A a) const noexcept { return (present_ >> index(a) & 1) != 0; }
    /// Throws InvalidOperation naming class and getter when the attribute is not set.
    void require(A a, const char* cls, const char* name) const;

    LoginAttributes() noexcept {
        for (const A yes :
             {A::allowSuspectData, A::providePermissionExpressions, A::providePermissionProfile, A::singleOpen})
            numbers_[index(yes)] = 1;
    }

    // The value of an attribute. When it is not set: the default of its setter, where that has one; else 0 or empty, so
    // that callers ask has() or require() first.
    [[nodiscard]] const access::UInt64& number(A a) const noexcept { return numbers_[index(a)]; }
    /// For attributes whose setter takes 32 bits; what a peer sent beyond that is cut off.
    [[nodiscard]] access::UInt32 number32(A a) const noexcept { return static_cast<access::UInt32>(number(a)); }
    /// nameType or seqNum, the two that are no elements.
    [[nodiscard]] const access::UInt32& small(A a) const noexcept { return a == A::nameType ? nameType_ : seqNum_; }
    [[nodiscard]] const access::EmaString& text(A a) const noexcept { return texts_[index(a)]; }
    void setNumber(A a, access::UInt64 value) noexcept {
        numbers_[index(a)] = value;
        mark(a);
    }
    /// nameType or seqNum; throws OmmOutOfRangeException for a name type above 255.
    void setSmall(A a, access::UInt32 value);
    /// Throws OmmInvalidUsageException for bits that mean nothing.
    void setBatchSupport(access::UInt32 bits);
    void setText(A a, const access::EmaString& value) {
        texts_[index(a)] = value;
        mark(a);
    }
    void setExtended(const access::EmaBuffer& value) {
        extended = value;
        mark(A::authenticationExtended);
    }
    void setState(access::OmmState::StreamState stream, access::OmmState::DataState data, access::UInt8 code,
                  const access::EmaString& text);

    // The attributes authenticationExtended and state; valid when has() says so.
    access::EmaBuffer extended;
    access::OmmState::StreamState streamState = access::OmmState::OpenEnum;
    access::OmmState::DataState dataState = access::OmmState::OkEnum;
    access::UInt8 statusCode = 0;
    access::EmaString statusText;

private:
    static constexpr std::size_t index(A a) noexcept { return static_cast<std::size_t>(a); }
    void mark(A a) noexcept { present_ |= std::uint64_t{1} << index(a); }

    // One place for every attribute in both arrays: a login object is rare, and look-ups stay an index.
    std::uint64_t present_ = 0;
    std::array<access::UInt64, static_cast<std::size_t>(A::count)> numbers_{};
    std::array<access::EmaString, static_cast<std::size_t>(A::count)> texts_;
    access::UInt32 nameType_ = refinitiv::ema::rdm::USER_NAME, seqNum_ = 0;
};

/// Attributes, and values made from the attributes on demand; a copy copies the attributes only.
template <class M>
struct LoginImpl : LoginAttributes {
    using Message = M;
    LoginImpl() = default;
    LoginImpl(const LoginImpl& other) : LoginAttributes(other) {}
    LoginImpl& operator=(const LoginImpl& other) {
        LoginAttributes::operator=(other);
        return *this;
    }
    ~LoginImpl() = default;
    /// The state as the public class; valid until the next call.
    [[nodiscard]] const access::OmmState& stateView() {
        stateHolder.clear().state(streamState, dataState, statusCode, statusText);
        return stateHolder.getState();
    }

    M message;
    access::StatusMsg stateHolder;  ///< only messages make OmmState objects
    access::EmaString printed;
};
// New objects have the default attributes of a login (ema-api.md section 14).
struct LoginReqImpl : LoginImpl<access::ReqMsg> {
    LoginReqImpl();
};
struct LoginRefreshImpl : LoginImpl<access::RefreshMsg> {
    LoginRefreshImpl();
};
struct LoginStatusImpl : LoginImpl<access::StatusMsg> {
    LoginStatusImpl();
};

/// Replace the attributes by those of a message.
void decode(const access::ReqMsg& message, LoginReqImpl& to);
void decode(const access::RefreshMsg& message, LoginRefreshImpl& to);
void decode(const access::StatusMsg& message, LoginStatusImpl& to);
/// Make the message of what is set.
const access::ReqMsg& encode(LoginReqImpl& from);
const access::RefreshMsg& encode(LoginRefreshImpl& from);
const access::StatusMsg& encode(LoginStatusImpl& from);
/// Make the text of what is set.
const access::EmaString& print(LoginReqImpl& from);
const access::EmaString& print(LoginRefreshImpl& from);
const access::EmaString& print(LoginStatusImpl& from);

}  // namespace emissary::ema
