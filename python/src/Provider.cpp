// The classes Provider and NiProvider: providers of the C interface.
#include "Batch.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include <nanobind/stl/map.h>
#include <unistd.h>

namespace emissary::python {
namespace {

/// The functions of each kind of provider.
struct Interactive {
    using Handle = emi_provider;
    static constexpr auto close = emi_provider_close;
    static constexpr auto nextBatch = emi_provider_next_batch;
};
struct NonInteractive {
    using Handle = emi_ni_provider;
    static constexpr auto close = emi_ni_provider_close;
    static constexpr auto nextBatch = emi_ni_provider_next_batch;
};

/// A provider. Any thread; close() waits for calls of other threads, which are refused from then on.
template <class Calls>
class Providing {
public:
    Providing() = default;
    ~Providing() { close(); }
    Providing(const Providing&) = delete;
    Providing& operator=(const Providing&) = delete;

    void close() {
        if (::getpid() != process_) return;
        const nb::gil_scoped_release released;
        closed_ = true;
        const std::unique_lock hold(use_);
        Calls::close(std::exchange(provider_, nullptr));
    }
    /// Waits in slices, so that a signal's handler runs between them, and close() gets its turn.
    nb::object nextBatch(double timeout) {
        using Clock = std::chrono::steady_clock;
        constexpr double kSlice = 0.1;
        const auto begun = Clock::now();
        for (;;) {
            const double left = timeout < 0 ? kSlice : timeout - std::chrono::duration<double>(Clock::now() - begun).count();
            emi_batch* batch = nullptr;
            call([&](emi_error& error) {
                return Calls::nextBatch(provider_, static_cast<std::int64_t>(std::clamp(left, 0.0, kSlice) * 1000 + 0.5), &batch, &error);
            });
            auto filled = std::make_shared<Rows>(batch);
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (filled->view.rows > 0 || (timeout >= 0 && left <= kSlice)) return makeBatch(std::move(filled));
        }
    }

protected:
    template <class Work>
    void call(Work&& work) {
        emi_error error = noError();
        int code = EMI_OK;
        if (::getpid() != process_) raise(EMI_E_USAGE, "this provider belongs to the parent process: open one in the child");
        bool closed = false;
        {
            const nb::gil_scoped_release released;
            const std::shared_lock hold(use_);
            closed = closed_;
            if (!closed) code = work(error);
        }
        if (closed) raise(EMI_E_USAGE, "this provider is closed");
        if (code != EMI_OK) raise(code, error.text);
    }

    const pid_t process_ = ::getpid();
    std::shared_mutex use_;  // taken without the interpreter lock; by close() alone
    std::atomic<bool> closed_{false};
    typename Calls::Handle* provider_ = nullptr;  // under use_
};

class Provider : public Providing<Interactive> {
public:
    using Service = std::optional<std::string>;  // none: the first

