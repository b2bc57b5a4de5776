#include "domain/LoginImpl.h"

#include "Access/Include/ElementEntry.h"
#include "Access/Include/ElementList.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "EmaRdm.h"
#include "access/hex.h"
#include "access/raise.h"

#include <span>
#include <string>

namespace emissary::ema {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using A = LoginAttribute;

void LoginAttributes::require(A a, const char* cls, const char* name) const {
    if (!has(a))
        throwInvalidUsage(std::string("Login::") + cls + "::get" + name + "(): it is not set; ask has" + name +
                              "() first",
                          OmmInvalidUsageException::InvalidOperationEnum);
}
void LoginAttributes::setSmall(A a, UInt32 value) {
    if (a == A::nameType && value > 255)
        throwOutOfRange("Login nameType(): " + std::to_string(value) + " is too large; a name type is at most 255");
    (a == A::nameType ? nameType_ : seqNum_) = value;
    mark(a);
}
void LoginAttributes::setState(OmmState::StreamState stream, OmmState::DataState data, UInt8 code,
                               const EmaString& text) {
    streamState = stream;
    dataState = data;
    statusCode = code;
    statusText = text;
    mark(A::state);
}

namespace {

enum class Kind : std::uint8_t { boolean, number, text, buffer };

/// One element of the attribute list, in the order in which they are sent.
struct Element {
    A attribute;
    Kind kind;
    const EmaString* name;
    const EmaString* otherName = nullptr;  ///< also accepted when decoding
};

constexpr Element kRequest[] = {
    {A::authenticationExtended, Kind::buffer, &ENAME_AUTH_EXTENDED},
    {A::applicationId, Kind::text, &ENAME_APP_ID},
    {A::applicationName, Kind::text, &ENAME_APP_NAME},
    {A::applicationAuthorizationToken, Kind::text, &ENAME_APPAUTH_TOKEN},
    {A::position, Kind::text, &ENAME_POSITION},
    {A::password, Kind::text, &ENAME_PASSWORD},
    {A::instanceId, Kind::text, &ENAME_INST_ID},
    {A::providePermissionProfile, Kind::boolean, &ENAME_PROV_PERM_PROF},
    {A::providePermissionExpressions, Kind::boolean, &ENAME_PROV_PERM_EXP},
    {A::singleOpen, Kind::boolean, &ENAME_SINGLE_OPEN},
    {A::supportProviderDictionaryDownload, Kind::boolean, &ENAME_SUPPORT_PROVIDER_DICTIONARY_DOWNLOAD},
    {A::allowSuspectData, Kind::boolean, &ENAME_ALLOW_SUSPECT_DATA},
    {A::role, Kind::number, &ENAME_ROLE},
    {A::downloadConnectionConfig, Kind::boolean, &ENAME_DOWNLOAD_CON_CONFIG},
};
constexpr Element kRefresh[] = {
    {A::applicationId, Kind::text, &ENAME_APP_ID},
    {A::applicationName, Kind::text, &ENAME_APP_NAME},
    {A::position, Kind::text, &ENAME_POSITION},
    {A::providePermissionProfile, Kind::boolean, &ENAME_PROV_PERM_PROF},
    {A::providePermissionExpressions, Kind::boolean, &ENAME_PROV_PERM_EXP},
    {A::singleOpen, Kind::boolean, &ENAME_SINGLE_OPEN},
    {A::allowSuspectData, Kind::boolean, &ENAME_ALLOW_SUSPECT_DATA},
    {A::supportOMMPost, Kind::boolean, &ENAME_SUPPORT_POST},
    {A::supportBatchRequests, Kind::number, &ENAME_SUPPORT_BATCH},
    {A::supportViewRequests, Kind::boolean, &ENAME_SUPPORT_VIEW},
    {A::supportOptimizedPauseResume, Kind::boolean, &ENAME_SUPPORT_OPR},
    {A::supportStandby, Kind::boolean, &ENAME_SUPPORT_STANDBY},
    {A::supportEnhancedSymbolList, Kind::number, &ENAME_SUPPORT_ENH_SYMBOL_LIST},
    {A::supportProviderDictionaryDownload, Kind::boolean, &ENAME_SUPPORT_PROVIDER_DICTIONARY_DOWNLOAD},
    {A::authenticationTTReissue, Kind::number, &ENAME_AUTH_TT_REISSUE},
    {A::authenticationExtended, Kind::buffer, &ENAME_AUTH_EXTENDED_RESP, &ENAME_AUTH_EXTENDED},
    {A::authenticationErrorCode, Kind::number, &ENAME_AUTH_ERRORCODE},
    {A::authenticationErrorText, Kind::text, &ENAME_AUTH_ERRORTEXT},
};
constexpr Element kStatus[] = {
    {A::authenticationErrorCode, Kind::number, &ENAME_AUTH_ERRORCODE},
    {A::authenticationErrorText, Kind::text, &ENAME_AUTH_ERRORTEXT},
};

// --- decoding --------------------------------------------------------------------------------------------------------

[[noreturn]] void badType(const EmaString& name, DataType::DataTypeEnum got, const char* expected) {
    throwInvalidUsage(std::string("Login message: attribute ") + name.c_str() + " has the type " +
                          DataType(got).toString().c_str() + "; it must be " + expected,
                      OmmInvalidUsageException::InvalidDataEnum);
}

void decodeElement(const Element& element, const ElementEntry& entry, LoginAttributes& to) {
    if (entry.getCode() == Data::BlankEnum) return;
    const DataType::DataTypeEnum type = entry.getLoadType();
    switch (element.kind) {
    case Kind::boolean:
    case Kind::number:
        if (type != DataType::UIntEnum) badType(entry.getName(), type, "UInt");
        return to.setNumber(element.attribute, entry.getUInt());
    case Kind::text:
        if (type == DataType::AsciiEnum) return to.setText(element.attribute, entry.getAscii());
        if (type != DataType::BufferEnum) badType(entry.getName(), type, "Ascii or Buffer");
        return to.setText(element.attribute, EmaString(entry.getBuffer().c_buf(), entry.getBuffer().length()));
    case Kind::buffer:
        if (type == DataType::AsciiEnum)
            return to.setExtended(EmaBuffer(entry.getAscii().c_str(), entry.getAscii().length()));
        if (type != DataType::BufferEnum) badType(entry.getName(), type, "Buffer or Ascii");
        return to.setExtended(entry.getBuffer());
    }
}

/// What every login message has in its key.
void decodeKey(const Msg& message, std::span<const Element> elements, LoginAttributes& to) {
    if (message.hasName()) to.setText(A::name, message.getName());
    if (message.hasNameType()) to.setSmall(A::nameType, message.getNameType());
    const DataType::DataTypeEnum type = message.getAttrib().getDataType();
    if (type == DataType::NoDataEnum) return;
    if (type != DataType::ElementListEnum) badType("container (attrib)", type, "ElementList");
    const ElementList& list = message.getAttrib().getElementList();
    list.reset();
    while (list.forth()) {
        const ElementEntry& entry = list.getEntry();
        for (const Element& element : elements)
            if (entry.getName() == *element.name ||
                (element.otherName != nullptr && entry.getName() == *element.otherName)) {
                decodeElement(element, entry, to);
                break;
            }
    }
}
void decodeState(const OmmState& state, LoginAttributes& to) {
    to.setState(state.getStreamState(), state.getDataState(), state.getStatusCode(), state.getStatusText());
}

// --- encoding --------------------------------------------------------------------------------------------------------

template <class M>
void encodeKey(const LoginAttributes& from, std::span<const Element> elements, M& message) {
    message.clear().domainType(MMT_LOGIN);
    if (from.has(A::name)) message.name(from.text(A::name));
    if (from.has(A::nameType)) message.nameType(static_cast<UInt8>(from.small(A::nameType)));
    ElementList list;
    bool any = false;
    for (const Element& element : elements) {
        if (!from.has(element.attribute)) continue;
        any = true;
        switch (element.kind) {
        case Kind::boolean:
        case Kind::number:
            list.addUInt(*element.name, from.number(element.attribute));
            break;
        case Kind::text:
            list.addAscii(*element.name, from.text(element.attribute));
            break;
        case Kind::buffer:
            list.addBuffer(*element.name, from.extended);
            break;
        }
    }
    if (any) message.attrib(list.complete());
}
template <class M>
void encodeState(const LoginAttributes& from, M& message) {
    if (from.has(A::state)) message.state(from.streamState, from.dataState, from.statusCode, from.statusText);
}

// --- text ------------------------------------------------------------------------------------------------------------

class Lines {
public:
    explicit Lines(EmaString& out) : out_(out) { out_.clear(); }
    template <class V>
    void add(const EmaString& name, const V& value) {
        if (!out_.empty()) out_.append("\r\n");
        out_.append(name).append(" : ").append(value);
    }
    void addFlag(const EmaString& name, bool on) { add(name, on ? "Supported" : "NotSupported"); }

private:
    EmaString& out_;
};

template <class Impl>
const EmaString& printAll(Impl& from, std::span<const Element> elements) {
    Lines lines(from.printed);
    if (from.has(A::name)) lines.add(ENAME_USERNAME, from.text(A::name));
    if (from.has(A::nameType)) lines.add(ENAME_USERNAME_TYPE, from.small(A::nameType));
    for (const Element& element : elements) {
        if (!from.has(element.attribute)) continue;
        const UInt64 number = from.number(element.attribute);
        if (element.attribute == A::role && number <= LOGIN_ROLE_PROV)
            lines.add(*element.name, number == LOGIN_ROLE_CONS ? "Consumer" : "Provider");
        else if (element.kind == Kind::boolean) lines.addFlag(*element.name, number != 0);
        else if (element.kind == Kind::number) lines.add(*element.name, number);
        else if (element.kind == Kind::text) lines.add(*element.name, from.text(element.attribute));
        else lines.add(*element.name, hexPairs({from.extended.c_buf(), from.extended.length()}).c_str());
    }
    static const EmaString kPause("Pause");
    if (from.has(A::pause)) lines.addFlag(kPause, from.number(A::pause) != 0);
    if (from.has(A::state)) lines.add(ENAME_STATE, from.stateView().toString());
    if (from.has(A::solicited)) lines.addFlag(ENAME_SOLICITED, from.number(A::solicited) != 0);
    if (from.has(A::clearCache)) lines.addFlag(ENAME_CLEARCACHE, from.number(A::clearCache) != 0);
    if (from.has(A::seqNum)) lines.add(ENAME_SEQ_NUM, from.small(A::seqNum));
    return from.printed;
}

}  // namespace

void decode(const ReqMsg& message, LoginReqImpl& to) {
    LoginAttributes fresh;  // nothing changes when the message is refused
    decodeKey(message, kRequest, fresh);
    fresh.setNumber(A::pause, message.getPause() ? 1 : 0);
    static_cast<LoginAttributes&>(to) = fresh;
}
void decode(const RefreshMsg& message, LoginRefreshImpl& to) {
    LoginAttributes fresh;
    decodeKey(message, kRefresh, fresh);
    decodeState(message.getState(), fresh);
    fresh.setNumber(A::solicited, message.getSolicited() ? 1 : 0);
    fresh.setNumber(A::clearCache, message.getClearCache() ? 1 : 0);
    if (message.hasSeqNum()) fresh.setSmall(A::seqNum, message.getSeqNum());
    static_cast<LoginAttributes&>(to) = fresh;
}
void decode(const StatusMsg& message, LoginStatusImpl& to) {
    LoginAttributes fresh;
    decodeKey(message, kStatus, fresh);
    if (message.hasState()) decodeState(message.getState(), fresh);
    static_cast<LoginAttributes&>(to) = fresh;
}

const ReqMsg& encode(LoginReqImpl& from) {
    encodeKey(from, kRequest, from.message);
    if (from.has(A::pause)) from.message.pause(from.number(A::pause) != 0);
    return from.message;
}
const RefreshMsg& encode(LoginRefreshImpl& from) {
    encodeKey(from, kRefresh, from.message);
    encodeState(from, from.message);
    if (from.has(A::solicited)) from.message.solicited(from.number(A::solicited) != 0);
    if (from.has(A::clearCache)) from.message.clearCache(from.number(A::clearCache) != 0);
    if (from.has(A::seqNum)) from.message.seqNum(from.small(A::seqNum));
    from.message.complete(true);
    return from.message;
}
const StatusMsg& encode(LoginStatusImpl& from) {
    encodeKey(from, kStatus, from.message);
    encodeState(from, from.message);
    return from.message;
}

const EmaString& print(LoginReqImpl& from) {
    return printAll(from, kRequest);
}
const EmaString& print(LoginRefreshImpl& from) {
    return printAll(from, kRefresh);
}
const EmaString& print(LoginStatusImpl& from) {
    return printAll(from, kStatus);
}

}  // namespace emissary::ema
