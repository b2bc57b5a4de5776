// Constants of the domain models and the login helper (ema-api.md 0.1, 13.2, 14).
#include "Access/Include/EmaVector.h"
#include "Access/Include/GetTime.h"
#include "EmaDomain.h"
#include "EmaRdm.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using domain::login::Login;
using emissary::apitest::member;

void scalarTypes() {
    static_assert(std::is_same_v<UInt8, unsigned char> && std::is_same_v<Int8, signed char>);
    static_assert(std::is_same_v<UInt16, unsigned short> && std::is_same_v<Int16, short>);
    static_assert(std::is_same_v<UInt32, unsigned int> && std::is_same_v<Int32, int>);
    static_assert(std::is_same_v<UInt64, unsigned long long> && std::is_same_v<Int64, long long>);
    static_assert(std::is_same_v<Double, double> && std::is_same_v<TimeValue, UInt64>);
#ifndef EMA_ACCESS_API
#error "EMA_ACCESS_API is part of the API"
#endif
    static_assert(EmaString::npos == static_cast<UInt32>(-1));
}

void surfaceOfEmaVector() {
    using V = EmaVector<EmaString>;
    static_assert(std::has_virtual_destructor_v<V>);
    static_assert(std::is_copy_constructible_v<V> && std::is_copy_assignable_v<V> &&
                  std::is_default_constructible_v<V>);
    static_assert(std::is_constructible_v<V>);
    static_assert(std::is_constructible_v<V, UInt32>);
    static_assert(std::is_convertible_v<UInt32, V>);
    static_assert(std::is_constructible_v<V, const V&>);
    static_assert(std::is_convertible_v<const V&, V>);
    member<V, V&(const V&)>(&V::operator=);
    member<V, bool() const>(&V::empty);
    member<V, UInt32() const>(&V::size);
    member<V, UInt32() const>(&V::capacity);
    member<V, const EmaString&(UInt32) const>(&V::operator[]);
    member<V, EmaString&(UInt32)>(&V::operator[]);
    member<V, Int64(const EmaString&) const>(&V::getPositionOf);
    member<V, bool(const V&) const>(&V::operator==);
    member<V, void()>(&V::clear);
    member<V, void(const EmaString&)>(&V::push_back);
    member<V, bool(UInt32)>(&V::removePosition);
    member<V, bool(const EmaString&)>(&V::removeValue);
}

