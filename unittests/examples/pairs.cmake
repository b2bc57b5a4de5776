# The pairs of example programs that are run, one file each in pairs/.
set(EMISSARY_EXAMPLE_PAIRS
  streaming_dispatch
  streaming_item
  streaming_several
  streaming_snapshot)
