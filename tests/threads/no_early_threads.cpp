// SPDX-License-Identifier: Apache-2.0
// Keeps log4cplus from starting threads when it is loaded, which it is by OpenImageIO through OpenVDB. clconv does not
// use it.
//
// ThreadSanitizer cannot follow a fork of a process that has threads: a thread of the child gets the memory of one that
// only the parent has, and the child ends ("dup thread with used id", exit code 66, and no report). Without these four,
// clconv has none when it forks. Loaded before everything else (LD_PRELOAD) by tests/threads/batches.py.
namespace log4cplus {

void initializeLog4cplus() {}

}  // namespace log4cplus
