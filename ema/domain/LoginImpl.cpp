// ema/domain: login attributes from and into messages, and as text: one table for each message lists its elements.
#include "domain/LoginImpl.h"

#include "Access/Include/ElementEntry.h"
#include "Access/Include/ElementList.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "EmaRdm.h"
#include "config/options/own_identity.h"
#include "errors/raise.h"
#include "eta/core/printable.h"
#include "text/hex.h"

#include <span>
#include <string>
#include <type_traits>
#include <utility>

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
void LoginAttributes::setBatchSupport(UInt32 bits) {
    constexpr UInt32 kAll = SUPPORT_BATCH_REQUEST | SUPPORT_BATCH_REISSUE | SUPPORT_BATCH_CLOSE;
    if ((bits & ~kAll) != 0)
        throwInvalidUsage("Login supportBatchRequests(): " + std::to_string(bits) +
                              " is no sum of rdm::SUPPORT_BATCH_REQUEST, SUPPORT_BATCH_REISSUE and SUPPORT_BATCH_CLOSE",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    setNumber(A::supportBatchRequests, bits);
}
void LoginAttributes::setState(OmmState::StreamState stream, OmmState::DataState data, UInt8 code,
                               const EmaString& text) {
    streamState = stream;
    dataState = data;
    statusCode = code;
    statusText = text;
    mark(A::state);
}

// What the library itself asks for when it logs in (ema-api.md section 14).
LoginReqImpl::LoginReqImpl() {
    for (const A supported : {A::allowSuspectData, A::providePermissionExpressions, A::providePermissionProfile})
        setNumber(supported, 1);
    setNumber(A::role, LOGIN_ROLE_CONS);
    setText(A::applicationId, "256");
    setText(A::applicationName, "ema");
    setText(A::position, parameters::ownPosition().c_str());
    setText(A::name, parameters::operatingSystemUser().c_str());
    setSmall(A::nameType, USER_NAME);
}
// What an answer grants unless the application says otherwise (ema-api.md section 14).
LoginRefreshImpl::LoginRefreshImpl() {
    for (const A granted : {A::allowSuspectData, A::providePermissionExpressions, A::providePermissionProfile,
                            A::singleOpen, A::solicited})
        setNumber(granted, 1);
    setSmall(A::nameType, USER_NAME);
}
LoginStatusImpl::LoginStatusImpl() {
    setSmall(A::nameType, USER_NAME);
}

namespace {

/// How an element travels: booleans as UInt 0 or 1.
enum class Kind : std::uint8_t { boolean, number, text, buffer };

/// One element of the attribute list, in the order in which they are sent.
struct Element {
    A attribute;
    Kind kind;
    const EmaString* name;
    const EmaString* otherName = nullptr;  ///< also accepted when decoding
};

// The elements of each message, in the order in which they are sent (rdm.md 2.1 to 2.3).
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

/// With a name type that says so: the helper's name is the token.
constexpr Element kToken{A::name, Kind::text, &ENAME_AUTH_TOKEN};

/// The name that a login by token has.
[[nodiscard]] bool isNoName(const EmaString& name) noexcept {
    return name.empty() || (name.length() == 1 && name.c_str()[0] == '\0');
}

// --- decoding --------------------------------------------------------------------------------------------------------

[[noreturn]] void badType(const EmaString& name, DataType::DataTypeEnum got, const char* expected) {
    throwInvalidUsage(std::string("Login message: attribute ") + name.c_str() + " has the type " +
                          DataType(got).toString().c_str() + "; it must be " + expected,
                      OmmInvalidUsageException::InvalidDataEnum);
}

/// A blank element counts as one that is not there. Texts may come as Ascii or Buffer, since peers send both.
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

[[nodiscard]] bool byToken(const LoginAttributes& login) noexcept {
    return login.has(A::nameType) && login.small(A::nameType) == USER_AUTH_TOKEN;
}

/// What every login message has in its key. A token comes as an element, or, from older programs, as the name.
void decodeKey(const Msg& message, std::span<const Element> elements, LoginAttributes& to) {
    if (message.hasNameType()) to.setSmall(A::nameType, message.getNameType());
    if (message.hasName() && !(byToken(to) && isNoName(message.getName()))) to.setText(A::name, message.getName());
    const DataType::DataTypeEnum type = message.getAttrib().getDataType();
    // A filter list is taken as it is: it has no elements.
    if (type == DataType::NoDataEnum || type == DataType::FilterListEnum) return;
    if (type != DataType::ElementListEnum) badType("container (attrib)", type, "ElementList");
    const ElementList& list = message.getAttrib().getElementList();
    list.reset();
    while (list.forth()) {
        const ElementEntry& entry = list.getEntry();
        if (byToken(to) && entry.getName() == ENAME_AUTH_TOKEN) {
            decodeElement(kToken, entry, to);
            continue;
        }
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

/// Clears the message first: what an earlier call left must not travel. Without elements it has no attributes. A token
/// of a request is an element, and the name says nothing then, which a name type cannot do without; answers do not
/// repeat the token (rdm.md 2.1, 2.2).
template <class M>
void encodeKey(const LoginAttributes& from, std::span<const Element> elements, M& message) {
    constexpr bool request = std::is_same_v<M, ReqMsg>;
    const bool token = byToken(from);
    message.clear().domainType(MMT_LOGIN);
    if (from.has(A::name) && !token) message.name(from.text(A::name));
    if (from.has(A::name) && token) message.name(EmaString("\0", 1));
    if (from.has(A::nameType)) message.nameType(static_cast<UInt8>(from.small(A::nameType)));
    ElementList list;
    bool any = from.has(A::name) && token && request;
    if (any) list.addAscii(ENAME_AUTH_TOKEN, from.text(A::name));
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

/// The text of toString(): one "name : value" a line, behind an empty first line.
class Lines {
public:
    explicit Lines(EmaString& out) : out_(out) { out_.set("\n"); }
    template <class V>
    void add(const EmaString& name, const V& value) {
        out_.append(name).append(" : ").append(value).append("\n");
    }
    /// The text may come from a peer, so control characters are spelled out.
    void addText(const EmaString& name, const EmaString& value) {
        add(name, eta::printable({value.c_str(), value.length()}).c_str());
    }
    void addFlag(const EmaString& name, bool on) { add(name, on ? "Supported" : "NotSupported"); }
    /// The dump ends its own line, so that an empty one follows.
    void addBuffer(const EmaString& name, const EmaBuffer& value) {
        add(name, hexDump({value.c_buf(), value.length()}, HexDump::withCharacters).c_str());
    }

private:
    EmaString& out_;
};

/// The words for the bits of SupportBatchRequests.
std::string batchText(UInt64 bits) {
    std::string out;
    for (const auto& [bit, word] :
         {std::pair{SUPPORT_BATCH_REQUEST, "RequestSupported"}, std::pair{SUPPORT_BATCH_REISSUE, "ReissueSupported"},
          std::pair{SUPPORT_BATCH_CLOSE, "CloseSupported"}})
        if ((bits & bit) != 0) (out += out.empty() ? "" : " ") += word;
    return out.empty() ? "NotSupported" : out;
}

/// Numbers that have names are shown by name.
void addNumber(Lines& lines, const Element& element, UInt64 number) {
    switch (element.attribute) {
    case A::role:
        if (number > LOGIN_ROLE_PROV) return lines.add(*element.name, number);
        return lines.add(*element.name, number == LOGIN_ROLE_CONS ? "Consumer" : "Provider");
    case A::supportBatchRequests:
        return lines.add(*element.name, batchText(number).c_str());
    case A::supportEnhancedSymbolList:
        return lines.add(*element.name, (number & SUPPORT_SYMBOL_LIST_DATA_STREAMS) != 0 ? "DataStreamsSupported"
                                                                                         : "NamesOnlySupported");
    default:
        return lines.add(*element.name, number);
    }
}

void addElement(Lines& lines, const Element& element, const LoginAttributes& from) {
    switch (element.kind) {
    case Kind::boolean:
        return lines.addFlag(*element.name, from.number(element.attribute) != 0);
    case Kind::number:
        return addNumber(lines, element, from.number(element.attribute));
    case Kind::text:
        return lines.addText(*element.name, from.text(element.attribute));
    case Kind::buffer:
        return lines.addBuffer(*element.name, from.extended);
    }
}

/// The elements in the order in which they are shown, then what else the message says.
template <class Impl>
const EmaString& printAll(Impl& from, std::span<const Element> elements, std::span<const A> order) {
    Lines lines(from.printed);
    for (const A attribute : order) {
        if (!from.has(attribute)) continue;
        for (const Element& element : elements)
            if (element.attribute == attribute) addElement(lines, element, from);
    }
    if (from.has(A::nameType) && from.small(A::nameType) == USER_AUTH_TOKEN)
        lines.add(ENAME_AUTH_TOKEN, "");  // a token must not be shown
    else if (from.has(A::name)) lines.addText(ENAME_USERNAME, from.text(A::name));
    if (from.has(A::nameType)) lines.add(ENAME_USERNAME_TYPE, from.small(A::nameType));
    if (from.has(A::state)) {
        std::string state = "StreamState: " + std::to_string(from.streamState);
        state += " DataState: " + std::to_string(from.dataState) + " StatusCode: " + std::to_string(from.statusCode);
        state += " StatusText: ";
        eta::appendPrintable(state, {from.statusText.c_str(), from.statusText.length()});
        lines.add(ENAME_STATE, state.c_str());
    }
    if (from.has(A::seqNum)) lines.add(ENAME_SEQ_NUM, from.small(A::seqNum));
    if (from.has(A::solicited)) lines.add(ENAME_SOLICITED, from.number(A::solicited) != 0 ? "True" : "False");
    if (from.has(A::clearCache)) lines.add(ENAME_CLEARCACHE, from.number(A::clearCache) != 0 ? "True" : "False");
    return from.printed;
}

// The order of toString() (golden texts: unittests/vectors/text/login.md), which is not that of the wire.
constexpr A kShownOfRequest[] = {A::allowSuspectData,
                                 A::applicationId,
                                 A::applicationName,
                                 A::applicationAuthorizationToken,
                                 A::downloadConnectionConfig,
                                 A::instanceId,
                                 A::password,
                                 A::position,
                                 A::providePermissionExpressions,
                                 A::providePermissionProfile,
                                 A::role,
                                 A::singleOpen,
                                 A::supportProviderDictionaryDownload,
                                 A::authenticationExtended};
constexpr A kShownOfRefresh[] = {A::allowSuspectData,
                                 A::applicationId,
                                 A::applicationName,
                                 A::position,
                                 A::providePermissionExpressions,
                                 A::providePermissionProfile,
                                 A::singleOpen,
                                 A::supportBatchRequests,
                                 A::supportOMMPost,
                                 A::supportProviderDictionaryDownload,
                                 A::supportOptimizedPauseResume,
                                 A::supportViewRequests,
                                 A::supportStandby,
                                 A::supportEnhancedSymbolList,
                                 A::authenticationExtended,
                                 A::authenticationTTReissue,
                                 A::authenticationErrorCode,
                                 A::authenticationErrorText};
constexpr A kShownOfStatus[] = {A::authenticationErrorCode, A::authenticationErrorText};

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
    return printAll(from, kRequest, kShownOfRequest);
}
const EmaString& print(LoginRefreshImpl& from) {
    return printAll(from, kRefresh, kShownOfRefresh);
}
const EmaString& print(LoginStatusImpl& from) {
    return printAll(from, kStatus, kShownOfStatus);
}

}  // namespace emissary::ema
