// The class Consumer: calls of the C interface with the interpreter lock released, and its errors as exceptions.
#include "Batch.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include <unistd.h>

namespace emissary::python {
namespace {

/// The exception class of a code, in emissary.errors.
const char* className(int code) {
    switch (code) {
    case EMI_E_ARGUMENT:
        return "ArgumentError";
    case EMI_E_CONFIGURATION:
        return "ConfigurationError";
    case EMI_E_CONNECTION:
        return "ConnectionFailed";
    case EMI_E_CREDENTIALS:
        return "CredentialsError";
    case EMI_E_DIRECTORY:
        return "DirectoryMissing";
    case EMI_E_DICTIONARY:
        return "DictionaryMissing";
    case EMI_E_BUSY:
    case EMI_E_USAGE:
        return "UsageError";
    case EMI_E_ITEM:
        return "ItemError";
    case EMI_E_MEMORY:
        PyErr_NoMemory();
        throw nb::python_error();
    default:
        return "EmissaryError";
    }
}

}  // namespace

void raise(int code, const char* text) {
    const auto kind = nb::module_::import_("emissary.errors").attr(className(code));
    PyErr_SetString(kind.ptr(), text);
    throw nb::python_error();
}

namespace {

/// Log records since they were last fetched; the newest are kept.
class Log {
public:
    static constexpr std::size_t kMost = 1000;
    static void take(void* self, int severity, const char* component, const char* text) {
        auto& log = *static_cast<Log*>(self);
        const std::lock_guard hold(log.lock_);
        if (log.records_.size() == kMost) log.records_.pop_front();
        log.records_.push_back({severity, component, text});
    }
    nb::list fetch() {
        std::deque<Record> all;
        {
            const std::lock_guard hold(lock_);
            all.swap(records_);
        }
        nb::list list;
        for (const auto& r : all)
            list.append(nb::make_tuple(r.severity, r.component, nb::steal(PyUnicode_DecodeUTF8(
                                                                    r.text.data(), static_cast<Py_ssize_t>(r.text.size()), "replace"))));
        return list;
    }

private:
    struct Record {
        int severity;
        std::string component, text;
    };
    std::mutex lock_;
    std::deque<Record> records_;  // under lock_
};

/// A consumer. Any thread; a second one inside is refused by the C interface.
class Consumer {
public:
    Consumer(const std::map<std::string, std::string>& settings, const std::optional<std::string>& file,
             const std::optional<std::string>& text, const std::string& real, const std::string& enums)
        : choice_(choiceOf(real, enums)) {
        const std::unique_ptr<emi_config, void (*)(emi_config*)> config(emi_config_new(), emi_config_free);
        emi_error error = noError();
        int code = EMI_OK;
        for (const auto& [name, value] : settings) {
            if (value.find('\0') != std::string::npos) throw nb::value_error((name + " has a zero byte").c_str());
            if (code == EMI_OK) code = emi_config_set(config.get(), name.c_str(), value.c_str(), &error);
        }
        if (code == EMI_OK && choice_.enums != EnumAs::value) code = emi_config_set(config.get(), "enum_texts", "1", &error);
        if (code == EMI_OK && file) code = emi_config_file(config.get(), file->c_str(), &error);
        if (code == EMI_OK && text) code = emi_config_text(config.get(), text->c_str(), &error);
        if (code == EMI_OK) code = emi_config_log(config.get(), Log::take, &log_, &error);
        if (code == EMI_OK) {
            const nb::gil_scoped_release released;
            code = emi_consumer_open(config.get(), &consumer_, &error);
        }
        if (code != EMI_OK) raise(code, error.text);
    }
    ~Consumer() {
        if (consumer_ == nullptr || ::getpid() != process_) return;
        const nb::gil_scoped_release released;
        emi_consumer_close(consumer_, nullptr);
    }
    Consumer(const Consumer&) = delete;
    Consumer& operator=(const Consumer&) = delete;

    /// Waits for a call of another thread, which returns within a slice of its wait and is refused from then on.
    void close() {
        if (::getpid() != process_) return;
        emi_error error = noError();
        int code = EMI_OK;
        {
            const nb::gil_scoped_release released;
            closed_ = true;
            const std::lock_guard hold(use_);
            if (auto* const ending = std::exchange(consumer_, nullptr)) code = emi_consumer_close(ending, &error);
        }
        if (code != EMI_OK) raise(code, error.text);
    }
    [[nodiscard]] bool closed() const { return closed_; }

