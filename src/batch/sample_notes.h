// SPDX-License-Identifier: Apache-2.0
// Messages and warnings about the samples of a run's outputs. Each message about types and copied channels appears
// once, however many images it concerns.
#pragma once

#include "encoders/file_changes.h"
#include "files/item.h"
#include "report/events.h"

#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace clconv {

class SampleNotes {
public:
    /// `requested`: for all outputs. `stays_stored`: whether samples are convolved as stored, without --linear. `sink`
    /// must outlive this.
    SampleNotes(const FormRequest& requested, bool stays_stored, Sink& sink)
        : requested_(requested), stays_stored_(stays_stored), sink_(sink)
    {
    }

    /// Adds the warnings of a finished item, whose parts have `forms`, corrects its output's type, and logs messages
    /// that appear once a run. Called by several threads.
    void add(const Item& item, ItemResult& result, const std::vector<StoredForms>& forms);

private:
    [[nodiscard]] static std::string overflow_warning(const Item& item, std::size_t samples, FileType type);
    void note_copied(const Item& item, const std::vector<std::string>& channels);
    void note_type(const Item& item, ItemResult& result);
    /// Warns of differences between both files whose kind has no warning yet.
    void note_changes(const Item& item, ItemResult& result, StoredForms forms) const;
    void note_light(const Item& item, ItemResult& result);
    /// Whether this is the first call with `what`.
    [[nodiscard]] bool is_new(const std::string& what);

    FormRequest requested_;
    bool stays_stored_;
    Sink& sink_;
    std::mutex mutex_;
    std::set<std::string> reported_;
};

}  // namespace clconv
