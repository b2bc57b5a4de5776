// Constants of the domain models (ema-api.md 13.2).
#pragma once

#include "Access/Include/Common.h"
#include "Access/Include/EmaString.h"

namespace refinitiv::ema::rdm {

/// Domains of messages (rdm.md 1.1): what a message is about. 128 to MMT_MAX_VALUE are free for applications.
static constexpr access::UInt8 MMT_LOGIN = 1;
static constexpr access::UInt8 MMT_DIRECTORY = 4;
static constexpr access::UInt8 MMT_DICTIONARY = 5;
static constexpr access::UInt8 MMT_MARKET_PRICE = 6;
static constexpr access::UInt8 MMT_MARKET_BY_ORDER = 7;
static constexpr access::UInt8 MMT_MARKET_BY_PRICE = 8;
static constexpr access::UInt8 MMT_MARKET_MAKER = 9;
static constexpr access::UInt8 MMT_SYMBOL_LIST = 10;
static constexpr access::UInt8 MMT_SERVICE_PROVIDER_STATUS = 11;
static constexpr access::UInt8 MMT_HISTORY = 12;
static constexpr access::UInt8 MMT_HEADLINE = 13;
static constexpr access::UInt8 MMT_STORY = 14;
static constexpr access::UInt8 MMT_REPLAYHEADLINE = 15;
static constexpr access::UInt8 MMT_REPLAYSTORY = 16;
static constexpr access::UInt8 MMT_TRANSACTION = 17;
static constexpr access::UInt8 MMT_YIELD_CURVE = 22;
static constexpr access::UInt8 MMT_CONTRIBUTION = 27;
static constexpr access::UInt8 MMT_PROVIDER_ADMIN = 29;
static constexpr access::UInt8 MMT_ANALYTICS = 30;
static constexpr access::UInt8 MMT_REFERENCE = 31;
static constexpr access::UInt8 MMT_NEWS_TEXT_ANALYTICS = 33;
static constexpr access::UInt8 MMT_SYSTEM = 127;
static constexpr access::UInt8 MMT_MAX_RESERVED = 127;
static constexpr access::UInt8 MMT_MAX_VALUE = 255;

/// Name types of the login domain (rdm.md 1.6): what the name in a login's key is.
static constexpr access::UInt8 USER_NAME = 1;
static constexpr access::UInt8 USER_EMAIL_ADDRESS = 2;
static constexpr access::UInt8 USER_TOKEN = 3;
static constexpr access::UInt8 USER_COOKIE = 4;
static constexpr access::UInt8 USER_AUTH_TOKEN = 5;

/// Login attribute Role: consumer, or non-interactive provider.
static constexpr access::UInt32 LOGIN_ROLE_CONS = 0;
static constexpr access::UInt32 LOGIN_ROLE_PROV = 1;

/// Filter of dictionary requests (rdm.md 4.1): how much of each field or enumeration is asked for.
static constexpr access::UInt32 DICTIONARY_INFO = 0x00;
static constexpr access::UInt32 DICTIONARY_MINIMAL = 0x03;
static constexpr access::UInt32 DICTIONARY_NORMAL = 0x07;
static constexpr access::UInt32 DICTIONARY_VERBOSE = 0x0F;
/// Dictionary types, the element Type in the summary of a dictionary (rdm.md 4.2). This library reads the first two.
static constexpr access::UInt32 DICTIONARY_UNSPECIFIED = 0;
static constexpr access::UInt32 DICTIONARY_FIELD_DEFINITIONS = 1;
static constexpr access::UInt32 DICTIONARY_ENUM_TABLES = 2;
static constexpr access::UInt32 DICTIONARY_RECORD_TEMPLATES = 3;
static constexpr access::UInt32 DICTIONARY_DISPLAY_TEMPLATES = 4;
static constexpr access::UInt32 DICTIONARY_DATA_DEFINITIONS = 5;
static constexpr access::UInt32 DICTIONARY_STYLE_SHEET = 6;
static constexpr access::UInt32 DICTIONARY_REFERENCE = 7;

/// Filter of directory requests (rdm.md 3.1): which parts of each service are asked for; to be added up.
static constexpr access::UInt32 SERVICE_INFO_FILTER = 0x00000001;
static constexpr access::UInt32 SERVICE_STATE_FILTER = 0x00000002;
static constexpr access::UInt32 SERVICE_GROUP_FILTER = 0x00000004;
static constexpr access::UInt32 SERVICE_LOAD_FILTER = 0x00000008;
static constexpr access::UInt32 SERVICE_DATA_FILTER = 0x00000010;
static constexpr access::UInt32 SERVICE_LINK_FILTER = 0x00000020;
/// Values of the elements of a service (rdm.md 3.3): truth, state, kind and state of a link, kind of its data.
static constexpr access::UInt32 SERVICE_YES = 1;
static constexpr access::UInt32 SERVICE_NO = 0;
static constexpr access::UInt32 SERVICE_UP = 1;
static constexpr access::UInt32 SERVICE_DOWN = 0;
static constexpr access::UInt32 SERVICE_LINK_INTERACTIVE = 1;
static constexpr access::UInt32 SERVICE_LINK_BROADCAST = 2;
static constexpr access::UInt32 SERVICE_LINK_CODE_NONE = 0;
static constexpr access::UInt32 SERVICE_LINK_CODE_OK = 1;
static constexpr access::UInt32 SERVICE_LINK_CODE_RECOVERY_STARTED = 2;
static constexpr access::UInt32 SERVICE_LINK_CODE_RECOVERY_COMPLETED = 3;
static constexpr access::UInt32 SERVICE_DATA_TIME = 1;
static constexpr access::UInt32 SERVICE_DATA_ALERT = 2;
static constexpr access::UInt32 SERVICE_DATA_HEADLINE = 3;
static constexpr access::UInt32 SERVICE_DATA_STATUS = 4;

/// Filter ids of the parts of a service (rdm.md 3.3), the bits of the filters above by number.
static constexpr access::UInt8 SERVICE_INFO_ID = 1;
static constexpr access::UInt8 SERVICE_STATE_ID = 2;
static constexpr access::UInt8 SERVICE_GROUP_ID = 3;
static constexpr access::UInt8 SERVICE_LOAD_ID = 4;
static constexpr access::UInt8 SERVICE_DATA_ID = 5;
static constexpr access::UInt8 SERVICE_LINK_ID = 6;

/// Name types of market domains (rdm.md 1.6); a message without one means INSTRUMENT_NAME_RIC.
static constexpr access::UInt8 INSTRUMENT_NAME_UNSPECIFIED = 0;
static constexpr access::UInt8 INSTRUMENT_NAME_RIC = 1;
static constexpr access::UInt8 INSTRUMENT_NAME_CONTRIBUTOR = 2;
static constexpr access::UInt8 INSTRUMENT_NAME_MAX_RESERVED = 127;
/// Update types of market domains (rdm.md 1.4): what caused an update.
static constexpr access::UInt8 INSTRUMENT_UPDATE_UNSPECIFIED = 0;
static constexpr access::UInt8 INSTRUMENT_UPDATE_QUOTE = 1;
static constexpr access::UInt8 INSTRUMENT_UPDATE_TRADE = 2;
static constexpr access::UInt8 INSTRUMENT_UPDATE_NEWS_ALERT = 3;
static constexpr access::UInt8 INSTRUMENT_UPDATE_VOLUME_ALERT = 4;
static constexpr access::UInt8 INSTRUMENT_UPDATE_ORDER_INDICATION = 5;
static constexpr access::UInt8 INSTRUMENT_UPDATE_CLOSING_RUN = 6;
static constexpr access::UInt8 INSTRUMENT_UPDATE_CORRECTION = 7;
static constexpr access::UInt8 INSTRUMENT_UPDATE_MARKET_DIGEST = 8;
static constexpr access::UInt8 INSTRUMENT_UPDATE_QUOTES_TRADE = 9;
static constexpr access::UInt8 INSTRUMENT_UPDATE_MULTIPLE = 10;
static constexpr access::UInt8 INSTRUMENT_UPDATE_VERIFY = 11;

/// Element :ViewType (rdm.md 6.4): what :ViewData lists.
static constexpr access::UInt32 VT_FIELD_ID_LIST = 1;
static constexpr access::UInt32 VT_ELEMENT_NAME_LIST = 2;

/// Login attributes of providers (rdm.md 2.2): what SupportBatchRequests (to be added up),
/// SupportEnhancedSymbolList and RoundTripLatency say.
static constexpr access::UInt32 SUPPORT_BATCH_REQUEST = 0x001;
static constexpr access::UInt32 SUPPORT_BATCH_REISSUE = 0x002;
static constexpr access::UInt32 SUPPORT_BATCH_CLOSE = 0x004;
static constexpr access::UInt32 SUPPORT_SYMBOL_LIST_NAMES_ONLY = 0x000;
static constexpr access::UInt32 SUPPORT_SYMBOL_LIST_DATA_STREAMS = 0x001;
static constexpr access::UInt32 SUPPORT_RTT = 2;

/// Element :DataStreams of symbol list requests (rdm.md 6.6): whether the items are opened too, and how.
static constexpr access::UInt32 SYMBOL_LIST_NAMES_ONLY = 0x000;
static constexpr access::UInt32 SYMBOL_LIST_DATA_STREAMS = 0x001;
static constexpr access::UInt32 SYMBOL_LIST_DATA_SNAPSHOTS = 0x002;

/// Names of elements: login (rdm.md section 2), directory (3.3), warm standby and connection lists, dictionaries (4.2),
/// batches, views and symbol lists (6.3, 6.4, 6.6). They compare case sensitively.
inline const access::EmaString ENAME_APP_ID("ApplicationId");
inline const access::EmaString ENAME_APP_NAME("ApplicationName");
inline const access::EmaString ENAME_APPAUTH_TOKEN("ApplicationAuthorizationToken");
inline const access::EmaString ENAME_POSITION("Position");
inline const access::EmaString ENAME_PASSWORD("Password");
inline const access::EmaString ENAME_PROV_PERM_PROF("ProvidePermissionProfile");
inline const access::EmaString ENAME_PROV_PERM_EXP("ProvidePermissionExpressions");
inline const access::EmaString ENAME_ALLOW_SUSPECT_DATA("AllowSuspectData");
inline const access::EmaString ENAME_SINGLE_OPEN("SingleOpen");
inline const access::EmaString ENAME_INST_ID("InstanceId");
inline const access::EmaString ENAME_ROLE("Role");
inline const access::EmaString ENAME_SUPPORT_PR("SupportPauseResume");
inline const access::EmaString ENAME_SUPPORT_OPR("SupportOptimizedPauseResume");
inline const access::EmaString ENAME_SUPPORT_POST("SupportOMMPost");
inline const access::EmaString ENAME_SUPPORT_BATCH("SupportBatchRequests");
inline const access::EmaString ENAME_SUPPORT_VIEW("SupportViewRequests");
inline const access::EmaString ENAME_SUPPORT_ENH_SYMBOL_LIST("SupportEnhancedSymbolList");
inline const access::EmaString ENAME_SUPPORT_PROVIDER_DICTIONARY_DOWNLOAD("SupportProviderDictionaryDownload");
inline const access::EmaString ENAME_SEQUENCE_RETRY_INTERVAL("SequenceRetryInterval");
inline const access::EmaString ENAME_UPDATE_BUFFER_LIMIT("UpdateBufferLimit");
inline const access::EmaString ENAME_SEQUENCE_NUMBER_RECOVERY("SequenceNumberRecovery");
inline const access::EmaString ENAME_AUTH_TOKEN("AuthenticationToken");
inline const access::EmaString ENAME_AUTH_EXTENDED("AuthenticationExtended");
inline const access::EmaString ENAME_AUTH_EXTENDED_RESP("AuthenticationExtendedResp");
inline const access::EmaString ENAME_AUTH_TT_REISSUE("AuthenticationTTReissue");
inline const access::EmaString ENAME_AUTH_ERRORCODE("AuthenticationErrorCode");
inline const access::EmaString ENAME_AUTH_ERRORTEXT("AuthenticationErrorText");
inline const access::EmaString ENAME_USERNAME("UserName");
inline const access::EmaString ENAME_USERNAME_TYPE("UserNameType");
inline const access::EmaString ENAME_SEQ_NUM("SequenceNumber");
inline const access::EmaString ENAME_STATE("State");
inline const access::EmaString ENAME_SOLICITED("Solicited");
inline const access::EmaString ENAME_CLEARCACHE("ClearCache");
inline const access::EmaString ENAME_RTT("RoundTripLatency");
inline const access::EmaString ENAME_RTT_TICKS("Ticks");
inline const access::EmaString ENAME_RTT_TCP_RETRANS("TcpRetrans");
inline const access::EmaString ENAME_NAME("Name");
inline const access::EmaString ENAME_SERVICE_ID("ServiceID");
inline const access::EmaString ENAME_VENDOR("Vendor");
inline const access::EmaString ENAME_IS_SOURCE("IsSource");
inline const access::EmaString ENAME_CAPABILITIES("Capabilities");
inline const access::EmaString ENAME_DICTIONARYS_PROVIDED("DictionariesProvided");
inline const access::EmaString ENAME_DICTIONARYS_USED("DictionariesUsed");
inline const access::EmaString ENAME_QOS("QoS");
inline const access::EmaString ENAME_SUPPS_QOS_RANGE("SupportsQoSRange");
inline const access::EmaString ENAME_ITEM_LIST("ItemList");
inline const access::EmaString ENAME_SUPPS_OOB_SNAPSHOTS("SupportsOutOfBandSnapshots");
inline const access::EmaString ENAME_ACCEPTING_CONS_STATUS("AcceptingConsumerStatus");
inline const access::EmaString ENAME_CONS_SOURCE_MIROR_MODE("SourceMirroringMode");
inline const access::EmaString ENAME_CONS_STATUS("ConsumerStatus");
inline const access::EmaString ENAME_SVC_STATE("ServiceState");
inline const access::EmaString ENAME_ACCEPTING_REQS("AcceptingRequests");
inline const access::EmaString ENAME_STATUS("Status");
inline const access::EmaString ENAME_GROUP("Group");
inline const access::EmaString ENAME_MERG_TO_GRP("MergedToGroup");
inline const access::EmaString ENAME_OPEN_LIMIT("OpenLimit");
inline const access::EmaString ENAME_OPEN_WINDOW("OpenWindow");
inline const access::EmaString ENAME_LOAD_FACT("LoadFactor");
inline const access::EmaString ENAME_TYPE("Type");
inline const access::EmaString ENAME_DATA("Data");
inline const access::EmaString ENAME_LINK_STATE("LinkState");
inline const access::EmaString ENAME_LINK_CODE("LinkCode");
inline const access::EmaString ENAME_SUPPORT_STANDBY("SupportStandby");
inline const access::EmaString ENAME_WARMSTANDBY_INFO("WarmStandbyInfo");
inline const access::EmaString ENAME_WARMSTANDBY_MODE("WarmStandbyMode");
inline const access::EmaString ENAME_CONS_CONN_STATUS("ConsumerConnectionStatus");
inline const access::EmaString ENAME_DOWNLOAD_CON_CONFIG("DownloadConnectionConfig");
inline const access::EmaString ENAME_CONNECTION_CONFIG("ConnectionConfig");
inline const access::EmaString ENAME_NUM_STANDBY_SERVERS("NumStandbyServers");
inline const access::EmaString ENAME_HOSTNAME("Hostname");
inline const access::EmaString ENAME_PORT("Port");
inline const access::EmaString ENAME_SERVER_TYPE("ServerType");
inline const access::EmaString ENAME_SYSTEM_ID("SystemID");
inline const access::EmaString ENAME_DICTIONARY_ID("DictionaryId");
inline const access::EmaString ENAME_DICT_TYPE("Type");
inline const access::EmaString ENAME_DICT_VERSION("Version");
inline const access::EmaString ENAME_FIELD_NAME("NAME");
inline const access::EmaString ENAME_FIELD_ID("FID");
inline const access::EmaString ENAME_FIELD_RIPPLETO("RIPPLETO");
inline const access::EmaString ENAME_FIELD_TYPE("TYPE");
inline const access::EmaString ENAME_FIELD_LENGTH("LENGTH");
inline const access::EmaString ENAME_FIELD_RWFTYPE("RWFTYPE");
inline const access::EmaString ENAME_FIELD_RWFLENGTH("RWFLEN");
inline const access::EmaString ENAME_FIELD_ENUMLENGTH("ENUMLENGTH");
inline const access::EmaString ENAME_FIELD_LONGNAME("LONGNAME");
inline const access::EmaString ENAME_ENUM_RT_VERSION("RT_Version");
inline const access::EmaString ENAME_ENUM_DT_VERSION("DT_Version");
inline const access::EmaString ENAME_ENUM_FIDS("FIDS");
inline const access::EmaString ENAME_ENUM_FID("FID");
inline const access::EmaString ENAME_ENUM_VALUES("VALUES");
inline const access::EmaString ENAME_ENUM_VALUE("VALUE");
inline const access::EmaString ENAME_ENUM_DISPLAYS("DISPLAYS");
inline const access::EmaString ENAME_ENUM_DISPLAY("DISPLAY");
inline const access::EmaString ENAME_ENUM_MEANINGS("MEANINGS");
inline const access::EmaString ENAME_ENUM_MEANING("MEANING");
inline const access::EmaString ENAME_TEXT("Text");
inline const access::EmaString ENAME_VERSION("Version");
inline const access::EmaString ENAME_BATCH_ITEM_LIST(":ItemList");
inline const access::EmaString ENAME_VIEW_TYPE(":ViewType");
inline const access::EmaString ENAME_VIEW_DATA(":ViewData");
inline const access::EmaString ENAME_SYMBOL_LIST_BEHAVIORS(":SymbolListBehaviors");
inline const access::EmaString ENAME_DATA_STREAMS(":DataStreams");

}  // namespace refinitiv::ema::rdm