    std::vector<std::uint64_t> open(const std::string& service, const std::vector<std::string>& names, std::uint32_t flags,
                                    std::uint32_t domain, const std::vector<std::string>& view) {
        for (const auto& name : names)
            if (name.find('\0') != std::string::npos) throw nb::value_error("the name of an item has a zero byte");
        std::vector<std::uint64_t> items(names.size());
        std::vector<const char*> given, fields;
        for (const auto& name : names)
            given.push_back(name.c_str());
        for (const auto& field : view)
            fields.push_back(field.c_str());
        emi_request request{};
        request.size = sizeof request;
        request.flags = flags;
        request.domain = domain;
        request.view = fields.data();
        request.view_count = fields.size();
        call([&](emi_error& error) {
            const int code =
                emi_consumer_request(consumer_, service.c_str(), given.data(), given.size(), &request, items.data(), &error);
            if (code == EMI_OK)
                for (std::size_t i = 0; i < names.size(); ++i)
                    names_.set(items[i], names[i]);
            return code;
        });
        return items;
    }
    /// `how`: flags, has, id, sequence, user id, user address, rights, domain.
    void post(std::uint64_t item, const std::optional<std::string>& service, const std::optional<std::string>& name,
              const std::vector<std::uint32_t>& how, const std::vector<Node>& data) {
        constexpr std::size_t kMembers = 8;
        if (how.size() != kMembers) throw nb::value_error("how has eight members");
        const auto values = valuesOf(data);
        emi_post post{};
        post.size = sizeof post;
        post.flags = how[0];
        post.has = how[1];
        post.id = how[2];
        post.sequence = how[3];
        post.user_id = how[4];
        post.user_address = how[5];
        post.rights = static_cast<std::uint16_t>(how[6]);
        post.domain = how[7];
        call([&](emi_error& error) {
            return emi_consumer_post(consumer_, item, service ? service->c_str() : nullptr, name ? name->c_str() : nullptr, &post,
                                     values.data(), values.size(), &error);
        });
    }
    void generic(std::uint64_t item, const std::vector<Node>& data) {
        const auto values = valuesOf(data);
        call([&](emi_error& error) { return emi_consumer_generic(consumer_, item, values.data(), values.size(), &error); });
    }
    std::uint64_t openBook(const std::string& service, const std::string& name, std::uint32_t domain) {
        if (name.find('\0') != std::string::npos) throw nb::value_error("the name of an item has a zero byte");
        std::uint64_t item = 0;
        call([&](emi_error& error) {
            const int code = emi_consumer_open_book(consumer_, service.c_str(), name.c_str(), domain, &item, &error);
            if (code == EMI_OK) names_.set(item, name);
            return code;
        });
        return item;
    }
    /// state, phase, crossed, version, levels of bids, of asks, sequence
    nb::tuple book(std::uint64_t item) {
        emi_book known{};
        known.size = sizeof known;
        call([&](emi_error& error) { return emi_consumer_book(consumer_, item, &known, &error); });
        return nb::make_tuple(known.state, known.phase, known.crossed != 0, known.version, known.bids, known.asks, known.sequence);
    }
    nb::object bookRows(std::uint64_t item, int what, std::size_t depth) {
        emi_batch* batch = nullptr;
        call([&](emi_error& error) { return emi_consumer_book_rows(consumer_, item, what, depth, &batch, &error); });
        auto filled = std::make_shared<Rows>(batch);
        filled->take(names_);
        filled->choice = choice_;
        return makeBatch(std::move(filled));
    }
    /// fid, kind, length, name, long name
    nb::tuple field(const std::string& name) {
        emi_field found{};
        found.size = sizeof found;
        std::string known, longName;
        call([&](emi_error& error) {
            const int code = emi_consumer_field(consumer_, name.c_str(), &found, &error);
            if (code == EMI_OK) known = found.name, longName = found.long_name;
            return code;
        });
        return nb::make_tuple(found.fid, found.kind, found.length, textOf(known.data(), known.size()), textOf(longName.data(), longName.size()));
    }
    nb::object display(const std::string& name, std::uint32_t value) {
        std::string text;
        call([&](emi_error& error) {
            const char* shown = "";
            const int code = emi_consumer_enum(consumer_, name.c_str(), value, &shown, &error);
            text = shown;
            return code;
        });
        return textOf(text.data(), text.size());
    }
    void openLogin() {
        call([&](emi_error& error) { return emi_consumer_open_login(consumer_, &error); });
    }
    void closeItem(std::uint64_t item) {
        call([&](emi_error& error) {
            const int code = emi_consumer_close_item(consumer_, item, &error);
            if (code == EMI_OK) names_.closed(item);
            return code;
        });
    }
    nb::tuple item(std::uint64_t number) {
        emi_item known{};
        known.size = sizeof known;
        std::string name, service, text;
        call([&](emi_error& error) {
            const int code = emi_consumer_item(consumer_, number, &known, &error);
            if (code == EMI_OK) name = known.name, service = known.service, text = known.text;
            return code;
        });
        return nb::make_tuple(stateName(known.state), known.status_code, textOf(name.data(), name.size()), service,
                              textOf(text.data(), text.size()));
    }
    void columns(const std::vector<std::string>& fields) {
        std::vector<const char*> names;
        for (const auto& field : fields)
            names.push_back(field.c_str());
        call([&](emi_error& error) { return emi_consumer_columns(consumer_, names.data(), names.size(), &error); });
    }
    std::string metrics(const std::string& format) {
        char* text = nullptr;
        call([&](emi_error& error) { return emi_consumer_metrics(consumer_, format.c_str(), &text, &error); });
        std::string copy = text;
        emi_text_free(text);
        return copy;
    }
    /// (name, id, up) of each service.
    nb::list services(double timeout) {
        struct Service {
            std::string name;
            std::uint32_t id;
            bool up;
        };
        std::vector<Service> all;
        const auto add = [](void* closure, const char* name, std::uint32_t id, int up) {
            static_cast<std::vector<Service>*>(closure)->push_back({name, id, up != 0});
        };
        call([&](emi_error& error) {
            return emi_consumer_services(consumer_, static_cast<std::int64_t>(std::clamp(timeout, 0.0, 3600.0) * 1000), add, &all, &error);
        });
        nb::list list;
        for (const auto& s : all)
            list.append(nb::make_tuple(textOf(s.name.data(), s.name.size()), s.id, s.up));
        return list;
    }
    /// Waits in slices, so that a signal's handler runs between them.
    nb::object nextBatch(std::size_t rows, double timeout) {
        using Clock = std::chrono::steady_clock;
        constexpr double kSlice = 0.1;
        const auto begun = Clock::now();
        for (;;) {
            const double left = timeout < 0 ? kSlice : timeout - std::chrono::duration<double>(Clock::now() - begun).count();
            emi_batch* batch = nullptr;
            call([&](emi_error& error) {
                return emi_consumer_next_batch(consumer_, rows, static_cast<std::int64_t>(std::clamp(left, 0.0, kSlice) * 1000 + 0.5),
                                               &batch, &error);
            });
            auto filled = std::make_shared<Rows>(batch);
            filled->take(names_);
            filled->choice = choice_;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (filled->view.rows > 0 || (timeout >= 0 && left <= kSlice)) return makeBatch(std::move(filled));
        }
    }
    nb::list log() { return log_.fetch(); }

private:
    template <class Work>
    void call(Work&& work) {
        emi_error error = noError();
        int code = EMI_OK;
        {
            if (::getpid() != process_) raise(EMI_E_USAGE, "this session belongs to the parent process: open one in the child");
            // Held for the call, so that close() cannot end the consumer under it.
            const std::unique_lock hold(use_, std::try_to_lock);
            if (closed_) raise(EMI_E_USAGE, "this session is closed");
            if (!hold.owns_lock()) raise(EMI_E_BUSY, "another thread is inside a call of this session");
            const nb::gil_scoped_release released;
            code = work(error);
        }
        if (code != EMI_OK) raise(code, error.text);
    }

