# Rules about the text of the project (label lint). Each NAME.py exports problems(files); self_test.py
# shows each one a bad sample that it must catch.
set(lint "${CMAKE_CURRENT_SOURCE_DIR}/lint")
foreach(rule include_rules model_cards number_sources machine_traces packages)
  faultline_add_test(lint/${rule} lint ${PYTHON3} "${lint}/lint.py" ${rule})
endforeach()
faultline_add_test(lint/self_test lint ${PYTHON3} "${lint}/self_test.py")
faultline_add_test(lint/tools lint ${BASH} "${lint}/tools.sh")

# The fence itself: what a policy may include compiles, what it may not does not.
if(TARGET faultline_policies)
  set(seen "$<TARGET_PROPERTY:faultline_policies,INTERFACE_INCLUDE_DIRECTORIES>")
  faultline_add_test(lint/fence lint ${PYTHON3} "${lint}/fence.py" ${CMAKE_CXX_COMPILER}
                     "$<JOIN:$<REMOVE_DUPLICATES:${seen}>,:>")
endif()
