// SPDX-License-Identifier: Apache-2.0
// Which record applies to a problem, and that none can make a plan wrong.

#include "plan_records/lookup.h"

#include "base/errors.h"
#include "plan_records/pass_store.h"
#include "plan_records/records_tools.h"
#include "plan_records/tuned_plans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string planned(const Problem& problem, const std::vector<std::string>& decisions = {})
{
    Decisions all;
    for (const std::string& decision : decisions) decide(all, decision);
    return describe_work(make_plan(problem, kDevice.traits, all));
}

class Lookup : public testing::Test {
protected:
    ChosenPlan chosen(const KnownRecords& known, const Problem& problem = kPhoto, const Decisions& forced = {},
                      const KnownPasses& passes = {})
    {
        passed_over_.clear();
        return choose_plan(
            known, {problem, kDevice, forced, record_key(kDevice, kKernels, problem, decided(forced))},
            [&]() -> const KnownPasses& { return passes; },
            [this](const std::string& note) { passed_over_.push_back(note); });
    }
    std::vector<std::string> passed_over_;
};

const std::vector<std::string> kOther = {"row-lines=1", "row-items=16"};

Record of_other_driver()
{
    Record record = a_record(kPhoto, kOther);
    record.key.driver = "0.9";
    return record;
}

Problem one_pixel_narrower()
{
    Problem problem = kPhoto;
    --problem.image.width;
    return problem;
}

TEST_F(Lookup, WithoutRecordsThePlannerChooses)
{
    const ChosenPlan choice = chosen({});
    EXPECT_EQ(choice.origin, "heuristic");
    EXPECT_FALSE(choice.measured);
    EXPECT_EQ(describe_work(choice.plan), planned(kPhoto));
}

TEST_F(Lookup, TheRecordOfExactlyThisKeySpeaks)
{
    ASSERT_NE(planned(kPhoto), planned(kPhoto, kOther));
    const ChosenPlan choice = chosen({{of_other_driver(), a_record(kPhoto, kOther)}, {}});
    EXPECT_EQ(choice.origin, "record");
    EXPECT_TRUE(choice.measured);
    EXPECT_EQ(describe_work(choice.plan), planned(kPhoto, kOther));
    EXPECT_THAT(describe(choice), HasSubstr("row-items=16"));
    EXPECT_THAT(describe(choice), HasSubstr("chosen   by record"));
}

TEST_F(Lookup, BestAsPlannedMeansProgramsOfThisSizesOwn)
{
    EXPECT_EQ(chosen({}).plan.programs, Programs::general);
    EXPECT_EQ(chosen({{a_record(kPhoto, {})}, {}}).plan.programs, Programs::special);
    Decisions forced;
    forced.programs = Programs::general;
    EXPECT_EQ(chosen({{a_record(kPhoto, {})}, {}}, kPhoto, forced).plan.programs, Programs::general);
}

TEST_F(Lookup, NoRecordSpeaksForAnotherPrecision)
{
    Problem in_half = kPhoto;
    in_half.precision = Precision::half;
    EXPECT_EQ(chosen({{a_record(kPhoto)}, {a_record(kPhoto)}}, in_half).origin, "heuristic");
    EXPECT_EQ(chosen({{a_record(in_half)}, {a_record(in_half)}}).origin, "heuristic");
    EXPECT_EQ(chosen({{a_record(in_half)}, {}}, in_half).origin, "record");
}

TEST_F(Lookup, ARecordWithoutDecisionsSaysThatThePlannerIsRight)
{
    const ChosenPlan choice = chosen({{a_record(kPhoto, {})}, {}});
    EXPECT_EQ(choice.origin, "record");
    EXPECT_EQ(describe_work(choice.plan), planned(kPhoto, {"programs=special"}));
}

TEST_F(Lookup, AnotherDriversRecordIsStaleButUsed)
{
    const ChosenPlan choice = chosen({{of_other_driver()}, {}});
    EXPECT_THAT(choice.origin, HasSubstr("stale"));
    EXPECT_EQ(describe_work(choice.plan), planned(kPhoto, kOther));
}

TEST_F(Lookup, OtherKernelsMakeOwnRecordsWorthless)
{
    Record record = a_record(kPhoto, kOther);
    record.key.kernels = "fedcba9876543210";
    EXPECT_EQ(chosen({{record}, {}}).origin, "heuristic");
}

