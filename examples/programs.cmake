# Every example program, by folder.
set(EMISSARY_EXAMPLE_PROGRAMS
  consumer/streaming/several_items
  consumer/streaming/snapshot
  consumer/streaming/user_dispatch
  consumer/streaming/watch_item
  provider/prices/quotes)
