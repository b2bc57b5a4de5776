// The source directory: which services exist and what each of them says about itself (rdm.md section 3).
#pragma once

#include "eta/codec/Msg.h"
#include "reactor/rdm/Qos.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emissary::reactor::rdm {

using eta::Bytes;
using eta::Errc;
using eta::Error;
using eta::codec::DataType;

using eta::codec::kDictionaryDomain;
using eta::codec::kDirectoryDomain;
using eta::codec::kLoginDomain;

/// Bits of a directory request's key filter; the filter entry id is the bit's number plus one.
namespace DirectoryFilter {
inline constexpr std::uint32_t info = 0x01, state = 0x02, group = 0x04, load = 0x08, data = 0x10, link = 0x20,
                               sequencedMulticast = 0x40, all = 0x3F;
}

/// A state that owns its text.
struct OwnedState {
    std::uint8_t stream = 0, data = 0, code = 0;
    std::string text;
    /// The state as views of this object.
    [[nodiscard]] eta::codec::State view() const noexcept { return {stream, data, code, eta::asBytes(text)}; }
    /// A copy of a decoded state.
    [[nodiscard]] static OwnedState from(const eta::codec::State& s) {
        return {s.stream, s.data, s.code, std::string(eta::asText(s.text))};
    }
};

// Optional members are those that the sender gave; the questions beside them apply the defaults of rdm.md 3.3.

/// Filter 1: what a service is and offers.
struct ServiceInfo {
    std::string name;
    std::optional<std::string> vendor, itemList;
    std::optional<bool> isSource, qosRange, outOfBandSnapshots, consumerStatus;
    std::vector<std::uint8_t> capabilities;  ///< domain numbers in the order given
    std::optional<std::vector<std::string>> dictionariesProvided, dictionariesUsed;
    std::vector<Qos> qos;  ///< best first; empty = realtime tick-by-tick
    /// Default false: a request needs one of its qualities exactly.
    [[nodiscard]] bool supportsQosRange() const noexcept { return qosRange.value_or(false); }
    /// Default true: snapshots are allowed beyond OpenLimit.
    [[nodiscard]] bool supportsOutOfBandSnapshots() const noexcept { return outOfBandSnapshots.value_or(true); }
    /// Default true.
    [[nodiscard]] bool acceptsConsumerStatus() const noexcept { return consumerStatus.value_or(true); }
    /// Whether the domain is among the capabilities.
    [[nodiscard]] bool supportsDomain(std::uint8_t domain) const noexcept {
        return std::find(capabilities.begin(), capabilities.end(), domain) != capabilities.end();
    }
    /// Whether requests of the domain can be made: dictionaries of a service that lists some, too.
    [[nodiscard]] bool serves(std::uint8_t domain) const noexcept {
        return supportsDomain(domain) ||
               (domain == kDictionaryDomain && dictionariesProvided && !dictionariesProvided->empty());
    }
};

/// Filter 2: whether a service is up and takes requests.
struct ServiceState {
    bool up = true;
    std::optional<bool> accepting;
    std::optional<OwnedState> status;  ///< for all items of the service
    [[nodiscard]] bool acceptingRequests() const noexcept { return accepting.value_or(true); }  ///< default true
};

/// Filter 3: an item group, its status, and the group it became a part of.
struct ServiceGroup {
    std::vector<std::byte> id;
    std::optional<std::vector<std::byte>> mergedTo;
    std::optional<OwnedState> status;
};

/// Filter 4: how much may be asked of a service at once.
struct ServiceLoad {
    std::optional<std::uint64_t> openLimit, openWindow, loadFactor;
};

/// Filter 5: data for everybody who uses the service.
struct ServiceData {
    std::uint64_t type = 0;
    DataType dataType = DataType::NoData;
    std::vector<std::byte> data;
};

/// Filter 6: one connection of the service to its source.
struct ServiceLink {
    std::string name;
    std::optional<std::uint64_t> type, code;
    std::uint64_t state = 0;
    std::optional<std::string> text;
};