TEST_F(Lookup, ARecordOfAProblemThatPadsToTheSameSizeSpeaks)
{
    const Problem narrower = one_pixel_narrower();
    ASSERT_EQ(a_record(narrower).similar, a_record(kPhoto).similar);
    const ChosenPlan choice = chosen({{a_record(kPhoto, kOther)}, {}}, narrower);
    EXPECT_THAT(choice.origin, HasSubstr("similar"));
    EXPECT_EQ(describe_work(choice.plan), planned(narrower, kOther));
    EXPECT_EQ(chosen({{a_record(kVideo, kOther)}, {}}, narrower).origin, "heuristic");
}

TEST_F(Lookup, ARecordOfASimilarSizeDoesNotChangeTheMethod)
{
    const KnownRecords known{{a_record(kPhoto, {"method=direct"})}, {}};
    EXPECT_EQ(chosen(known, one_pixel_narrower()).origin, "heuristic");
    EXPECT_THAT(passed_over_, ElementsAre(HasSubstr("method")));
    EXPECT_EQ(chosen(known).plan.method(), Method::direct);
}

TEST_F(Lookup, OtherSampleTypesAreNotSimilar)
{
    Problem deep = kPhoto;
    deep.input = deep.output = SampleType::float32;
    EXPECT_EQ(chosen({{a_record(kPhoto, kOther)}, {}}, deep).origin, "heuristic");
}

TEST_F(Lookup, ShippedRecordsComeAfterTheUsersOwn)
{
    const Record shipped = a_record(kPhoto, {"row-lines=1"});
    EXPECT_EQ(chosen({{}, {shipped}}).origin, "shipped record");
    EXPECT_EQ(chosen({{a_record(kPhoto, kOther)}, {shipped}}).origin, "record");
    EXPECT_THAT(chosen({{of_other_driver()}, {shipped}}).origin, HasSubstr("stale"));
}

TEST_F(Lookup, ShippedRecordsHoldForOtherDriversAndKernelsButNotForOtherDevices)
{
    Record shipped = a_record(kPhoto, kOther);
    shipped.key.driver = "0.5";
    shipped.key.kernels = "fedcba9876543210";
    shipped.key.compute_units = 100;
    EXPECT_EQ(chosen({{}, {shipped}}).origin, "shipped record");
    shipped.key.device = "Another GPU";
    EXPECT_EQ(chosen({{}, {shipped}}).origin, "heuristic");
}

TEST_F(Lookup, CpusOfOneInstructionSetAreAFamily)
{
    const char* pocl = "Portable Computing Language";
    EXPECT_EQ(device_family(pocl, "pthread-skylake-avx512-AMD EPYC"),
              device_family(pocl, "pthread-skylake-avx512-Intel(R) Xeon(R) CPU @ 2.60GHz"));
    EXPECT_EQ(device_family(pocl, "pthread-skylake-avx512-AMD EPYC"),
              device_family(pocl, "cpu-skylake-avx512-AMD EPYC 9654"))
        << "PoCL calls its threads cpu since version 4";
    EXPECT_NE(device_family(pocl, "cpu-minimal-skylake-avx512-AMD EPYC"),
              device_family(pocl, "cpu-skylake-avx512-AMD EPYC"));
    EXPECT_NE(device_family(pocl, "pthread-haswell-AMD EPYC"), device_family(pocl, "pthread-skylake-avx512-AMD EPYC"));
    EXPECT_NE(device_family(pocl, "A GPU"), device_family("Maker", "A GPU"));
}

TEST_F(Lookup, DecisionsThatDoNotFitArePassedOver)
{
    for (const char* decision : {"row-radices=2.2", "colour=red", "method=guess", "column-lines=3", "row-items=0",
                                 "residence=global", "row-radices=1024.1024.1024"}) {
        const ChosenPlan choice = chosen({{a_record(kPhoto, {decision})}, {}});
        EXPECT_EQ(choice.origin, "heuristic") << decision;
        EXPECT_EQ(describe_work(choice.plan), planned(kPhoto)) << decision;
        EXPECT_THAT(passed_over_, ElementsAre(HasSubstr(token(kPhoto)))) << decision;
    }
}

