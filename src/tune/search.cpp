// SPDX-License-Identifier: Apache-2.0
#include "tune/search.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace clconv {
namespace {

struct Candidate {
    Answer decisions;
    Plan plan;
};

class Search {
public:
    Search(const Problem& problem, const DeviceTraits& traits, Arena& arena, const SearchSettings& settings)
        : problem_(problem), traits_(traits), arena_(arena), settings_(settings), start_(settings.now_s())
    {
    }

    SearchResult run()
    {
        const Candidate heuristic{{}, make_plan(problem_, traits_, settings_.forced)};
        best_ = heuristic;
        known_.insert(describe_work(heuristic.plan));
        result_.finished = true;
        std::vector<Question> all = {{Topic::variant, "known plans", settings_.known}};
        for (Question& question : questions(problem_, traits_)) all.push_back(std::move(question));
        for (const Question& question : all) {
            if (over()) {
                result_.finished = false;
                break;
            }
            ask(question);
        }
        settle(heuristic);
        return std::move(result_);
    }

private:
    /// The last tenth of the time is for the second comparison.
    [[nodiscard]] bool out_of_time() const { return settings_.now_s() - start_ > 0.9 * settings_.budget_s; }

    /// The first comparison is always made, so that no search ends without an answer, however slow the machine is.
    [[nodiscard]] bool compared() const { return !result_.attempts.empty(); }
    [[nodiscard]] bool over() const { return tried_ >= settings_.candidates || (compared() && out_of_time()); }

    /// The answers whose plans have not been tried yet.
    std::vector<Candidate> candidates(const Question& question)
    {
        std::vector<Candidate> list;
        for (const Answer& answer : question.answers) {
            const Answer decisions = combined(best_.decisions, answer);
            Checked check = checked(problem_, traits_, settings_.forced, decisions);
            if (!check.plan)
                result_.rejections.push_back(std::move(check.rejection));
            else if (!known_.insert(describe_work(*check.plan)).second)
                result_.rejections.push_back({decisions, "same", "its plan was tried already"});
            else
                list.push_back({decisions, std::move(*check.plan)});
        }
        return list;
    }

    /// The number of candidates that can be checked and compared in the remaining time. Large images take long, and a
    /// comparison is always finished. Before the first one, nothing is known.
    [[nodiscard]] std::size_t places_in_time() const
    {
        if (best_ms_ <= 0 || std::isinf(settings_.budget_s)) return settings_.heat;
        constexpr double images = 8;  // at least, for each: start, check, warm-up, and samples of one or more
        const double left_ms = 1e3 * (0.9 * settings_.budget_s - (settings_.now_s() - start_));
        const double places = left_ms / (images * best_ms_);
        return static_cast<std::size_t>(std::clamp(places, 0.0, static_cast<double>(settings_.heat)));
    }

    void ask(const Question& question)
    {
        const std::vector<Candidate> list = candidates(question);
        for (std::size_t first = 0; first < list.size();) {
            if (over()) {
                result_.finished = false;
                return;
            }
            const std::size_t places = std::max<std::size_t>(
                2, std::min({settings_.heat, arena_.capacity(list[first].plan), places_in_time()}));
            const std::size_t count = std::min({places - 1, list.size() - first, settings_.candidates - tried_});
            std::vector<Candidate> heat = {best_};
            heat.insert(heat.end(), list.begin() + static_cast<std::ptrdiff_t>(first),
                        list.begin() + static_cast<std::ptrdiff_t>(first + count));
            compete(question.name, heat);
            first += count;
            tried_ += count;
        }
    }

    /// Enters the candidates. Returns the numbers of those that may compete. The first is the one to beat.
    std::vector<std::size_t> enter(const std::vector<Candidate>& heat)
    {
        std::vector<Plan> plans;
        for (const Candidate& candidate : heat) plans.push_back(candidate.plan);
        const auto too_late = [this](std::size_t plan) { return (compared() || plan >= 2) && out_of_time(); };
        const std::vector<std::string> complaints = arena_.enter(plans, too_late);
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < heat.size(); ++i) {
            if (complaints[i].empty())
                ready.push_back(i);
            else if (complaints[i] == kOutOfTime)
                result_.rejections.push_back({heat[i].decisions, "budget", kOutOfTime});
            else
                result_.defects.push_back({heat[i].decisions, complaints[i]});
        }
        return ready;
    }

    void compete(const std::string& question, const std::vector<Candidate>& heat)
    {
        const std::vector<std::size_t> ready = enter(heat);
        if (ready.size() < 2 || ready.front() != 0) return;
        const auto cost = [&](std::size_t i) { return arena_.sample(ready[i]); };
        SamplingRules rules{.resolution = settings_.resolution};
        rules.stop = [this] { return out_of_time(); };
        const std::vector<Standing> standings = sample_round_robin(ready.size(), cost, rules);
        for (std::size_t i = 0; i < ready.size(); ++i)
            result_.attempts.push_back(
                {question, heat[ready[i]].decisions, describe_work(heat[ready[i]].plan), standings[i]});
        const std::size_t first = winner(standings, 0, settings_.resolution);
        best_ = heat[ready[first]];
        best_ms_ = standings[first].ms.median;
    }

    /// Compares the best with the planner's own plan once more.
    void settle(const Candidate& heuristic)
    {
        const bool changed = !best_.decisions.empty();
        std::vector<Candidate> last = {heuristic};
        if (changed) last.push_back(best_);
        std::vector<Plan> plans;
        for (const Candidate& candidate : last) plans.push_back(candidate.plan);
        const std::vector<std::string> complaints = arena_.enter(plans, [](std::size_t) { return false; });
        if (!complaints[0].empty())
            throw DeviceError(
                fmt::format("{}: the planner's own plan cannot compete: {}", token(problem_), complaints[0]));
        constexpr int pairs = 8;
        const bool compared = changed && complaints[1].empty();
        int alone = 0;
        Duel duel_result;
        if (compared) duel_result = duel([&](std::size_t i) { return arena_.sample(i); }, pairs, settings_.resolution);
        const Candidate& chosen = duel_result.won ? last[1] : heuristic;
        if (!compared) {
            const auto standings = sample_round_robin(1, [&](std::size_t) { return arena_.sample(0); },
                                                      {.maximum = 5, .resolution = settings_.resolution, .stop = {}});
            duel_result.incumbent = standings[0].ms;
            alone = standings[0].samples;
        }
        result_.decisions = chosen.decisions;
        result_.plan = chosen.plan;
        result_.heuristic_ms = duel_result.incumbent.median;
        result_.ms = duel_result.won ? duel_result.challenger.median : duel_result.incumbent.median;
        const auto add_finalist = [&](const Candidate& candidate, const Spread& ms, int samples) {
            result_.finalists.push_back(
                {"last comparison", candidate.decisions, describe_work(candidate.plan), {ms, samples}});
        };
        add_finalist(heuristic, duel_result.incumbent, compared ? pairs : alone);
        if (compared) add_finalist(last[1], duel_result.challenger, pairs);
    }

    const Problem& problem_;
    const DeviceTraits& traits_;
    Arena& arena_;
    const SearchSettings& settings_;
    const double start_;
    Candidate best_;
    double best_ms_ = 0;  ///< of an image, in the last comparison
    std::set<std::string> known_;
    std::size_t tried_ = 0;  ///< candidates that had their chance
    SearchResult result_;
};

}  // namespace

SearchResult search(const Problem& problem, const DeviceTraits& traits, Arena& arena, const SearchSettings& settings)
{
    return Search(problem, traits, arena, settings).run();
}

}  // namespace clconv