/// One service. `filters` says which parts have been given; a part that has not holds its defaults.
struct Service {
    std::uint16_t id = 0;
    std::uint32_t filters = 0;
    ServiceInfo info;
    ServiceState state;
    std::vector<ServiceGroup> groups;  ///< by id, at most kMaxGroups
    ServiceLoad load;
    ServiceData data;
    std::vector<ServiceLink> links;
    std::vector<std::byte> sequencedMulticast;  ///< element list as received
    static constexpr std::size_t kMaxGroups = 4096;
    /// Whether one of these parts was given.
    [[nodiscard]] bool has(std::uint32_t filter) const noexcept { return (filters & filter) != 0; }
    [[nodiscard]] const std::string& name() const noexcept { return info.name; }  ///< the service's name
};

/// Gets the changes of a directory message, service by service in the message's order, after the model holds them.
/// Per service: change, then merges and states in the order of the filter entries. The listener must not touch the
/// directory.
class DirectoryListener {
public:
    virtual ~DirectoryListener() = default;
    virtual void onServiceAdded(const Service&) {}  ///< a service that was not there before
    /// `changed`: filters that the message touched.
    virtual void onServiceChanged(const Service&, std::uint32_t /*changed*/) {}
    /// The service is out of the directory already; the reference lives until the call returns.
    virtual void onServiceDeleted(const Service&) {}
    /// A State filter came with a Status: it applies to every open item of the service.
    virtual void onServiceStatus(const Service&, const eta::codec::State&) {}
    /// The items of `group` belong to `into` from now on.
    virtual void onGroupMerged(const Service&, Bytes /*group*/, Bytes /*into*/) {}
    /// A status for every open item of the group.
    virtual void onGroupStatus(const Service&, Bytes /*group*/, const eta::codec::State&) {}
    /// Parts of the message could not be used and were left out: which ones, and why. Once a message, after all else.
    virtual void onSkipped(const std::string& /*what*/) {}
};

/// Which part of a directory a request asks for.
struct DirectorySelection {
    std::uint32_t filters = DirectoryFilter::all;
    std::optional<std::uint16_t> serviceId;
};

/// Where a directory message stands in the image that it belongs to; updates belong to none.
struct ImagePart {
    bool first = false;  ///< what was there before goes, unless a part of the image names it
    bool last = false;   ///< the image is complete
};
[[nodiscard]] inline ImagePart partOf(const eta::codec::Msg& m) noexcept {  ///< of this message
    namespace RefreshFlag = eta::codec::RefreshFlag;
    if (m.cls != eta::codec::MsgClass::Refresh) return {};
    return {m.has(RefreshFlag::clearCache) && (!m.has(RefreshFlag::partNum) || m.partNum == 0),
            m.has(RefreshFlag::complete)};
}

/// The services, in the order in which they appeared. Not thread safe (lives under its session's lock).
class Directory {
public:
    /// Checks a whole Map payload of this side's own against rdm.md 3.2 and 3.3: all of it can be used, and Set entries
    /// of services that are added have what is required, groups their ids. A changed Group entry may name no group, and
    /// then says nothing. The directory itself is not needed or changed.
    [[nodiscard]] static Error check(Bytes map);
    /// Appends the ids of the services that the payload adds; an error when the Map cannot be read.
    [[nodiscard]] static Error namedIn(Bytes map, std::vector<std::uint16_t>& ids);