TEST_F(Lookup, WhatIsForcedHoldsAndOnlyRecordsOfTheSameForceSpeak)
{
    Decisions forced;
    decide(forced, "row-lines=1");
    const Record without = a_record(kPhoto, {"row-lines=2"});
    Record with = a_record(kPhoto, {"row-items=16"});
    with.key.forced = {"row-lines=1"};
    EXPECT_EQ(describe_work(chosen({{without}, {without}}, kPhoto, forced).plan), planned(kPhoto, {"row-lines=1"}));
    EXPECT_EQ(describe_work(chosen({{without, with}, {}}, kPhoto, forced).plan), planned(kPhoto, kOther));
    EXPECT_EQ(chosen({{with}, {}}).origin, "heuristic");
}

TEST_F(Lookup, ARecordSpeaksForBothKindsOfPrograms)
{
    for (const char* kind : {"programs=special", "programs=general"}) {
        Decisions forced;
        decide(forced, kind);
        EXPECT_EQ(chosen({{}, {a_record(kPhoto, {"row-lines=2"})}}, kPhoto, forced).origin, "shipped record") << kind;
    }
}

TEST_F(Lookup, AnImpossibleProblemIsRefusedWhateverIsKnown)
{
    Problem wrong = kPhoto;
    wrong.origin = {63, 0};
    EXPECT_THROW((void)chosen({}, wrong), InvalidProblem);
}

/// The passes of a plan, each `factor` times the model's time.
void add_passes(PassSet& set, const Plan& plan, double factor)
{
    for (const PassLoad& load : loads_of(plan.problem, plan.fft()))
        add_pass(set, {load.pass, load.filled, {{load.lines, factor * model_ns(load, kDevice.traits)}}});
}

/// The planner's passes as the model says, and those of the plan with these decisions ten times as fast.
PassSet fast_passes(const Problem& problem, const std::vector<std::string>& decisions)
{
    Decisions all;
    for (const std::string& decision : decisions) decide(all, decision);
    PassSet set{pass_set_key(kDevice, kKernels), {}};
    add_passes(set, make_plan(problem, kDevice.traits), 1);
    add_passes(set, make_plan(problem, kDevice.traits, all), 0.1);
    return set;
}

class PassesSpeak : public Lookup {
protected:
    PassesSpeak() { decide(special_, "programs=special"); }

    ChosenPlan by(const std::optional<PassSet>& own, const std::vector<PassSet>& shipped = {},
                  const std::vector<Record>& records = {})
    {
        return chosen({records, {}}, kVideo, special_, known_passes(own, shipped, kDevice, kKernels));
    }

    const std::vector<std::string> other_ = {"programs=special", "row-radices=16.16.8", "row-items=128",
                                             "row-lines=1",      "tile-columns=4",      "column-lines=1"};
    const PassSet set_ = fast_passes(kVideo, other_);
    Decisions special_;
};

TEST_F(PassesSpeak, WhereNoProblemHasARecord)
{
    ASSERT_NE(planned(kVideo, other_), planned(kVideo, {"programs=special"}));
    const ChosenPlan choice = by(set_);
    EXPECT_EQ(choice.origin, "measured passes");
    EXPECT_TRUE(choice.measured);
    EXPECT_EQ(describe_work(choice.plan), planned(kVideo, other_));
    EXPECT_THAT(describe(choice), HasSubstr("rows 2048=16.16.8 "));
    EXPECT_THAT(describe(choice), HasSubstr("ms measured, columns "));
    EXPECT_THAT(describe(choice), HasSubstr("method fft: direct would cost"));

    EXPECT_EQ(by(set_, {}, {a_record(kVideo, {"row-lines=1"})}).origin, "record");
    EXPECT_EQ(by(std::nullopt).origin, "heuristic");
    EXPECT_EQ(by(PassSet{set_.key, {}}).origin, "heuristic");
}

/// kDevice with just enough memory for this plan.
DeviceInfo just_large_enough(const Problem& problem, const Decisions& decisions)
{
    DeviceInfo device = kDevice;
    for (std::uint64_t megabytes = 1;; ++megabytes) {
        device.traits.global_memory = device.traits.max_allocation = megabytes << 20U;
        if (plan_if_it_fits(problem, device.traits, decisions)) return device;
    }
}