void numericConstants() {
    static_assert(std::is_same_v<decltype(rdm::MMT_LOGIN), const UInt8> && rdm::MMT_LOGIN == 1);
    static_assert(std::is_same_v<decltype(rdm::MMT_DIRECTORY), const UInt8> && rdm::MMT_DIRECTORY == 4);
    static_assert(std::is_same_v<decltype(rdm::MMT_DICTIONARY), const UInt8> && rdm::MMT_DICTIONARY == 5);
    static_assert(std::is_same_v<decltype(rdm::MMT_MARKET_PRICE), const UInt8> && rdm::MMT_MARKET_PRICE == 6);
    static_assert(std::is_same_v<decltype(rdm::MMT_MARKET_BY_ORDER), const UInt8> && rdm::MMT_MARKET_BY_ORDER == 7);
    static_assert(std::is_same_v<decltype(rdm::MMT_MARKET_BY_PRICE), const UInt8> && rdm::MMT_MARKET_BY_PRICE == 8);
    static_assert(std::is_same_v<decltype(rdm::MMT_MARKET_MAKER), const UInt8> && rdm::MMT_MARKET_MAKER == 9);
    static_assert(std::is_same_v<decltype(rdm::MMT_SYMBOL_LIST), const UInt8> && rdm::MMT_SYMBOL_LIST == 10);
    static_assert(std::is_same_v<decltype(rdm::MMT_SERVICE_PROVIDER_STATUS), const UInt8> &&
                  rdm::MMT_SERVICE_PROVIDER_STATUS == 11);
    static_assert(std::is_same_v<decltype(rdm::MMT_HISTORY), const UInt8> && rdm::MMT_HISTORY == 12);
    static_assert(std::is_same_v<decltype(rdm::MMT_HEADLINE), const UInt8> && rdm::MMT_HEADLINE == 13);
    static_assert(std::is_same_v<decltype(rdm::MMT_STORY), const UInt8> && rdm::MMT_STORY == 14);
    static_assert(std::is_same_v<decltype(rdm::MMT_REPLAYHEADLINE), const UInt8> && rdm::MMT_REPLAYHEADLINE == 15);
    static_assert(std::is_same_v<decltype(rdm::MMT_REPLAYSTORY), const UInt8> && rdm::MMT_REPLAYSTORY == 16);
    static_assert(std::is_same_v<decltype(rdm::MMT_TRANSACTION), const UInt8> && rdm::MMT_TRANSACTION == 17);
    static_assert(std::is_same_v<decltype(rdm::MMT_YIELD_CURVE), const UInt8> && rdm::MMT_YIELD_CURVE == 22);
    static_assert(std::is_same_v<decltype(rdm::MMT_CONTRIBUTION), const UInt8> && rdm::MMT_CONTRIBUTION == 27);
    static_assert(std::is_same_v<decltype(rdm::MMT_PROVIDER_ADMIN), const UInt8> && rdm::MMT_PROVIDER_ADMIN == 29);
    static_assert(std::is_same_v<decltype(rdm::MMT_ANALYTICS), const UInt8> && rdm::MMT_ANALYTICS == 30);
    static_assert(std::is_same_v<decltype(rdm::MMT_REFERENCE), const UInt8> && rdm::MMT_REFERENCE == 31);
    static_assert(std::is_same_v<decltype(rdm::MMT_NEWS_TEXT_ANALYTICS), const UInt8> &&
                  rdm::MMT_NEWS_TEXT_ANALYTICS == 33);
    static_assert(std::is_same_v<decltype(rdm::MMT_SYSTEM), const UInt8> && rdm::MMT_SYSTEM == 127);
    static_assert(std::is_same_v<decltype(rdm::MMT_MAX_RESERVED), const UInt8> && rdm::MMT_MAX_RESERVED == 127);
    static_assert(std::is_same_v<decltype(rdm::MMT_MAX_VALUE), const UInt8> && rdm::MMT_MAX_VALUE == 255);
    static_assert(std::is_same_v<decltype(rdm::USER_NAME), const UInt8> && rdm::USER_NAME == 1);
    static_assert(std::is_same_v<decltype(rdm::USER_EMAIL_ADDRESS), const UInt8> && rdm::USER_EMAIL_ADDRESS == 2);
    static_assert(std::is_same_v<decltype(rdm::USER_TOKEN), const UInt8> && rdm::USER_TOKEN == 3);
    static_assert(std::is_same_v<decltype(rdm::USER_COOKIE), const UInt8> && rdm::USER_COOKIE == 4);
    static_assert(std::is_same_v<decltype(rdm::USER_AUTH_TOKEN), const UInt8> && rdm::USER_AUTH_TOKEN == 5);
    static_assert(std::is_same_v<decltype(rdm::LOGIN_ROLE_CONS), const UInt32> && rdm::LOGIN_ROLE_CONS == 0);
    static_assert(std::is_same_v<decltype(rdm::LOGIN_ROLE_PROV), const UInt32> && rdm::LOGIN_ROLE_PROV == 1);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_INFO), const UInt32> && rdm::DICTIONARY_INFO == 0x00);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_MINIMAL), const UInt32> && rdm::DICTIONARY_MINIMAL == 0x03);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_NORMAL), const UInt32> && rdm::DICTIONARY_NORMAL == 0x07);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_VERBOSE), const UInt32> && rdm::DICTIONARY_VERBOSE == 0x0F);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_UNSPECIFIED), const UInt32> &&
                  rdm::DICTIONARY_UNSPECIFIED == 0);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_FIELD_DEFINITIONS), const UInt32> &&
                  rdm::DICTIONARY_FIELD_DEFINITIONS == 1);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_ENUM_TABLES), const UInt32> &&
                  rdm::DICTIONARY_ENUM_TABLES == 2);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_RECORD_TEMPLATES), const UInt32> &&
                  rdm::DICTIONARY_RECORD_TEMPLATES == 3);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_DISPLAY_TEMPLATES), const UInt32> &&
                  rdm::DICTIONARY_DISPLAY_TEMPLATES == 4);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_DATA_DEFINITIONS), const UInt32> &&
                  rdm::DICTIONARY_DATA_DEFINITIONS == 5);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_STYLE_SHEET), const UInt32> &&
                  rdm::DICTIONARY_STYLE_SHEET == 6);
    static_assert(std::is_same_v<decltype(rdm::DICTIONARY_REFERENCE), const UInt32> && rdm::DICTIONARY_REFERENCE == 7);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_INFO_FILTER), const UInt32> &&
                  rdm::SERVICE_INFO_FILTER == 0x00000001);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_STATE_FILTER), const UInt32> &&
                  rdm::SERVICE_STATE_FILTER == 0x00000002);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_GROUP_FILTER), const UInt32> &&
                  rdm::SERVICE_GROUP_FILTER == 0x00000004);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LOAD_FILTER), const UInt32> &&
                  rdm::SERVICE_LOAD_FILTER == 0x00000008);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_DATA_FILTER), const UInt32> &&
                  rdm::SERVICE_DATA_FILTER == 0x00000010);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LINK_FILTER), const UInt32> &&
                  rdm::SERVICE_LINK_FILTER == 0x00000020);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_YES), const UInt32> && rdm::SERVICE_YES == 1);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_NO), const UInt32> && rdm::SERVICE_NO == 0);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_UP), const UInt32> && rdm::SERVICE_UP == 1);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_DOWN), const UInt32> && rdm::SERVICE_DOWN == 0);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LINK_INTERACTIVE), const UInt32> &&
                  rdm::SERVICE_LINK_INTERACTIVE == 1);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LINK_BROADCAST), const UInt32> &&
                  rdm::SERVICE_LINK_BROADCAST == 2);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LINK_CODE_NONE), const UInt32> &&
                  rdm::SERVICE_LINK_CODE_NONE == 0);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LINK_CODE_OK), const UInt32> && rdm::SERVICE_LINK_CODE_OK == 1);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LINK_CODE_RECOVERY_STARTED), const UInt32> &&
                  rdm::SERVICE_LINK_CODE_RECOVERY_STARTED == 2);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LINK_CODE_RECOVERY_COMPLETED), const UInt32> &&
                  rdm::SERVICE_LINK_CODE_RECOVERY_COMPLETED == 3);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_DATA_TIME), const UInt32> && rdm::SERVICE_DATA_TIME == 1);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_DATA_ALERT), const UInt32> && rdm::SERVICE_DATA_ALERT == 2);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_DATA_HEADLINE), const UInt32> &&
                  rdm::SERVICE_DATA_HEADLINE == 3);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_DATA_STATUS), const UInt32> && rdm::SERVICE_DATA_STATUS == 4);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_INFO_ID), const UInt8> && rdm::SERVICE_INFO_ID == 1);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_STATE_ID), const UInt8> && rdm::SERVICE_STATE_ID == 2);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_GROUP_ID), const UInt8> && rdm::SERVICE_GROUP_ID == 3);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LOAD_ID), const UInt8> && rdm::SERVICE_LOAD_ID == 4);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_DATA_ID), const UInt8> && rdm::SERVICE_DATA_ID == 5);
    static_assert(std::is_same_v<decltype(rdm::SERVICE_LINK_ID), const UInt8> && rdm::SERVICE_LINK_ID == 6);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_NAME_UNSPECIFIED), const UInt8> &&
                  rdm::INSTRUMENT_NAME_UNSPECIFIED == 0);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_NAME_RIC), const UInt8> && rdm::INSTRUMENT_NAME_RIC == 1);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_NAME_CONTRIBUTOR), const UInt8> &&
                  rdm::INSTRUMENT_NAME_CONTRIBUTOR == 2);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_NAME_MAX_RESERVED), const UInt8> &&
                  rdm::INSTRUMENT_NAME_MAX_RESERVED == 127);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_UNSPECIFIED), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_UNSPECIFIED == 0);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_QUOTE), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_QUOTE == 1);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_TRADE), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_TRADE == 2);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_NEWS_ALERT), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_NEWS_ALERT == 3);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_VOLUME_ALERT), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_VOLUME_ALERT == 4);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_ORDER_INDICATION), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_ORDER_INDICATION == 5);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_CLOSING_RUN), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_CLOSING_RUN == 6);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_CORRECTION), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_CORRECTION == 7);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_MARKET_DIGEST), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_MARKET_DIGEST == 8);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_QUOTES_TRADE), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_QUOTES_TRADE == 9);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_MULTIPLE), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_MULTIPLE == 10);
    static_assert(std::is_same_v<decltype(rdm::INSTRUMENT_UPDATE_VERIFY), const UInt8> &&
                  rdm::INSTRUMENT_UPDATE_VERIFY == 11);
    static_assert(std::is_same_v<decltype(rdm::VT_FIELD_ID_LIST), const UInt32> && rdm::VT_FIELD_ID_LIST == 1);
    static_assert(std::is_same_v<decltype(rdm::VT_ELEMENT_NAME_LIST), const UInt32> && rdm::VT_ELEMENT_NAME_LIST == 2);
    static_assert(std::is_same_v<decltype(rdm::SUPPORT_BATCH_REQUEST), const UInt32> &&
                  rdm::SUPPORT_BATCH_REQUEST == 0x001);
    static_assert(std::is_same_v<decltype(rdm::SUPPORT_BATCH_REISSUE), const UInt32> &&
                  rdm::SUPPORT_BATCH_REISSUE == 0x002);
    static_assert(std::is_same_v<decltype(rdm::SUPPORT_BATCH_CLOSE), const UInt32> &&
                  rdm::SUPPORT_BATCH_CLOSE == 0x004);
    static_assert(std::is_same_v<decltype(rdm::SUPPORT_SYMBOL_LIST_NAMES_ONLY), const UInt32> &&
                  rdm::SUPPORT_SYMBOL_LIST_NAMES_ONLY == 0x000);
    static_assert(std::is_same_v<decltype(rdm::SUPPORT_SYMBOL_LIST_DATA_STREAMS), const UInt32> &&
                  rdm::SUPPORT_SYMBOL_LIST_DATA_STREAMS == 0x001);
    static_assert(std::is_same_v<decltype(rdm::SUPPORT_RTT), const UInt32> && rdm::SUPPORT_RTT == 2);
    static_assert(std::is_same_v<decltype(rdm::SYMBOL_LIST_NAMES_ONLY), const UInt32> &&
                  rdm::SYMBOL_LIST_NAMES_ONLY == 0x000);
    static_assert(std::is_same_v<decltype(rdm::SYMBOL_LIST_DATA_STREAMS), const UInt32> &&
                  rdm::SYMBOL_LIST_DATA_STREAMS == 0x001);
    static_assert(std::is_same_v<decltype(rdm::SYMBOL_LIST_DATA_SNAPSHOTS), const UInt32> &&
                  rdm::SYMBOL_LIST_DATA_SNAPSHOTS == 0x002);
}

