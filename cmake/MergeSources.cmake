# EMISSARY_MERGE_SOURCES=ON compiles the sources of a room as one: a cold build of a layer takes a third less time, most of all
# under sanitizers, and a change takes more. A file that does not include what it uses is not found here, but by an ordinary build, and by
# the steps of .ci/run that read each file alone (clang-tidy, clang 19).
# Names of one room that two files keep to themselves are then one name: such a file stands below, and is compiled alone.
option(EMISSARY_MERGE_SOURCES "Compile the sources of a room as one (./runtests.sh and .ci/run turn it on)" OFF)

set(EMISSARY_MOST_MERGED 12)
set(EMISSARY_UNMERGED
    capi/consumer/Consumer.cpp
    capi/data/fields.cpp
    ema/config/parameters.cpp
    ema/data/FieldList.cpp
    ema/data/MsgImpl.cpp
    ema/data/OmmArray.cpp
    ema/data/PostAckMsg.cpp
    ema/data/Primitives.cpp
    ema/data/QosState.cpp
    ema/data/RefreshStatusMsg.cpp
    ema/data/ReqMsg.cpp
    ema/data/UpdateGenericMsg.cpp
    ema/session/provider/NiProviderImpl.cpp
    ema/settings/OmmIProviderConfig.cpp
    ema/settings/OmmNiProviderConfig.cpp
    eta/codec/ContainerEncoder.cpp
    eta/codec/ListEncoder.cpp
    eta/core/host_names.cpp
    eta/json/MessageToRwf.cpp
    eta/json/PayloadToRwf.cpp
    eta/json/syntax.cpp
    eta/json/text_values.cpp
    eta/transport/multicast/Sender.cpp
    eta/transport/multicast/SequencedStream.cpp
    hub/access/ItemsAgain.cpp
    hub/backbone/Wishes.cpp
    hub/client/ItemStreams.cpp
    hub/client/Logins.cpp
    hub/client/Recheck.cpp
    hub/config/resolve_mesh.cpp
    hub/fanout/SlowClients.cpp
    hub/flow/Joins.cpp
    hub/ops/Gate.cpp
    hub/ops/OtlpPush.cpp
    hub/ops/Pages.cpp
    hub/publisher/PublisherPort.cpp
    hub/publisher/PublisherSource.cpp
    hub/publisher/PublisherSupply.cpp
    hub/publisher/SupplyLosses.cpp
    hub/publisher/UnknownItems.cpp
    hub/relay/FrontPort.cpp
    hub/relay/Intake.cpp
    hub/upstream/InteractiveSupply.cpp
    hub/upstream/SupplyStandbys.cpp
    reactor/acceptor/PublisherAnswers.cpp
    reactor/consumer/WarmStandby.cpp
    reactor/loop/Reactor.cpp
    reactor/provider/DirectoryAnswers.cpp
    reactor/rdm/directory_reader.cpp
    reactor/tunnel/ProviderEnd.cpp
    reactor/watchlist/Opening.cpp
    rest/oauth/token_answer.cpp)
# A source distribution (python/) has some layers alone.
foreach(source IN LISTS EMISSARY_UNMERGED)
  string(REGEX REPLACE "/.*" "" layer ${source})
  if(EXISTS ${PROJECT_SOURCE_DIR}/${layer} AND NOT EXISTS ${PROJECT_SOURCE_DIR}/${source})
    message(FATAL_ERROR "cmake/MergeSources.cmake: EMISSARY_UNMERGED names ${source}, which is not there")
  endif()
endforeach()

# Of a library's target, when all of its folders have been read.
function(emissary_merge_all_sources target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes a source that another one includes for a header, whose types should not have members of a nameless namespace.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  foreach(source IN LISTS sources)
    get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    if(name IN_LIST EMISSARY_UNMERGED)
      continue()
    endif()
    get_filename_component(room ${name} DIRECTORY)
    string(MAKE_C_IDENTIFIER ${room} room)
    math(EXPR part "0${count_${room}} / ${EMISSARY_MOST_MERGED}")
    math(EXPR count_${room} "0${count_${room}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${part})
  endforeach()
endfunction()

# emissary_merge_sources(TARGET): to be called in the folder of the library.
function(emissary_merge_sources target)
  if(EMISSARY_MERGE_SOURCES)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL emissary_merge_all_sources ${target})")
  endif()
endfunction()
