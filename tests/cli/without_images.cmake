# SPDX-License-Identifier: Apache-2.0
# clconv without image files (CLCONV_IMAGES=OFF): the commands for devices work, and files are refused by name.
function(clconv_says name pattern)
  add_test(NAME cli/without_images/${name} COMMAND clconv ${ARGN})
  set_tests_properties(cli/without_images/${name} PROPERTIES LABELS cli PASS_REGULAR_EXPRESSION "${pattern}")
endfunction()

clconv_says(version "clconv [0-9.]+ .commit [-a-z0-9]+, without image files." --version)
clconv_says(devices "[0-9]+:[0-9]+" devices)
clconv_says(plan "rows" plan --size 64x48 --psf-size 5 --method fft)
clconv_says(plan_of_a_file "built without image files" plan photo.jpg --psf disc.png)
clconv_says(tune_for_files "built without image files" tune --like photos --psf disc.png)
clconv_says(bench "64x48" bench --size 64x48 --psf-size 5 --repeat 1 --json)
clconv_says(selftest "Check that a device computes correctly" selftest --help)
clconv_says(run "run: no such command; use one of plan, " run photo.jpg)
