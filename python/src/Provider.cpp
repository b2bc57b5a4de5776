// The class Provider: the provider of the C interface, for emissary.testing.
#include "Batch.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>

namespace emissary::python {
namespace {

/// name, kind (0: blank), whole number, hint, double, bytes
using Field = std::tuple<std::string, int, std::int64_t, int, double, nb::bytes>;

class Provider {
public:
    Provider(const std::string& port, const std::string& service, const std::string& dictionaries, bool json) {
        emi_error error = noError();
        int code = EMI_OK;
        {
            const nb::gil_scoped_release released;
            code = emi_provider_open(port.c_str(), service.c_str(), dictionaries.c_str(), json ? 1 : 0, &provider_, &error);
        }
        if (code != EMI_OK) raise(code, error.text);
    }
    ~Provider() { close(); }
    Provider(const Provider&) = delete;
    Provider& operator=(const Provider&) = delete;

    void close() {
        const nb::gil_scoped_release released;
        const std::lock_guard hold(use_);
        emi_provider_close(std::exchange(provider_, nullptr));
    }
    void publish(const std::string& item, const std::vector<Field>& fields) {
        std::vector<emi_value> values;
        for (const auto& [name, kind, number, hint, real, bytes] : fields) {
            emi_value& v = values.emplace_back();
            v = {};
            v.size = sizeof v;
            v.name = name.c_str();
            v.kind = static_cast<std::uint8_t>(kind);
            v.blank = kind == EMI_NOTHING ? 1 : 0;
            v.hint = static_cast<std::uint8_t>(hint);
            v.i64 = number;
            v.f64 = real;
            v.text = bytes.c_str();
            v.length = bytes.size();
        }
        call([&](emi_error& error) { return emi_provider_publish(provider_, item.c_str(), values.data(), values.size(), &error); });
    }
    void status(const std::string& item, int state, const std::string& text) {
        call([&](emi_error& error) { return emi_provider_status(provider_, item.c_str(), state, text.c_str(), &error); });
    }
    std::size_t streams(const std::optional<std::string>& item) {
        std::size_t count = 0;
        call([&](emi_error& error) { return emi_provider_streams(provider_, item ? item->c_str() : nullptr, &count, &error); });
        return count;
    }

private:
    template <class Work>
    void call(Work&& work) {
        emi_error error = noError();
        int code = EMI_OK;
        bool closed = false;
        {
            const nb::gil_scoped_release released;
            const std::lock_guard hold(use_);
            closed = provider_ == nullptr;
            if (!closed) code = work(error);
        }
        if (closed) raise(EMI_E_USAGE, "this provider is closed");
        if (code != EMI_OK) raise(code, error.text);
    }

    std::mutex use_;  // taken without the interpreter lock
    emi_provider* provider_ = nullptr;
};

}  // namespace

void defineProvider(nb::module_& module) {
    nb::class_<Provider>(module, "Provider")
        .def(nb::init<const std::string&, const std::string&, const std::string&, bool>(), nb::arg("port"), nb::arg("service"),
             nb::arg("dictionaries"), nb::arg("json"))
        .def("close", &Provider::close)
        .def("publish", &Provider::publish, nb::arg("item"), nb::arg("fields"))
        .def("status", &Provider::status, nb::arg("item"), nb::arg("state"), nb::arg("text"))
        .def("streams", &Provider::streams, nb::arg("item") = nb::none());
}

}  // namespace emissary::python
