// The counts of the access room.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::access {

/// Written by the stage thread only.
struct Counts {
    eta::Total<"emissary_hub_access_reads_total", "times", "Times that files of logins, keys or rules were read again.">
        reads;
    eta::Total<"emissary_hub_access_read_errors_total", "files",
               "Files of logins, keys or rules that had errors when they were read again, so that what was read before "
               "stayed in use.">
        readErrors;
    eta::Level<
        "emissary_hub_access_faulty_files", "files",
        "Files of logins, keys or rules that had errors when they were read last; what was read before is in use.">
        faulty;
    eta::Level<"emissary_hub_access_rules", "rules", "Rules on items in use."> rules;
    eta::Level<"emissary_hub_access_logins_open", "logins", "Logins that are being checked."> open;
    eta::Total<"emissary_hub_command_questions_total", "questions", "Questions for the program of LoginCommand.">
        commandQuestions;
    eta::Total<"emissary_hub_command_answers_total", "answers", "Answers of that program to questions that were open.">
        commandAnswers;
    eta::Total<"emissary_hub_command_bad_lines_total", "lines",
               "Lines of that program that are no answers: they have no effect.">
        commandBadLines;
    eta::Total<"emissary_hub_command_unknown_total", "answers",
               "Answers of that program to questions that were not open: late, given twice, or never asked. They have "
               "no effect.">
        commandUnknown;
    eta::Total<"emissary_hub_command_refused_total", "questions",
               "Questions that were not put to that program, since too much waited for it or JSON cannot say them.">
        commandRefused;
    eta::Total<"emissary_hub_command_starts_total", "times", "Times that the program was started."> commandStarts;
    eta::Level<"emissary_hub_command_up", "programs", "1 while the program of LoginCommand runs."> commandUp;
    eta::Level<"emissary_hub_command_open", "questions", "Questions that it has not answered."> commandOpen;
    eta::Level<"emissary_hub_command_on_the_way", "questions",
               "Questions that it may have and has not answered, those that nobody waits for any more among them.">
        commandOnTheWay;
    eta::Total<"emissary_hub_permission_cache_hits_total", "requests",
               "Requests for items that were decided by an answer which the program had given before.">
        cacheHits;
    eta::Level<"emissary_hub_permission_again", "items",
               "Open items about which that program is to be asked once more; they stay open until it says no.">
        again;
    eta::Level<"emissary_hub_permission_cached", "answers", "Answers about items that are remembered."> cached;
};

}  // namespace emissary::hub::access
