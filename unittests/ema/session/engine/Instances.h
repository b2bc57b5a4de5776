// The three kinds of instance behind one face: what their common engine does is tested with the same rows for each.
#pragma once

#include "Ema.h"
#include "support/catch.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emissary::test {

using namespace refinitiv::ema::access;

/// What applications throw in callbacks.
struct Mine {};

/// A consumer or provider with a peer on loopback that can make it call the application back.
class Instance {
public:
    enum class Kind : std::uint8_t { consumer, interactiveProvider, nonInteractiveProvider };
    struct Options {
        bool userDispatch = false;
        bool errorClient = false;
        int items = 1;
    };
    /// Connected and logged in, its items open.
    [[nodiscard]] static std::unique_ptr<Instance> make(Kind kind, Options options);
    [[nodiscard]] static const char* name(Kind kind);
    virtual ~Instance() = default;

    /// What the specific callback does from now on, after onAllMsg; `askEvent` calls the getters of its event.
    using Hook = std::function<void(const std::function<void()>& askEvent)>;
    void onCallback(Hook hook);
    virtual void provoke() = 0;  ///< one callback comes
    [[nodiscard]] virtual Int64 dispatch(Int64 timeoutUs) = 0;
    virtual void call() = 0;  ///< a call that works while the instance is up
    virtual void end() = 0;   ///< destroys it, the peer stays
    [[nodiscard]] virtual std::string instanceName() = 0;

    /// What the error client was told: "usage -4048", "dispatch -1 text".
    [[nodiscard]] std::vector<std::string> told();
    /// False when it is not told of that within ten seconds.
    [[nodiscard]] bool waitTold(const std::string& start);

protected:
    void called(const std::function<void()>& askEvent);
    void tell(std::string what);

    template <class ErrorClient>
    class Errors final : public ErrorClient {
    public:
        explicit Errors(Instance& of) : of_(of) {}
        using ErrorClient::onInvalidUsage;
        void onInvalidUsage(const EmaString&, Int32 code) override { of_.tell("usage " + std::to_string(code)); }
        void onDispatchError(const EmaString& text, Int32 code) override {
            of_.tell("dispatch " + std::to_string(code) + " " + text.c_str());
        }

    private:
        Instance& of_;
    };

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    Hook hook_;                      // guarded by mutex_
    std::vector<std::string> told_;  // guarded by mutex_
};

inline constexpr Instance::Kind kEveryKind[] = {Instance::Kind::consumer, Instance::Kind::interactiveProvider,
                                                Instance::Kind::nonInteractiveProvider};

/// A thread of this process, by what the kernel knows of it.
struct ThreadView {
    std::string tid, name;
    char state = '?';           ///< 'S' sleeping
    double cpuSeconds = 0;      ///< used so far
    std::uint64_t wakeUps = 0;  ///< how often it gave the processor up by itself
    [[nodiscard]] static ThreadView of(const std::string& tid);
    [[nodiscard]] static std::vector<ThreadView> all();
};

}  // namespace emissary::test