    /// Applies the payload and calls the listener (may be null). It leaves out parts that cannot be used, and reports
    /// each with onSkipped(); a Map that cannot be read to its end is an error, and then nothing is changed. An empty
    /// payload names no service.
    /// `replace` (a refresh with CLEAR_CACHE): services that the payload does not name are deleted.
    Error apply(Bytes map, bool replace, DirectoryListener* listener = nullptr);
    /// The same for one part of an image. `first`: it begins here (CLEAR_CACHE); `last`: it is complete, so services
    /// that none of its parts named are deleted.
    Error applyImage(Bytes map, bool first, bool last, DirectoryListener* listener = nullptr);
    /// The same in steps, so that others are served in between: step() does the rest. The payload lives until step()
    /// returns false. Work that was begun before is dropped.
    Error begin(Bytes map, bool first, bool last);
    /// Deletes these services and takes over a payload that namedIn() has found to be readable, in steps as well.
    void begin(Bytes map, std::vector<std::uint16_t> gone);
    /// Goes on with what was begun, service by service, at least with one; `goesOn` is asked after each, empty: to the
    /// end. True: something is left. clear() forgets it.
    bool step(DirectoryListener* listener, const std::function<bool()>& goesOn = {});

    /// Deletes every service.
    void clear(DirectoryListener* listener = nullptr);
    /// The same in steps: step() does it. Services that it has not come to are still found.
    void beginClear();
    /// Adds a ready service (a provider's configuration); false when its id or name is taken.
    bool add(Service service);

    /// Null when there is none; valid until the directory changes.
    [[nodiscard]] const Service* find(std::uint16_t id) const noexcept;
    /// The same by name: the one that appeared first, where several have it.
    [[nodiscard]] const Service* find(std::string_view name) const noexcept;
    /// All services.
    [[nodiscard]] const std::list<std::unique_ptr<Service>>& services() const noexcept { return services_; }
    [[nodiscard]] bool empty() const noexcept { return services_.empty(); }  ///< true without any service

    /// Which of the wanted filters the selected services have: the filter of a refresh's key.
    [[nodiscard]] std::uint32_t available(const DirectorySelection& want) const noexcept;
    /// Writes the Map payload of a refresh: one Add entry for each selected service, filters as Set (rdm.md 3.4).
    [[nodiscard]] Error encode(eta::BeWriter& out, const DirectorySelection& want) const noexcept;
    /// A Map with one Add entry for this service, for updates about a new service; or an Update entry, about a change.
    [[nodiscard]] static Error encodeService(eta::BeWriter& out, const Service& service, std::uint32_t filters,
                                             bool change = false) noexcept;
    /// A Map with one Delete entry for each id.
    [[nodiscard]] static Error encodeDeletes(eta::BeWriter& out, std::span<const std::uint16_t> ids) noexcept;

    /// Copies a checked Map payload leaving out services and filters that are not wanted. `present` receives the
    /// filters that were kept, `entries` the number of services: an update without any is not worth sending.
    [[nodiscard]] static Error copySelected(eta::BeWriter& out, Bytes map, const DirectorySelection& want,
                                            std::uint32_t& present, std::uint32_t& entries) noexcept;

private:
    using List = std::list<std::unique_ptr<Service>>;  // one of many goes without a look at the others
    /// By name, and among equal ones by age. Names lie in the services.
    using Names = std::map<std::pair<std::string_view, std::uint64_t>, const Service*>;
    struct Place {
        List::iterator service;
        Names::iterator name;
    };
    class Renaming;
    [[nodiscard]] Service* findMutable(std::uint16_t id) noexcept;
    struct Work;
    /// False: the listener has cleared the directory.
    bool take(Work& work, DirectoryListener& told, DirectoryListener* listener);
    Service& insert(std::uint16_t id);
    Service& append(std::unique_ptr<Service> service);
    void erase(std::uint16_t id, DirectoryListener* listener);

    List services_;
    std::unordered_map<std::uint16_t, Place> byId_;
    Names byName_;
    std::uint64_t appeared_ = 0;          // services so far
    std::vector<std::uint16_t> unnamed_;  // of the image under way: there before it, not named by its parts so far
    std::shared_ptr<Work> work_;          // begun, and not over
};

/// Whether the service lists the dictionary among those that it provides (rdm.md 3.2, 4).
[[nodiscard]] inline bool provides(const Service& service, std::string_view dictionary) {
    const auto& names = service.info.dictionariesProvided;
    return names && std::find(names->begin(), names->end(), dictionary) != names->end();
}

}  // namespace emissary::reactor::rdm
