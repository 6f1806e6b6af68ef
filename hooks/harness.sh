#!/bin/sh
# Entry point of the hooks of other harnesses: runs "modes hook" with a time limit. Every failure denies the call with exit code 2
# and a reason on stderr, because most harnesses let a call run after any other failure.
# usage: harness.sh HARNESS EVENT     (hook event on stdin)
# It uses only sh's builtin commands, sleep, and node.
set -u
# Functions from the environment would run instead of the shell's own commands and programs.
unset -f '[' command exit kill printf read sleep trap ulimit wait
# If stdin is closed, bash would use its descriptor for the first pipe.
{ command true 3<&0; } 2>/dev/null || exec </dev/null
# The same for stderr. Without it, no check could start.
command true 3>&2 || exec 2>/dev/null
umask 077
LC_ALL=C
export LC_ALL

# Copilot CLI shows the reason of a deny only in JSON with exit code 0. Every other exit code denies there, too, without a reason. The
# texts contain no character that JSON escapes.
refuse() {
  case $event in
    copilot/[pP]reToolUse)
      printf '{"permissionDecision":"deny","permissionDecisionReason":"Modes: %s"}\n' "$1" && exit 0
      ;;
  esac
  printf 'Modes: %s\n' "$1" >&2
  exit 2
}
event=${1:-}/${2:-}

# A relative HOME would be in the project. Names below /proc are relative too.
case ${HOME:-} in
  */proc/*) unset HOME ;;
  /*) ;;
  *) unset HOME ;;
esac
package=${0%/hooks/*}
case ${CLAUDE_CONFIG_DIR:-} in
  *'${'* | */proc/*) config=${HOME:-}/.claude ;;
  /*) config=$CLAUDE_CONFIG_DIR ;;
  *) config=${HOME:-}/.claude ;;
esac
data=$config/modes-data
MODES_PATH=${PATH:-}
export MODES_PATH
# A project could set these variables. They would replace the programs that are started here, or make them load, write or wait for
# something.
unset CDPATH TZ TZDIR NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_CHANNEL_FD \
  NODE_UNIQUE_ID NODE_ICU_DATA NODE_REPL_EXTERNAL_MODULE NODE_DEBUG NODE_DEBUG_NATIVE NODE_TEST_CONTEXT OPENSSL_CONF \
  OPENSSL_MODULES OPENSSL_ENGINES NODE_USE_SYSTEM_CA NODE_EXTRA_CA_CERTS
PATH=/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin
export PATH
# Seconds. Less than the time-out that "modes init --harness" registers.
limit=25

# The recorded Node, else one in PATH.
node=
[ -f "$data/node" ] && [ -r "$data/node" ] && read -r node <"$data/node"
{ [ -n "$node" ] && [ -x "$node" ]; } || node=$(command -v node) || node=
[ -n "$node" ] ||
  refuse "E_HOOK_NODE node is not found. Install Node 20.11 or newer in one of $PATH, or run 'modes init' with it once, which records where it is."
[ $# -ge 2 ] || refuse 'E_HOOK_CHECK the hook needs the name of the harness and of the event.'

# Runs a command with this shell's stdin, and kills it after the limit. The shell reports a killed job on stderr, so only the command
# gets the real stderr. Returns 142 if the limit was reached.
within_limit() {
  {
    "$@" <&3 3<&- 2>&4 4>&- &
    child=$!
    (
      timer=
      trap '[ -z "$timer" ] || kill "$timer"; exit 1' TERM
      sleep "$limit" &
      timer=$!
      # The end of the killed command must not look like an end before the limit.
      wait "$timer" && trap '' TERM && kill -KILL "$child"
    ) </dev/null >/dev/null 3<&- 4>&- &
    timer=$!
    wait "$child"
    code=$?
    kill "$timer"
    wait "$timer" && code=142
  } 3<&0 4>&2 2>/dev/null
  return $code
}

answer=$(within_limit "$node" "$package/dist/modes.mjs" hook "$2" --harness "$1" --launcher)
code=$?
case $code in
  # It adds 40 to its exit code. A program without an answer, such as an empty file, ends with 0.
  40 | 42) ;;
  142) refuse "E_HOOK_CHECK Modes did not decide this call within $limit seconds, so the call is denied. Run 'modes doctor --harness $1' in a terminal." ;;
  *) refuse "E_HOOK_CHECK the check did not finish (exit $code), so the call is denied. Run 'modes doctor --harness $1' in a terminal." ;;
esac
# Without the answer, the harness would decide by its own rules.
[ -z "$answer" ] || printf '%s\n' "$answer" || refuse 'E_HOOK_CHECK nobody reads the answer, so the call is denied.'
exit $((code - 40))
