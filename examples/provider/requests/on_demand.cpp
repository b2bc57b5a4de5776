// Gives each consumer just what it asks for: announces in the login answer that it understands views and pauses, sends
// the fields of the view alone, stops and resumes with the consumer, and notes changes of priority. All of that arrives
// as onReissue for a stream that is open.
//
//     on_demand [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class OnDemand : public OmmProviderClient {
public:
    bool clientHasGone = false;

    void updateAll(OmmProvider& provider) {
        ++tick_;
        for (const auto& [handle, stream] : streams_)
            if (!stream.paused && !allPaused_) {
                FieldList fields;
                fill(fields, stream);
                provider.submit(UpdateMsg().payload(fields), handle);
            }
    }

private:
    struct Stream {
        std::vector<Int16> view;  // empty: everything
        bool paused = false;
    };

    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME).attrib(ElementList()
                                                  .addUInt(ENAME_SUPPORT_VIEW, 1)
                                                  .addUInt(ENAME_SUPPORT_OPR, 1)  // pause and resume
                                                  .complete());
            event.getProvider().submit(answer, event.getHandle());
            return;
        }
        Stream& stream = streams_[event.getHandle()];
        readView(request, stream);
        std::cout << "open " << request.getName() << ", " << describe(stream) << std::endl;
        sendImage(request, event, stream);
    }

    void onReissue(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) {
            allPaused_ = request.getPause();
            std::cout << (allPaused_ ? "pause all" : "resume all") << std::endl;
            return;
        }
        Stream& stream = streams_[event.getHandle()];
        const bool pauseChanged = stream.paused != request.getPause();
        stream.paused = request.getPause();
        readView(request, stream);
        std::cout << "reissue of " << request.getName() << ", " << describe(stream);
        if (pauseChanged) std::cout << (stream.paused ? ", pause" : ", resume");
        if (request.hasPriority())
            std::cout << ", priority " << int{request.getPriorityClass()} << "/" << request.getPriorityCount();
        std::cout << std::endl;
        if (request.getInitialImage()) sendImage(request, event, stream);
    }

    void sendImage(const ReqMsg& request, const OmmProviderEvent& event, const Stream& stream) const {
        FieldList fields;
        fill(fields, stream);
        event.getProvider().submit(RefreshMsg()
                                       .name(request.getName())
                                       .serviceId(request.getServiceId())
                                       .solicited(true)
                                       .state()
                                       .complete(true)
                                       .payload(fields),
                                   event.getHandle());
    }

    static void readView(const ReqMsg& request, Stream& stream) {
        if (!request.hasView()) {  // no view any more
            stream.view.clear();
            return;
        }
        if (request.getPayload().getDataType() != DataType::ElementListEnum) return;  // as before
        const ElementList& payload = request.getPayload().getElementList();
        if (!payload.forth(ENAME_VIEW_DATA)) return;
        stream.view.clear();
        const OmmArray& ids = payload.getEntry().getArray();
        while (ids.forth())
            stream.view.push_back(static_cast<Int16>(ids.getEntry().getInt()));
        std::sort(stream.view.begin(), stream.view.end());
    }

    void fill(FieldList& fields, const Stream& stream) const {
        for (const Int16 id : {6, 22, 25, 30, 31})  // TRDPRC_1, BID, ASK, BIDSIZE, ASKSIZE
            if (stream.view.empty() || std::binary_search(stream.view.begin(), stream.view.end(), id))
                fields.addReal(id, 3990 + tick_, OmmReal::ExponentNeg2Enum);
        fields.complete();
    }

    static std::string describe(const Stream& stream) {
        if (stream.view.empty()) return "all fields";
        std::string text = "fields";
        for (const Int16 id : stream.view)
            text += " " + std::to_string(id);
        return text;
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent& event) override {
        streams_.erase(event.getHandle());
        if (request.getDomainType() != MMT_LOGIN) return;
        streams_.clear();
        clientHasGone = true;
    }

    std::map<UInt64, Stream> streams_;
    bool allPaused_ = false;
    Int64 tick_ = 0;
};

int main(int argc, char* argv[]) {
    try {
        OnDemand source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        UInt64 next = 0;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !source.clientHasGone && GetTime::getMillis() < end;) {
            provider.dispatch(10'000);
            if (GetTime::getMillis() < next) continue;
            source.updateAll(provider);
            next = GetTime::getMillis() + 20;
        }
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
