// SPDX-License-Identifier: Apache-2.0
#include "image_options/page_options.h"

#include "settings/number_option.h"

namespace clconv {

CLI::Option* add_page_options(OptionList& list, std::string& file, std::size_t& max_pictured, const char* group)
{
    CLI::Option* html = list.add_option(Effect::none, "--html", file,
                                        "write the report as one page for a browser, which needs no network: failures, "
                                        "warnings, times, some images before and after, all items")
                            ->type_name("FILE")
                            ->group(group);
    list.add_option(Effect::none, "--pictures", max_pictured,
                    "how many images the page shows before and after, at most, about 70 kB each; 0: none")
        ->type_name("N")
        ->check(in_range(0, 10000))
        ->needs(html)
        ->capture_default_str()
        ->group(group);
    return html;
}

}  // namespace clconv
