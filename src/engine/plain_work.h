// SPDX-License-Identifier: Apache-2.0
// The task of the plain work: one convolution by a plan of the image's own problem. Other works that load and store
// images in the same way derive from it.
#pragma once

#include "engine/task.h"

namespace clconv {

class PlainTask : public Task {
public:
    PlainTask(const WorkContext& context, const Job& job) : context_(context), job_(job) {}

    [[nodiscard]] const Problem& planned() const override { return job_.problem; }
    [[nodiscard]] PreparedPlan::Transfer transfer(PreparedPlan& plan) override;
    void enqueue(Flight& flight, PreparedPlan& plan, const PreparedPsf& transfer, bool is_checked) override;
    [[nodiscard]] bool shares_launches() const override;
    [[nodiscard]] PlanCheck::Finding compare(PlanCheck& check, const Flight& flight) override;

protected:
    [[nodiscard]] const WorkContext& context() const { return context_; }
    [[nodiscard]] const Job& job() const { return job_; }

private:
    void keep_for_noise(Flight& flight, const Plan& plan) const;

    const WorkContext& context_;
    const Job job_;
};

}  // namespace clconv
