// Logins that an interactive provider answers later. An addition to the EMA API.
#pragma once

namespace refinitiv::ema::access {
class OmmIProviderConfig;
}  // namespace refinitiv::ema::access

namespace emissary {

/// Every interactive OmmProvider that is made from this configuration object from now on lets what a consumer sends
/// right behind its login request wait for the answer to the login; an accepted login lets it go on in its order, a
/// refused one drops it. Without this call it is refused while the login is not answered. At most 256 KiB and one
/// message wait for each consumer; beyond that its connection is not read until the answer. For applications that
/// answer logins after onReqMsg() has returned. Returns the configuration object. Not while another thread uses that
/// object. Throws nothing.
refinitiv::ema::access::OmmIProviderConfig& holdUntilLogin(refinitiv::ema::access::OmmIProviderConfig& config);

}  // namespace emissary
