# The pairs of example programs that are run, one file each in pairs/.
set(EMISSARY_EXAMPLE_PAIRS
  config_file
  config_precedence
  config_program
  config_unknown_name
  fields_dictionary
  fields_find
  fields_page
  fields_walk
  fields_wrong_reads
  streaming_dispatch
  streaming_item
  streaming_several
  streaming_snapshot)
