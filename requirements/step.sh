#!/bin/sh
# step.sh WHAT COMMAND: say what is being done, do it, and say how far everything is. What the command prints is shown
# only if it fails; it finds the name of that log in LOG, and what it writes to 3 is shown at once.
# The Makefile gives STEPS, how many there are to do, and DONE, the file with a line for each that is done.
what=$1
LOG=$(mktemp)
export LOG
began=$(date +%s)
echo "${STEPS:+      }$what ..."
sh -c "$2" 3>&1 >"$LOG" 2>&1
code=$?
if [ $code != 0 ]; then
    cat "$LOG" >&2
    echo "Failed: $what" >&2
elif [ -n "$STEPS" ]; then
    echo "$what" >>"$DONE"
    printf '[%s/%s] %s: %s s\n' "$(grep -c '' "$DONE")" "$STEPS" "$what" "$(($(date +%s) - began))"
fi
rm -f "$LOG"
exit $code