    Provider(const std::string& port, const std::vector<std::string>& services, const std::string& dictionaries, bool json) {
        std::vector<const char*> names;
        for (const auto& name : services)
            names.push_back(name.c_str());
        call([&](emi_error& error) {
            return emi_provider_open_services(port.c_str(), names.data(), names.size(), dictionaries.c_str(), json ? 1 : 0, &provider_,
                                              &error);
        });
    }
    void publish(const std::string& item, const std::vector<Node>& fields, const Service& service) {
        const auto values = valuesOf(fields);
        call([&](emi_error& error) {
            return emi_provider_publish_to(provider_, text(service), item.c_str(), values.data(), values.size(), &error);
        });
    }
    void send(const std::string& item, std::uint32_t domain, int type, const std::vector<Node>& data, const Service& service) {
        const auto values = valuesOf(data);
        call([&](emi_error& error) {
            return emi_provider_send_to(provider_, text(service), item.c_str(), domain, type, values.data(), values.size(), &error);
        });
    }
    void status(const std::string& item, int state, const std::string& why, const Service& service) {
        call([&](emi_error& error) {
            return emi_provider_status_of(provider_, text(service), item.c_str(), state, why.c_str(), &error);
        });
    }
    std::size_t streams(const std::optional<std::string>& item, const Service& service) {
        std::size_t count = 0;
        call([&](emi_error& error) { return emi_provider_streams_of(provider_, text(service), text(item), &count, &error); });
        return count;
    }
    void takeRequests(bool take) {
        call([&](emi_error& error) { return emi_provider_take_requests(provider_, take ? 1 : 0, &error); });
    }
    void takeLogins(bool take) {
        call([&](emi_error& error) { return emi_provider_take_logins(provider_, take ? 1 : 0, &error); });
    }
    void answerLogin(std::uint64_t login, bool accept, const std::string& text) {
        call([&](emi_error& error) { return emi_provider_answer_login(provider_, login, accept ? 1 : 0, text.c_str(), &error); });
    }
    std::uint16_t port() {
        std::uint16_t port = 0;
        call([&](emi_error& error) { return emi_provider_port(provider_, &port, &error); });
        return port;
    }
    void answerPosts(std::uint32_t nack, const std::string& text) {
        call([&](emi_error& error) { return emi_provider_answer_posts(provider_, nack, text.c_str(), &error); });
    }

private:
    static const char* text(const std::optional<std::string>& given) { return given ? given->c_str() : nullptr; }
};

class NiProvider : public Providing<NonInteractive> {
public:
    NiProvider(const std::map<std::string, std::string>& settings, const std::string& service, std::uint32_t id,
               const std::string& dictionaries) {
        const std::unique_ptr<emi_config, void (*)(emi_config*)> config(emi_config_new(), emi_config_free);
        for (const auto& [name, value] : settings)
            if (value.find('\0') != std::string::npos) throw nb::value_error((name + " has a zero byte").c_str());
        call([&](emi_error& error) {
            for (const auto& [name, value] : settings)
                if (const int code = emi_config_set(config.get(), name.c_str(), value.c_str(), &error); code != EMI_OK) return code;
            return emi_ni_provider_open(config.get(), service.c_str(), id, dictionaries.c_str(), &provider_, &error);
        });
    }
    void publish(const std::string& item, const std::vector<Node>& fields) {
        const auto values = valuesOf(fields);
        call([&](emi_error& error) {
            return emi_ni_provider_publish(provider_, item.c_str(), values.data(), values.size(), &error);
        });
    }
    void send(const std::string& item, std::uint32_t domain, int type, const std::vector<Node>& data) {
        const auto values = valuesOf(data);
        call([&](emi_error& error) {
            return emi_ni_provider_send(provider_, item.c_str(), domain, type, values.data(), values.size(), &error);
        });
    }
    void status(const std::string& item, int state, const std::string& text) {
        call([&](emi_error& error) { return emi_ni_provider_status(provider_, item.c_str(), state, text.c_str(), &error); });
    }
    void serviceUp(bool up) {
        call([&](emi_error& error) { return emi_ni_provider_service(provider_, up ? 1 : 0, &error); });
    }
    bool connected() {
        int connected = 0;
        call([&](emi_error& error) { return emi_ni_provider_connected(provider_, &connected, &error); });
        return connected != 0;
    }
};

template <class Class>
nb::class_<Class>& defineCommon(nb::class_<Class>& made) {
    return made.def("close", &Class::close).def("next_batch", &Class::nextBatch, nb::arg("timeout"));
}

}  // namespace

void defineProvider(nb::module_& module) {
    nb::class_<Provider> provider(module, "Provider");
    defineCommon(provider)
        .def(nb::init<const std::string&, const std::vector<std::string>&, const std::string&, bool>(), nb::arg("port"),
             nb::arg("services"), nb::arg("dictionaries"), nb::arg("json"))
        .def("publish", &Provider::publish, nb::arg("item"), nb::arg("fields"), nb::arg("service") = nb::none())
        .def("send", &Provider::send, nb::arg("item"), nb::arg("domain"), nb::arg("type"), nb::arg("data"),
             nb::arg("service") = nb::none())
        .def("status", &Provider::status, nb::arg("item"), nb::arg("state"), nb::arg("text"), nb::arg("service") = nb::none())
        .def("take_requests", &Provider::takeRequests, nb::arg("take"))
        .def("take_logins", &Provider::takeLogins, nb::arg("take"))
        .def("answer_login", &Provider::answerLogin, nb::arg("login"), nb::arg("accept"), nb::arg("text"))
        .def("port", &Provider::port)
        .def("answer_posts", &Provider::answerPosts, nb::arg("nack"), nb::arg("text"))
        .def("streams", &Provider::streams, nb::arg("item") = nb::none(), nb::arg("service") = nb::none());
    nb::class_<NiProvider> publisher(module, "NiProvider");
    defineCommon(publisher)
        .def(nb::init<const std::map<std::string, std::string>&, const std::string&, std::uint32_t, const std::string&>(),
             nb::arg("settings"), nb::arg("service"), nb::arg("service_id"), nb::arg("dictionaries"))
        .def("publish", &NiProvider::publish, nb::arg("item"), nb::arg("fields"))
        .def("send", &NiProvider::send, nb::arg("item"), nb::arg("domain"), nb::arg("type"), nb::arg("data"))
        .def("status", &NiProvider::status, nb::arg("item"), nb::arg("state"), nb::arg("text"))
        .def("service_up", &NiProvider::serviceUp, nb::arg("up"))
        .def_prop_ro("connected", &NiProvider::connected);
}

}  // namespace emissary::python
