// SPDX-License-Identifier: Apache-2.0
// A line of a manifest: no record, or one that is written and read again unchanged.
#include "files/manifest.h"

#include "promise.h"

using namespace clconv;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto record = manifest_record(std::string(hostile::text_of(data, size)));
    if (!record) return 0;
    const std::string line = manifest_line(*record);
    hostile::promise(line.find('\n') == line.size() - 1, "a record is one line");
    const auto again = manifest_record(line);
    hostile::promise(again && again->key == record->key && again->bytes == record->bytes &&
                         again->output == record->output && again->input == record->input &&
                         again->digest == record->digest,
                     "a record that is written is read again");
    return 0;
}
