// SPDX-License-Identifier: Apache-2.0
#include "pages/pages.h"

#include <gmock/gmock.h>

namespace clconv {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Escaped, TextEndsNoElementAndNoAttribute) { EXPECT_EQ(escaped(R"(<b> & "c")"), "&lt;b&gt; &amp; &quot;c&quot;"); }

TEST(EmbeddedJson, NoStringEndsItsElementOrBeginsAComment)
{
    const std::string element = embedded_json("data", R"({"name": "</script><!--<script>"})");
    EXPECT_THAT(element, HasSubstr(R"({"name": "\u003c/script>\u003c!--\u003cscript>"})"));
    EXPECT_EQ(element.find("</script>"), element.rfind("</script>"));
}

TEST(PageText, MarksOfTheFrameInTextsStayText)
{
    const std::string page = page_text({"@CONTENT@ @ <x>", "<p>@SCRIPTS@ @NOTHING@</p>", {}, {}});
    EXPECT_THAT(page, HasSubstr("<title>@CONTENT@ @ &lt;x&gt;</title>"));
    EXPECT_THAT(page, HasSubstr("<p>@SCRIPTS@ @NOTHING@</p>"));
}

TEST(PageText, LetsABrowserLoadNothing)
{
    const std::string page = page_text({"title", "", {"report.css"}, {"dom.js", "run.js"}});
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("://")));
    EXPECT_THAT(page, HasSubstr(".totals"));
    EXPECT_THAT(page, HasSubstr("function totalsOfRun()"));
}

}  // namespace
}  // namespace clconv
