// Makes views of the fields that the settings name, and joins them with what clients ask for.
#include "hub/client/LoginViews.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace emissary::hub::client {

using reactor::rdm::View;

LoginViews::Views LoginViews::made(const std::vector<UserClassSettings>& classes, Unknown& unknown) const {
    Views all;
    for (const UserClassSettings& c : classes) {
        std::optional<View>& view = all.emplace_back();
        if (!c.view) continue;
        view.emplace();
        for (const std::string& field : c.view->fields) {
            std::int16_t id = 0;
            const auto [end, ec] = std::from_chars(field.data(), field.data() + field.size(), id);
            if (ec == std::errc() && end == field.data() + field.size()) view->fields.push_back(id);
            else if (dictionary_ == nullptr) continue;
            else if (const auto* const known = dictionary_->find(std::string_view(field)))
                view->fields.push_back(known->fieldId);
            else {
                std::string text = "View [" + c.view->name + "] has the field [" + field +
                                   "], which the dictionary does not have: nobody gets it by that name";
                if (std::ranges::find(unknown, text) == unknown.end()) unknown.push_back(std::move(text));
            }
        }
        std::ranges::sort(view->fields);
        view->fields.erase(std::unique(view->fields.begin(), view->fields.end()), view->fields.end());
    }
    return all;
}

LoginViews::Unknown LoginViews::setClasses(const std::vector<UserClassSettings>& classes) {
    Unknown unknown;
    Views views = made(classes, unknown);
    classes_ = classes;
    views_.swap(views);
    used_ = used_ || std::ranges::any_of(views_, [](const auto& view) { return view.has_value(); });
    return unknown;
}

LoginViews::Unknown LoginViews::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    Unknown unknown;
    dictionary_ = std::move(dictionary);
    views_ = made(classes_, unknown);
    return unknown;
}

std::optional<std::uint16_t> LoginViews::cut(ViewTable& views, const Client& client, std::uint16_t asked) const {
    const View* const allowed = of(client);
    if (allowed == nullptr) {
        if (asked != 0) views.share(asked);
        return asked;
    }
    View made = *allowed;
    if (asked != 0) {
        const View& wanted = views[asked];
        if (wanted.kind == View::Kind::elements) {
            // It does not concern fields, so all that the login may have stay.
            made.kind = View::Kind::both;
            made.elements = wanted.elements;
        } else {
            made.fields.clear();
            std::ranges::set_intersection(wanted.fields, allowed->fields, std::back_inserter(made.fields));
        }
    }
    const std::uint16_t number = views.intern(made);
    return number == 0 ? std::nullopt : std::optional(number);
}

}  // namespace emissary::hub::client