void surfaceOfLoginReq() {
    using L = Login::LoginReq;
    static_assert(std::has_virtual_destructor_v<L> && std::is_default_constructible_v<L>);
    static_assert(std::is_copy_constructible_v<L> && std::is_copy_assignable_v<L>);
    static_assert(std::is_convertible_v<const ReqMsg&, L> && !std::is_convertible_v<const L&, const char*>);
    member<L, L&()>(&L::clear);
    member<L, L&(const ReqMsg&)>(&L::message);
    member<L, const ReqMsg&() const>(&L::getMessage);
    member<L, const EmaString&() const>(&L::toString);
    member<L, L&(bool)>(&L::allowSuspectData);
    member<L, bool() const>(&L::hasAllowSuspectData);
    member<L, bool() const>(&L::getAllowSuspectData);
    static_assert(requires(L & l) { l.allowSuspectData(); });
    member<L, L&(bool)>(&L::downloadConnectionConfig);
    member<L, bool() const>(&L::hasDownloadConnectionConfig);
    member<L, bool() const>(&L::getDownloadConnectionConfig);
    static_assert(requires(L & l) { l.downloadConnectionConfig(); });
    member<L, L&(const EmaString&)>(&L::applicationId);
    member<L, bool() const>(&L::hasApplicationId);
    member<L, const EmaString&() const>(&L::getApplicationId);
    member<L, L&(const EmaString&)>(&L::applicationName);
    member<L, bool() const>(&L::hasApplicationName);
    member<L, const EmaString&() const>(&L::getApplicationName);
    member<L, L&(const EmaString&)>(&L::position);
    member<L, bool() const>(&L::hasPosition);
    member<L, const EmaString&() const>(&L::getPosition);
    member<L, L&(const EmaString&)>(&L::applicationAuthorizationToken);
    member<L, bool() const>(&L::hasApplicationAuthorizationToken);
    member<L, const EmaString&() const>(&L::getApplicationAuthorizationToken);
    member<L, L&(const EmaString&)>(&L::instanceId);
    member<L, bool() const>(&L::hasInstanceId);
    member<L, const EmaString&() const>(&L::getInstanceId);
    member<L, L&(const EmaString&)>(&L::password);
    member<L, bool() const>(&L::hasPassword);
    member<L, const EmaString&() const>(&L::getPassword);
    member<L, L&(bool)>(&L::providePermissionExpressions);
    member<L, bool() const>(&L::hasProvidePermissionExpressions);
    member<L, bool() const>(&L::getProvidePermissionExpressions);
    static_assert(requires(L & l) { l.providePermissionExpressions(); });
    member<L, L&(bool)>(&L::providePermissionProfile);
    member<L, bool() const>(&L::hasProvidePermissionProfile);
    member<L, bool() const>(&L::getProvidePermissionProfile);
    static_assert(requires(L & l) { l.providePermissionProfile(); });
    member<L, L&(bool)>(&L::singleOpen);
    member<L, bool() const>(&L::hasSingleOpen);
    member<L, bool() const>(&L::getSingleOpen);
    static_assert(requires(L & l) { l.singleOpen(); });
    member<L, L&(UInt32)>(&L::role);
    member<L, bool() const>(&L::hasRole);
    member<L, UInt32() const>(&L::getRole);
    static_assert(requires(L & l) { l.role(); });
    member<L, L&(bool)>(&L::supportProviderDictionaryDownload);
    member<L, bool() const>(&L::hasSupportProviderDictionaryDownload);
    member<L, bool() const>(&L::getSupportProviderDictionaryDownload);
    static_assert(requires(L & l) { l.supportProviderDictionaryDownload(); });
    member<L, L&(bool)>(&L::pause);
    member<L, bool() const>(&L::hasPause);
    member<L, bool() const>(&L::getPause);
    static_assert(requires(L & l) { l.pause(); });
    member<L, L&(const EmaBuffer&)>(&L::authenticationExtended);
    member<L, bool() const>(&L::hasAuthenticationExtended);
    member<L, const EmaBuffer&() const>(&L::getAuthenticationExtended);
    member<L, L&(const EmaString&)>(&L::name);
    member<L, bool() const>(&L::hasName);
    member<L, const EmaString&() const>(&L::getName);
    member<L, L&(const UInt32&)>(&L::nameType);
    member<L, bool() const>(&L::hasNameType);
    member<L, const UInt32&() const>(&L::getNameType);
}