    const Choice choice_;
    const pid_t process_ = ::getpid();
    std::mutex use_;  // waited for by close() alone, without the interpreter lock
    std::atomic<bool> closed_{false};
    Names names_;
    Log log_;  // outlives the consumer, which writes into it
    emi_consumer* consumer_ = nullptr;  // under use_
};

}  // namespace

void defineConsumer(nb::module_& module) {
    nb::class_<Consumer>(module, "Consumer")
        .def(nb::init<const std::map<std::string, std::string>&, const std::optional<std::string>&,
                      const std::optional<std::string>&, const std::string&, const std::string&>(),
             nb::arg("settings"), nb::arg("file") = nb::none(), nb::arg("text") = nb::none(), nb::arg("real") = "decimal",
             nb::arg("enums") = "value")
        .def("close", &Consumer::close)
        .def_prop_ro("closed", &Consumer::closed)
        .def("open", &Consumer::open, nb::arg("service"), nb::arg("names"), nb::arg("flags"), nb::arg("domain") = 0,
             nb::arg("view") = std::vector<std::string>())
        .def("post", &Consumer::post, nb::arg("item"), nb::arg("service").none(), nb::arg("name").none(), nb::arg("how"), nb::arg("data"))
        .def("open_book", &Consumer::openBook, nb::arg("service"), nb::arg("name"), nb::arg("domain"))
        .def("book", &Consumer::book, nb::arg("item"))
        .def("book_rows", &Consumer::bookRows, nb::arg("item"), nb::arg("what"), nb::arg("depth"))
        .def("generic", &Consumer::generic, nb::arg("item"), nb::arg("data"))
        .def("field", &Consumer::field, nb::arg("name"))
        .def("display", &Consumer::display, nb::arg("name"), nb::arg("value"))
        .def("open_login", &Consumer::openLogin)
        .def("close_item", &Consumer::closeItem, nb::arg("item"))
        .def("item", &Consumer::item, nb::arg("item"))
        .def("columns", &Consumer::columns, nb::arg("fields"))
        .def("metrics", &Consumer::metrics, nb::arg("format"))
        .def("services", &Consumer::services, nb::arg("timeout"))
        .def("next_batch", &Consumer::nextBatch, nb::arg("rows"), nb::arg("timeout"))
        .def("log", &Consumer::log);
}

}  // namespace emissary::python
