// A dictionary's content behind one pointer, which is replaced when a load or a received part has been checked.
#include "eta/dictionary/Dictionary.h"

#include "dictionary/sets.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace emissary::eta::dictionary {

namespace {

// What an empty dictionary looks ids up in. Never written; not const, so that it takes no room in the program file.
const FieldDefinition* noFields[kIdSlots];
const codec::DataType noTypes[kIdSlots] = {};
const std::vector<const FieldDefinition*> noFieldList;
const std::vector<const EnumTable*> noTableList;
const Tags noTags;

/// This is far above any dictionary; it keeps a wrong path (a core file, a database) from filling the memory.
constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;

class Descriptor {
public:
    explicit Descriptor(const char* path) noexcept : fd_(::open(path, O_RDONLY | O_CLOEXEC)) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_;
};

}  // namespace

Refused readFile(const std::string& path, std::string_view what, std::string& out) {
    const auto refuse = [&](const std::string& why) {
        return Refused{"cannot read the " + std::string(what) + " '" + path + "': " + why +
                       "; check the path in the configuration"};
    };
    const auto refuseErrno = [&](int number) { return refuse(std::generic_category().message(number)); };
    const Descriptor file(path.c_str());
    if (file.get() < 0) return refuseErrno(errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return refuseErrno(errno);
    if (S_ISDIR(status.st_mode)) return refuse("it is a directory");
    if (static_cast<std::size_t>(status.st_size) > kMaxFileBytes) return refuse("it is larger than 256 MB");

    out.resize(static_cast<std::size_t>(status.st_size) +
               1);  // one byte more, so that the end shows without another read
    std::size_t filled = 0;
    for (;;) {
        const ssize_t got = ::read(file.get(), out.data() + filled, out.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return refuseErrno(errno);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
        if (filled > kMaxFileBytes) return refuse("it is larger than 256 MB");
        if (filled == out.size()) out.resize(out.size() * 2);  // the file grew, or it is a pipe
    }
    out.resize(filled);
    return {};
}

Dictionary::Dictionary() : byId_(noFields), types_(noTypes) {}
Dictionary::~Dictionary() = default;

Dictionary::Dictionary(const Dictionary& other)
    : std::enable_shared_from_this<Dictionary>(), byId_(noFields), types_(noTypes) {
    if (!other.store_) return;
    store_ = std::make_unique<Store>();
    if (other.store_->enums) store_->install(std::make_unique<EnumSet>(*other.store_->enums));
    if (other.store_->fields) store_->install(std::make_unique<FieldSet>(*other.store_->fields));
    indexChanged();
}

Dictionary& Dictionary::operator=(const Dictionary& other) {
    if (this != &other) *this = Dictionary(other);
    return *this;
}

Dictionary::Dictionary(Dictionary&& other) noexcept
    : std::enable_shared_from_this<Dictionary>(), store_(std::move(other.store_)), byId_(other.byId_),
      types_(other.types_) {
    other.byId_ = noFields;
    other.types_ = noTypes;
}

Dictionary& Dictionary::operator=(Dictionary&& other) noexcept {
    store_ = std::move(other.store_);
    indexChanged();
    other.indexChanged();
    return *this;
}

void Dictionary::indexChanged() noexcept {
    byId_ = hasFields() ? store_->fields->slots() : noFields;
    types_ = hasFields() ? store_->fields->types() : noTypes;
}

void Dictionary::clear() {
    store_.reset();
    indexChanged();
}

Refused Dictionary::loadFields(const std::string& path) {
    std::string text;
    if (Refused e = readFile(path, "field dictionary", text)) return e;
    return parseFields(text, path);
}

Refused Dictionary::loadEnums(const std::string& path) {
    std::string text;
    if (Refused e = readFile(path, "enumerated types", text)) return e;
    return parseEnums(text, path);
}

Refused Dictionary::parseFields(std::string_view text, std::string_view name) {
    auto set = std::make_unique<FieldSet>();
    if (Refused e = parseFieldFile(text, name, store_ ? store_->enums.get() : nullptr, *set)) return e;
    if (!store_) store_ = std::make_unique<Store>();
    store_->install(std::move(set));
    indexChanged();
    return {};
}

Refused Dictionary::parseEnums(std::string_view text, std::string_view name) {
    auto set = std::make_unique<EnumSet>();
    if (Refused e = parseEnumFile(text, name, store_ ? store_->fields.get() : nullptr, *set)) return e;
    if (!store_) store_ = std::make_unique<Store>();
    store_->install(std::move(set));
    return {};
}

const FieldDefinition* Dictionary::find(std::string_view acronym) const noexcept {
    return hasFields() ? store_->fields->find(acronym) : nullptr;
}

const std::vector<const FieldDefinition*>& Dictionary::fields() const noexcept {
    return hasFields() ? store_->fields->inOrder() : noFieldList;
}

const std::vector<const EnumTable*>& Dictionary::enumTables() const noexcept {
    return hasEnums() ? store_->enums->inOrder() : noTableList;
}

bool Dictionary::hasFields() const noexcept {
    return store_ && store_->fields && !store_->fields->inOrder().empty();
}

bool Dictionary::hasEnums() const noexcept {
    return store_ && store_->enums && !store_->enums->inOrder().empty();
}

std::int16_t Dictionary::minFieldId() const noexcept {
    return hasFields() ? fields().front()->fieldId : std::int16_t{0};
}

std::int16_t Dictionary::maxFieldId() const noexcept {
    return hasFields() ? fields().back()->fieldId : std::int16_t{0};
}

const Tags& Dictionary::fieldTags() const noexcept {
    return store_ && store_->fields ? store_->fields->tags : noTags;
}

const Tags& Dictionary::enumTags() const noexcept {
    return store_ && store_->enums ? store_->enums->tags : noTags;
}

const std::vector<std::string>& Dictionary::warnings() const noexcept {
    static const std::vector<std::string> none;
    return store_ && store_->fields ? store_->fields->warnings : none;
}

}  // namespace emissary::eta::dictionary
