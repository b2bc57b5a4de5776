# The steps of .ci/run: they are counted, failures are kept for the end, and what was left out is named. To be sourced;
# `night` is set where the steps of the night run, CI_MINUTES is the time for them by day. unittests/house/ci_steps_test.py
# tries it with steps of its own.
end=$((${CI_MINUTES:-45} * 60))
log=$(mktemp)
failures=$log.failures
trap 'rm -f "$log" "$failures"' EXIT
passed=0 failed=0 left=() missing=()

# keep_failure NAME: of a failed step's output what says why, for the end of the run: whoever reads a long log begins there.
keep_failure() {
    {
        printf '\n==== FAILED: %s\n' "$1"
        grep -E -B 3 -A 25 'FAILED|\*\*\*|^FAIL|Sanitizer|runtime error:|error:|Traceback|AssertionError|were asked for' "$log" | head -150
        printf '%s\n' '-- its last lines'
        tail -15 "$log"
    } >>"$failures"
}

# step NAME COMMAND...: adds what the command counts as "N passed, N failed"; one that counts nothing is one test. A line
# "left out: ..." names a part that did not run.
step() {
    local name=$1 begun=$SECONDS
    shift
    printf '\n==== %s (%d:%02d)\n' "$name" $((SECONDS / 60)) $((SECONDS % 60))
    "$@" 2>&1 | tee "$log"
    local status=${PIPESTATUS[0]} counts ok ko part
    counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -1)
    read -r ok _ ko _ <<<"${counts:-0 passed, 0 failed}"
    if [ -z "$counts" ] && [ "$status" -eq 0 ]; then ok=1; fi
    if [ "$status" -ne 0 ] && [ "$ko" -eq 0 ]; then ko=1; fi
    passed=$((passed + ok)) failed=$((failed + ko))
    while read -r part; do missing+=("$name: ${part#left out: }"); done < <(grep '^left out: ' "$log")
    [ "$ko" -eq 0 ] || keep_failure "$name"
    printf '==== %s: %s in %d s\n' "$name" "$([ "$ko" -eq 0 ] && echo ok || echo FAILED)" $((SECONDS - begun))
}

# nightly MINUTES NAME COMMAND...: a step of the night, which is also begun by day when so many minutes are left. MINUTES `night`:
# at night alone.
nightly() {
    if [ -n "${night:-}" ] || { [ "$1" != night ] && [ $((SECONDS + $1 * 60)) -le "$end" ]; }; then
        step "${@:2}"
    else
        left+=("$2")
    fi
}

# finish: the closing lines, and the exit code of the run. No step may follow.
finish() {
    [ ${#left[@]} -eq 0 ] || printf 'left to the night (.ci/run night): %s\n' "${left[@]}"
    [ ! -s "$failures" ] || cat "$failures"
    [ ${#missing[@]} -eq 0 ] || printf 'LEFT OUT, and not declared for the night: %s\n' "${missing[@]}"
    printf '%d s in all\n' "$SECONDS"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] || exit 1
    [ ${#missing[@]} -eq 0 ] || exit 3
    exit 0
}