TEST_F(PassesSpeak, NotForLinesThatTheDeviceHasNoMemoryFor)
{
    const std::vector<std::string> longer = {"programs=special", "row-radices=16.16.9", "row-items=144",
                                             "row-lines=1",      "tile-columns=4",      "column-lines=1"};
    const PassSet set = fast_passes(kVideo, longer);
    const DeviceInfo small = just_large_enough(kVideo, special_);
    Decisions all;
    for (const std::string& decision : longer) decide(all, decision);
    ASSERT_FALSE(plan_if_it_fits(kVideo, small.traits, all));
    const KnownPasses passes = known_passes(set, {}, small, kKernels);
    const ChosenPlan choice = choose_plan(
        {}, {kVideo, small, special_, record_key(small, kKernels, kVideo, decided(special_))},
        [&]() -> const KnownPasses& { return passes; }, [](const std::string& /*note*/) {});
    EXPECT_EQ(describe_work(choice.plan), describe_work(make_plan(kVideo, small.traits, special_)));
}

TEST_F(PassesSpeak, AndSayHowManyOfThemWereMeasured)
{
    PassSet columns = set_;
    std::erase_if(columns.passes, [](const PassRecord& record) { return record.pass.kind != PassKind::columns; });
    const ChosenPlan choice = by(columns);
    EXPECT_EQ(choice.origin, "1 of 3 measured passes");
    EXPECT_THAT(describe(choice), HasSubstr("ms modelled, columns "));

    PassSet shorter = fast_passes(kPhoto, {"programs=special"});
    EXPECT_EQ(by(shorter).origin, "heuristic") << "no line of these is long enough";
}

TEST_F(PassesSpeak, OfThisDeviceBeforeThoseThatAreShipped)
{
    PassSet shipped = set_, stale = set_, foreign = set_;
    shipped.key.driver = shipped.key.kernels = "other";
    stale.key.driver = "0.9";
    foreign.key.device = "Another GPU";
    EXPECT_EQ(by(std::nullopt, {foreign, shipped}).origin, "shipped measured passes");
    EXPECT_EQ(by(std::nullopt, {foreign}).origin, "heuristic");
    EXPECT_EQ(by(stale, {shipped}).origin, "stale measured passes (of another driver)");
    EXPECT_EQ(by(shipped, {}).origin, "heuristic") << "of other kernels";
    EXPECT_EQ(by(set_, {shipped}).origin, "measured passes");
}

TEST_F(PassesSpeak, OfARelatedDeviceWhereThisOneHasNone)
{
    DeviceInfo h200 = kDevice;
    h200.name = "NVIDIA H200";
    PassSet h100 = set_, own{pass_set_key(h200, kKernels), {}};
    h100.key.device = "NVIDIA H100 80GB HBM3";
    add_passes(own, make_plan(kVideo, h200.traits), 1);
    const auto chosen_by = [&](const std::optional<PassSet>& measured, const std::vector<PassSet>& shipped) {
        const KnownPasses passes = known_passes(measured, shipped, h200, kKernels);
        return choose_plan(
            {}, {kVideo, h200, special_, record_key(h200, kKernels, kVideo, decided(special_))},
            [&]() -> const KnownPasses& { return passes; }, [](const std::string& /*note*/) {});
    };
    EXPECT_EQ(chosen_by(std::nullopt, {h100}).origin, "shipped measured passes");
    EXPECT_EQ(describe_work(chosen_by(std::nullopt, {h100}).plan), planned(kVideo, other_));
    EXPECT_THAT(describe(chosen_by(std::nullopt, {h100})), HasSubstr("ms measured on a related device"));

    // Own passes are those of one plan only, so the other is found among those of the related device.
    for (const auto& choice : {chosen_by(own, {h100}), chosen_by(std::nullopt, {h100, own})}) {
        EXPECT_EQ(describe_work(choice.plan), planned(kVideo, other_));
        EXPECT_THAT(describe(choice), HasSubstr("ms measured on a related device"));
    }
    EXPECT_THAT(describe(chosen_by(h100, {own})), Not(HasSubstr("related"))) << "a smaller set lends nothing";
    PassSet foreign = h100;
    foreign.key.platform = "another";
    EXPECT_EQ(chosen_by(std::nullopt, {foreign}).origin, "heuristic");
    EXPECT_THAT(describe(chosen_by(own, {foreign})), Not(HasSubstr("related")));
}

TEST(GenerationsOfDevices, AreThoseOfTheirNames)
{
    for (const char* name : {"NVIDIA H100 PCIe", "NVIDIA H200", "NVIDIA H20", "NVIDIA GH200 480GB"})
        EXPECT_EQ(device_generation(name), device_generation("NVIDIA H100 80GB HBM3")) << name;
    for (const char* name : {"NVIDIA A100-SXM4-80GB", "NVIDIA GeForce RTX 4090", "pthread-skylake-avx512-AMD EPYC"})
        EXPECT_EQ(device_generation(name), device_family_name(name));
}