void surfaceOfLoginRefresh() {
    using L = Login::LoginRefresh;
    static_assert(std::has_virtual_destructor_v<L> && std::is_default_constructible_v<L>);
    static_assert(std::is_copy_constructible_v<L> && std::is_copy_assignable_v<L>);
    static_assert(std::is_convertible_v<const RefreshMsg&, L> && !std::is_convertible_v<const L&, const char*>);
    member<L, L&()>(&L::clear);
    member<L, L&(const RefreshMsg&)>(&L::message);
    member<L, const RefreshMsg&() const>(&L::getMessage);
    member<L, const EmaString&() const>(&L::toString);
    member<L, L&(bool)>(&L::allowSuspectData);
    member<L, bool() const>(&L::hasAllowSuspectData);
    member<L, bool() const>(&L::getAllowSuspectData);
    static_assert(requires(L & l) { l.allowSuspectData(); });
    member<L, L&(const EmaString&)>(&L::applicationId);
    member<L, bool() const>(&L::hasApplicationId);
    member<L, const EmaString&() const>(&L::getApplicationId);
    member<L, L&(const EmaString&)>(&L::applicationName);
    member<L, bool() const>(&L::hasApplicationName);
    member<L, const EmaString&() const>(&L::getApplicationName);
    member<L, L&(const EmaString&)>(&L::position);
    member<L, bool() const>(&L::hasPosition);
    member<L, const EmaString&() const>(&L::getPosition);
    member<L, L&(bool)>(&L::providePermissionExpressions);
    member<L, bool() const>(&L::hasProvidePermissionExpressions);
    member<L, bool() const>(&L::getProvidePermissionExpressions);
    static_assert(requires(L & l) { l.providePermissionExpressions(); });
    member<L, L&(bool)>(&L::providePermissionProfile);
    member<L, bool() const>(&L::hasProvidePermissionProfile);
    member<L, bool() const>(&L::getProvidePermissionProfile);
    static_assert(requires(L & l) { l.providePermissionProfile(); });
    member<L, L&(bool)>(&L::singleOpen);
    member<L, bool() const>(&L::hasSingleOpen);
    member<L, bool() const>(&L::getSingleOpen);
    static_assert(requires(L & l) { l.singleOpen(); });
    member<L, L&(bool)>(&L::supportProviderDictionaryDownload);
    member<L, bool() const>(&L::hasSupportProviderDictionaryDownload);
    member<L, bool() const>(&L::getSupportProviderDictionaryDownload);
    static_assert(requires(L & l) { l.supportProviderDictionaryDownload(); });
    member<L, L&(UInt32)>(&L::supportBatchRequests);
    member<L, bool() const>(&L::hasSupportBatchRequests);
    member<L, UInt32() const>(&L::getSupportBatchRequests);
    static_assert(requires(L & l) { l.supportBatchRequests(); });
    member<L, L&(UInt32)>(&L::supportEnhancedSymbolList);
    member<L, bool() const>(&L::hasSupportEnhancedSymbolList);
    member<L, UInt32() const>(&L::getSupportEnhancedSymbolList);
    static_assert(requires(L & l) { l.supportEnhancedSymbolList(); });
    member<L, L&(bool)>(&L::supportOMMPost);
    member<L, bool() const>(&L::hasSupportOMMPost);
    member<L, bool() const>(&L::getSupportOMMPost);
    static_assert(requires(L & l) { l.supportOMMPost(); });
    member<L, L&(bool)>(&L::supportOptimizedPauseResume);
    member<L, bool() const>(&L::hasSupportOptimizedPauseResume);
    member<L, bool() const>(&L::getSupportOptimizedPauseResume);
    static_assert(requires(L & l) { l.supportOptimizedPauseResume(); });
    member<L, L&(bool)>(&L::supportViewRequests);
    member<L, bool() const>(&L::hasSupportViewRequests);
    member<L, bool() const>(&L::getSupportViewRequests);
    static_assert(requires(L & l) { l.supportViewRequests(); });
    member<L, L&(bool)>(&L::supportStandby);
    member<L, bool() const>(&L::hasSupportStandby);
    member<L, bool() const>(&L::getSupportStandby);
    static_assert(requires(L & l) { l.supportStandby(); });
    member<L, L&(bool)>(&L::solicited);
    member<L, bool() const>(&L::hasSolicited);
    member<L, bool() const>(&L::getSolicited);
    static_assert(requires(L & l) { l.solicited(); });
    member<L, L&(bool)>(&L::clearCache);
    member<L, bool() const>(&L::hasClearCache);
    member<L, bool() const>(&L::getClearCache);
    static_assert(requires(L & l) { l.clearCache(); });
    member<L, L&(const EmaBuffer&)>(&L::authenticationExtended);
    member<L, bool() const>(&L::hasAuthenticationExtended);
    member<L, const EmaBuffer&() const>(&L::getAuthenticationExtended);
    member<L, L&(const UInt64&)>(&L::authenticationTTReissue);
    member<L, bool() const>(&L::hasAuthenticationTTReissue);
    member<L, const UInt64&() const>(&L::getAuthenticationTTReissue);
    member<L, L&(const UInt64&)>(&L::authenticationErrorCode);
    member<L, bool() const>(&L::hasAuthenticationErrorCode);
    member<L, const UInt64&() const>(&L::getAuthenticationErrorCode);
    member<L, L&(const EmaString&)>(&L::authenticationErrorText);
    member<L, bool() const>(&L::hasAuthenticationErrorText);
    member<L, const EmaString&() const>(&L::getAuthenticationErrorText);
    member<L, L&(const EmaString&)>(&L::name);
    member<L, bool() const>(&L::hasName);
    member<L, const EmaString&() const>(&L::getName);
    member<L, L&(const UInt32&)>(&L::nameType);
    member<L, bool() const>(&L::hasNameType);
    member<L, const UInt32&() const>(&L::getNameType);
    member<L, L&(const OmmState::StreamState&, const OmmState::DataState, const UInt8&, const EmaString&)>(&L::state);
    member<L, const OmmState&() const>(&L::getState);
    member<L, bool() const>(&L::hasState);
    member<L, L&(const UInt32&)>(&L::seqNum);
    member<L, bool() const>(&L::hasSeqNum);
    member<L, const UInt32&() const>(&L::getSeqNum);
}

