# Debian's OpenImageIO depends on some 260 libraries. At each start, the loader searches one after the other for 150,000 symbols,
# which takes two thirds of the time (docs/decisions/038-order-of-libraries.md).

# clconv_leave_out_opencv(TARGET LIBRARY): programs that link TARGET do not load OpenCV, although the file LIBRARY names it.
#
# OpenImageIO has functions that take pictures from a camera or pass them to OpenCV. clconv calls none of them, but OpenCV brings
# 80 libraries along, GDAL and clients of databases among them. So a library with the name of each of OpenCV's defines
# the few functions that LIBRARY takes from it, which abort. Programs link those libraries, and the loader loads no second one of the
# same name. If LIBRARY takes anything but plain functions, nothing is left out.
function(clconv_leave_out_opencv target library)
  if(CMAKE_CROSSCOMPILING OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CLCONV_LEAVE_OUT_OPENCV)
    return()
  endif()
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers ERROR_QUIET)
  execute_process(COMMAND ${CMAKE_NM} -D --undefined-only ${library} OUTPUT_VARIABLE undefined ERROR_QUIET)
  string(REGEX MATCHALL "libopencv_[a-z]+\\.so[.0-9]*" names "${headers}")
  string(REGEX MATCHALL " (cv[A-Z]|_Z[A-Z]+2cv)[^ \n]*" functions "${undefined}")
  if(NOT names OR functions MATCHES "@| _ZT")
    return()
  endif()
  set(source "#include <cstdlib>\n")
  foreach(function ${functions})
    string(STRIP ${function} function)
    string(APPEND source "extern \"C\" void ${function}() { std::abort(); }\n")
  endforeach()
  file(CONFIGURE OUTPUT stand_ins/opencv.cpp CONTENT "${source}" @ONLY)
  foreach(name ${names})
    add_library(${name} SHARED ${CMAKE_CURRENT_BINARY_DIR}/stand_ins/opencv.cpp)
    set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/stand_ins)
    install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/clconv)
  endforeach()
  target_link_libraries(${target} INTERFACE -Wl,--push-state,--no-as-needed ${names} -Wl,--pop-state)
endfunction()

# clconv_load_first(TARGET LIBRARY NAME...): programs that link TARGET link the libraries NAME... before all others, as far as the
# file LIBRARY depends on them. For those that hold most symbols, a third of them OpenVDB. All of them are loaded anyway.
function(clconv_load_first target library)
  if(CMAKE_CROSSCOMPILING OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  execute_process(COMMAND ldd ${library} OUTPUT_VARIABLE loaded ERROR_QUIET)
  set(first "")
  foreach(name ${ARGN})
    if(loaded MATCHES "=> ([^ \n]*/lib${name}[-.0-9]*\\.so[.0-9]*) ")
      list(APPEND first ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(first)
    target_link_options(${target} INTERFACE LINKER:--push-state,--no-as-needed ${first} LINKER:--pop-state)
  endif()
endfunction()