TEST(RelatedPasses, AreThoseOfTheDeviceItselfIfItHasSome)
{
    PassSet own, family, platform, foreign;
    own.key = family.key = platform.key = foreign.key = pass_set_key(kDevice, kKernels);
    platform.key.device = "Another GPU";
    foreign.key.platform = "another platform";
    for (PassSet* set : {&own, &family, &platform, &foreign}) set->passes.emplace_back();
    const std::vector<PassSet> all = {foreign, platform, family}, none = {foreign};
    EXPECT_EQ(related_passes(own, all, kDevice)->key, own.key);
    EXPECT_EQ(related_passes(std::nullopt, all, kDevice), &all[2]);
    EXPECT_EQ(related_passes(PassSet(), {all.data(), all.data() + 2}, kDevice)->key.device, "Another GPU");
    EXPECT_EQ(related_passes(std::nullopt, none, kDevice), nullptr);
}

class TunedPlansOfAFolder : public InARecordFolder {
protected:
    std::string origin(Tuning tuning, TunedPlans::Measure measure = {})
    {
        TunedPlans plans(
            tuning, folder_, kKernels, [](const std::string&) {}, std::move(measure));
        return plans.choose(kPhoto, kDevice, {}).origin;
    }
};

TEST_F(TunedPlansOfAFolder, UseRecordsUnlessTuningIsOff)
{
    ASSERT_TRUE(RecordStore(folder_).keep(a_record(kPhoto, kOther)));
    EXPECT_EQ(origin(Tuning::automatic), "record");
    EXPECT_EQ(origin(Tuning::off), "heuristic");
}

TEST_F(TunedPlansOfAFolder, UsePassesUnlessTuningIsOffOrTheResultDependsOnTheLength)
{
    ASSERT_TRUE(PassStore(folder_).keep(fast_passes(kPhoto, {})));
    EXPECT_EQ(origin(Tuning::automatic), "measured passes");
    EXPECT_EQ(origin(Tuning::off), "heuristic");
    TunedPlans plans(Tuning::automatic, folder_, kKernels, [](const std::string&) {});
    Problem inverse = kPhoto;
    inverse.support = KernelSupport::infinite;
    EXPECT_EQ(plans.choose(inverse, kDevice, {}).origin, "heuristic");
    EXPECT_EQ(plans.choose_without_records(inverse, kDevice, {}).origin, "heuristic");
}

TEST_F(TunedPlansOfAFolder, SayWhatPassesWouldChooseWhereAProblemHasARecord)
{
    ASSERT_TRUE(PassStore(folder_).keep(fast_passes(kPhoto, {})));
    ASSERT_TRUE(RecordStore(folder_).keep(a_record(kPhoto, kOther)));
    TunedPlans plans(Tuning::automatic, folder_, kKernels, [](const std::string&) {});
    EXPECT_EQ(plans.choose(kPhoto, kDevice, {}).origin, "record");
    EXPECT_EQ(plans.choose_without_records(kPhoto, kDevice, {}).origin, "measured passes");
    TunedPlans off(Tuning::off, folder_, kKernels, [](const std::string&) {});
    EXPECT_EQ(off.choose_without_records(kPhoto, kDevice, {}).origin, "heuristic");
}

TEST_F(TunedPlansOfAFolder, MeasureOnceWhatHasNoRecord)
{
    int measured = 0;
    const auto measure = [&](const Problem& problem, const DeviceInfo&, const Decisions&) {
        ++measured;
        return std::optional(a_record(problem, kOther));
    };
    TunedPlans plans(
        Tuning::measure, folder_, kKernels, [](const std::string&) {}, measure);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(plans.choose(kPhoto, kDevice, {}).origin, "record");
    EXPECT_EQ(measured, 1);
    EXPECT_EQ(origin(Tuning::automatic, measure), "heuristic") << "measured without being asked to";
    ASSERT_TRUE(RecordStore(folder_).keep(a_record(kPhoto, kOther)));
    EXPECT_EQ(origin(Tuning::measure, measure), "record");
    EXPECT_EQ(measured, 1);
}

}  // namespace
}  // namespace clconv::test