void surfaceOfLoginStatus() {
    using L = Login::LoginStatus;
    static_assert(std::has_virtual_destructor_v<L> && std::is_default_constructible_v<L>);
    static_assert(std::is_copy_constructible_v<L> && std::is_copy_assignable_v<L>);
    static_assert(std::is_convertible_v<const StatusMsg&, L> && !std::is_convertible_v<const L&, const char*>);
    member<L, L&()>(&L::clear);
    member<L, L&(const StatusMsg&)>(&L::message);
    member<L, const StatusMsg&() const>(&L::getMessage);
    member<L, const EmaString&() const>(&L::toString);
    member<L, L&(const UInt64&)>(&L::authenticationErrorCode);
    member<L, bool() const>(&L::hasAuthenticationErrorCode);
    member<L, const UInt64&() const>(&L::getAuthenticationErrorCode);
    member<L, L&(const EmaString&)>(&L::authenticationErrorText);
    member<L, bool() const>(&L::hasAuthenticationErrorText);
    member<L, const EmaString&() const>(&L::getAuthenticationErrorText);
    member<L, L&(const EmaString&)>(&L::name);
    member<L, bool() const>(&L::hasName);
    member<L, const EmaString&() const>(&L::getName);
    member<L, L&(const UInt32&)>(&L::nameType);
    member<L, bool() const>(&L::hasNameType);
    member<L, const UInt32&() const>(&L::getNameType);
    member<L, L&(const OmmState::StreamState&, const OmmState::DataState, const UInt8&, const EmaString&)>(&L::state);
    member<L, const OmmState&() const>(&L::getState);
    member<L, bool() const>(&L::hasState);
}
