// SPDX-License-Identifier: Apache-2.0
#include "report/log.h"

#include "files/temporary_folder.h"

#include <gmock/gmock.h>

#include <csignal>
#include <functional>
#include <sstream>

namespace clconv {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ItemInfo item(std::size_t index)
{
    const std::string name = std::to_string(index) + ".png";
    return {index, "in/" + name, "out/" + name, "box", {}};
}

class LogFile : public InATemporaryFolder {
protected:
    /// What the file gets of a run.
    [[nodiscard]] std::string text_of(const std::function<void(Log&)>& run,
                                      std::optional<Level> level = std::nullopt) const
    {
        Log log({level, false, at("log.txt")}, nullptr);
        run(log);
        std::ostringstream text;
        text << std::ifstream(at("log.txt")).rdbuf();
        return text.str();
    }
};

TEST_F(LogFile, HasWhatIsShownAndAllFromDebugOn)
{
    const auto say = [](Log& log) {
        log.message(Level::trace, "a trace");
        log.message(Level::debug, "a detail");
    };
    EXPECT_THAT(text_of(say), AllOf(HasSubstr(" debug: a detail\n"), Not(HasSubstr("a trace"))));
    EXPECT_THAT(text_of(say, Level::trace), HasSubstr(" trace: a trace\n"));
}

TEST_F(LogFile, HasOneWarningOfAKindThatOfTheFirstImage)
{
    const std::string text = text_of([](Log& log) {
        for (const std::size_t index : {1, 0, 2}) {
            ItemResult result;
            result.status = ItemStatus::done;
            result.warnings = {Warning(WarningKind::type, item(index).input.string() + ": is odd", "u16", "u8")};
            log.item_finished(item(index), result);
        }
        log.run_finished({});
    });
    EXPECT_THAT(text, AllOf(HasSubstr(" warning: in/0.png: is odd (2 more warnings of kind type"),
                            HasSubstr(" debug: warning: in/1.png: is odd\n")));
}

TEST_F(LogFile, HasAnErrorOfAnItemThatEndsTheRunOnce)
{
    const std::string text = text_of([](Log& log) {
        ItemResult result;
        result.status = ItemStatus::failed;
        result.error = "in/0.png: is broken";
        log.item_finished(item(0), result);
        log.run_finished({Seconds{1}, 6, 0, result.error});
    });
    EXPECT_EQ(text.find("is broken"), text.rfind("is broken")) << text;
    EXPECT_THAT(text_of([](Log& log) {
                    log.run_finished({Seconds{1}, 5, 0, "no device"});
                }),
                HasSubstr(" error: no device\n"));
}

TEST_F(LogFile, CallsARunInterruptedUnlessItsReaderHasGone)
{
    EXPECT_THAT(text_of([](Log& log) {
                    log.run_finished({Seconds{1}, 141, SIGPIPE, ""});
                }),
                Not(HasSubstr("interrupted")));
    EXPECT_THAT(text_of([](Log& log) { log.run_finished({Seconds{1}, 130, SIGINT, ""}); }), HasSubstr("interrupted"));
}

}  // namespace
}  // namespace clconv
