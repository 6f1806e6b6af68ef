#!/bin/sh
# What the client's command hooks run: asks the server of Modes over its socket, else a process of its own, else refuses.
# usage: client.sh PreToolUse | SessionStart | SubagentStart     (hook event on stdin)
# Only sh's own commands, perl or curl, and node are used; a project that is not governed costs nothing but this shell.
set -u
# Functions that a shell takes from the environment would stand before its own commands and programs.
unset -f '[' cd command curl false kill node printf ps read sleep trap ulimit umask wait
# With stdin closed the first pipe of a bash would take its place, and who reads the event would wait for itself.
{ command true 3<&0; } 2>/dev/null || exec </dev/null
umask 077
LC_ALL=C
export LC_ALL
event=${1:-}
# A home that is named relatively is none: it would lie in the project, and what is recorded in it would be the project's word. Names
# below /proc are relative too: /proc/self/cwd is where a process is.
case ${HOME:-} in
  */proc/*) unset HOME ;;
  /*) ;;
  *) unset HOME ;;
esac
plugin=${0%/hooks/*}
case ${CLAUDE_CONFIG_DIR:-} in
  *'${'* | */proc/*) config=${HOME:-}/.claude ;;
  /*) config=$CLAUDE_CONFIG_DIR ;;
  *) config=${HOME:-}/.claude ;;
esac
data=$config/modes-data
MODES_PATH=${PATH:-}
MODES_PLUGIN_ROOT=$plugin
export MODES_PATH MODES_PLUGIN_ROOT
# What a project's settings could put before the programs that are started here, or have them load, write and wait for: a zone of time
# may be a file, and that file a pipe.
unset CDPATH TZ TZDIR NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_CHANNEL_FD \
  NODE_UNIQUE_ID NODE_ICU_DATA NODE_REPL_EXTERNAL_MODULE NODE_DEBUG NODE_DEBUG_NATIVE NODE_TEST_CONTEXT OPENSSL_CONF \
  OPENSSL_MODULES OPENSSL_ENGINES NODE_USE_SYSTEM_CA NODE_EXTRA_CA_CERTS

# Where the session is now: the client starts hooks there. A shell in a folder that is gone may not know it.
here=${PWD:-}

# A call is blocked with a reason; context may be missing.
refuse() {
  [ "$event" = PreToolUse ] || exit 0
  printf 'Modes: %s\n' "$1" >&2
  exit 2
}

# Nothing printed would leave a call to the client's own rules.
answer() {
  printf '%s\n' "$answer" && exit 0
  refuse 'E_HOOK_CHECK nobody reads the answer. Run "modes validate" in a terminal.'
}

# The check reached a limit. A decision on stdout is shown as it is; before stderr the client would print the hook's command line.
late() {
  [ "$event" = PreToolUse ] || exit 0
  answer="Modes did not decide this call within its limits ($limit seconds, $cpu of processor time), so the call is denied: run modes doctor in a terminal to find the cause, or make the call smaller (E_HOOK_CHECK)."
  answer='{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"'$answer'"}}'
  answer
}

# Runs a command with this shell's stdin and kills it after the limit, even if it is stopped: SIGALRM would wait until it continues.
# A shell writes about a killed job on stderr, so only the command gets the real one. Gives 142 when the limit was reached.
within_limit() {
  {
    "$@" <&3 3<&- 2>&4 4>&- &
    child=$!
    (
      timer=
      trap '[ -z "$timer" ] || kill "$timer"; exit 1' TERM
      sleep "$limit" &
      timer=$!
      wait "$timer" && kill -KILL "$child"
    ) </dev/null >/dev/null 3<&- 4>&- &
    timer=$!
    wait "$child"
    code=$?
    kill "$timer"
    wait "$timer" && code=142
  } 3<&0 4>&2 2>/dev/null
  return $code
}

# The nearest folder upwards with modes.yaml, or that had one; never the home folder or /. A folder that is gone goes by its name,
# then by where the session is.
start=$here
case ${CLAUDE_PROJECT_DIR:-} in
  *'${'*) ;;
  /*) start=$CLAUDE_PROJECT_DIR ;;
esac
other=
if cd -P -- "$start" 2>/dev/null; then
  start=${PWD:-}
elif cd -P -- "$here" 2>/dev/null; then
  other=${PWD:-}
fi
cd -P -- "${HOME:-/}" 2>/dev/null && home=$PWD || home=
root=
for folder in "${start%/}" "${other%/}"; do
  while [ -n "$folder" ]; do
    if [ "$folder" != "$home" ]; then
      if [ -e "$folder/.claude/modes.yaml" ] || [ -L "$folder/.claude/modes.yaml" ] || [ -e "$data/governed$folder/.modes" ]; then
        root=$folder
        break 2
      fi
    fi
    folder=${folder%/*}
  done
done
# A session that began under the modes of the user or the organisation stays under them when their file goes.
begun=
case ${CLAUDE_CODE_SESSION_ID:-} in
  '' | *[!A-Za-z0-9-]*) ;;
  # Without a home there is no folder of the user's.
  *) [ "$config" = /.claude ] || begun=$data/begun/$CLAUDE_CODE_SESSION_ID.json ;;
esac
if [ -z "$root" ]; then
  # Governed projects below the folder, which a call may touch, have their marks below the folder's own.
  below=
  for folder in "$data/governed${start%/}"/*/ "$data/governed${start%/}"/.[!.]*/; do
    [ -d "$folder" ] && below=1 && break
  done
  [ -n "$below" ] || [ -e "$config/modes.yaml" ] || [ -e /etc/claude-code/modes/modes.yaml ] ||
    [ -e '/Library/Application Support/ClaudeCode/modes/modes.yaml' ] || { [ -n "$begun" ] && [ -e "$begun" ]; } || exit 0
  root=$start
fi

PATH=/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin
export PATH
# The system's own: hooks/client.pl needs no module, and no newer one. Without what it would load, or read and write in another way.
perl=/usr/bin/perl
unset PERL5OPT PERL5LIB PERLLIB PERL5DB PERL5DB_THREADED PERL5SHELL PERL_UNICODE PERLIO PERLIO_DEBUG PERL_SIGNALS \
  PERL_MEM_LOG PERL_HASH_SEED PERL_PERTURB_KEYS PERL_HASH_SEED_DEBUG PERL_USE_UNSAFE_INC PERL_ENCODING
# Seconds that the server may take, and the one-shot process after it: together less than the client waits for this hook.
patience=4
limit=14
# Seconds of processor time, so that a check that never ends is ended before the client gives up on this hook.
cpu=10
# Only the soft limit: it sends SIGXCPU, which nothing else does.
ulimit -S -t "$cpu" 2>/dev/null

# What runs the one-shot process.
node=
[ -f "$data/node" ] && [ -r "$data/node" ] && read -r node <"$data/node"
{ [ -n "$node" ] && [ -x "$node" ]; } || node=$(command -v node) || node=

# True when the answer is whole: `{}`, or one object of the form that the server writes, whose text holds no bare quote,
# no control character and no escape but \uXXXX.
whole() {
  case $event in
    PreToolUse)
      case $answer in
        '{}') return 0 ;;
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"'*'"}}' | \
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"'*'"}}' | \
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"'*'"}}')
          text=${answer#*'"permissionDecisionReason":"'} ;;
        *) return 1 ;;
      esac ;;
    *)
      case $answer in
        '{}') return 0 ;;
        '{"hookSpecificOutput":{"hookEventName":"'"$event"'","additionalContext":"'*'"}}') text=${answer#*'"additionalContext":"'} ;;
        *) return 1 ;;
      esac ;;
  esac
  text=${text%'"}}'}
  case $text in
    *\"* | *[[:cntrl:]]* | *\\ | *\\[!u]* | *\\u | *\\u[!0-9a-f]* | *\\u? | *\\u?[!0-9a-f]* | *\\u?? | *\\u??[!0-9a-f]* | *\\u??? | *\\u???[!0-9a-f]*) return 1 ;;
  esac
  return 0
}

# True when a process that is there runs: one that was stopped answers its private pipe no more than one that is gone.
runs() {
  if [ -r "/proc/$1/stat" ]; then
    read -r state <"/proc/$1/stat"
    state=${state##*) }
  else
    state=$(ps -o state= -p "$1" 2>/dev/null)
  fi
  case $state in
    [RSDI]*) return 0 ;;
  esac
  return 1
}

# The socket counts only while this session's own server lives: recorded under the client's process id, else the session's id.
server=
record=
case ${CLAUDE_PID:-} in
  '' | *[!0-9]*)
    case ${CLAUDE_CODE_SESSION_ID:-} in
      '' | *[!A-Za-z0-9-]*) ;;
      *) record=$CLAUDE_CODE_SESSION_ID ;;
    esac ;;
  *) record=pid-$CLAUDE_PID ;;
esac
[ -n "$record" ] && [ -f "$data/sessions/$record" ] && [ -r "$data/sessions/$record" ] && read -r server <"$data/sessions/$record"
case $server in
  '' | *[!0-9]*) ;;
  *)
    if kill -0 "$server" 2>/dev/null && cd -- "$root/.claude" 2>/dev/null && [ -S mode.sock ] && [ -O mode.sock ] &&
      [ ! -L mode.sock ] && read -r build <"$plugin/dist/build" && [ -n "$build" ]; then
      # The server of another data folder has another mode and another trust.
      mark=
      [ -f "$data/mark" ] && [ -r "$data/mark" ] && read -r mark <"$data/mark"
      build=$build${mark:+-$mark}
      # perl looks at the server's state, asks, and starts the one-shot process itself. One that is broken leaves it to
      # curl and the one-shot process, or, where it took the event, to a refusal.
      if [ -n "$node" ] && [ -f "$perl" ] && [ -x "$perl" ] && [ -r "$plugin/hooks/client.pl" ]; then
        "$perl" -- "$plugin/hooks/client.pl" "$event" "$root" "$node" "$patience" "$build" "$here" "$server" "$limit" "$cpu"
        code=$?
        case $code in
          0 | 2) exit $code ;;
        esac
      fi
      # curl takes the event from stdin only when the server says that it wants it; until then the fallback still has it.
      set -- -q -s -f --noproxy '*' --max-time "$patience" --expect100-timeout 9 --unix-socket mode.sock -H "X-Modes-Build: $build" \
        -H "X-Modes-Entrypoint: ${CLAUDE_CODE_ENTRYPOINT:-}"
      if ! runs "$server"; then
        false
      elif [ "$event" = PreToolUse ]; then
        answer=$(curl "$@" -X POST -T - -H 'Expect: 100-continue' -H 'Content-Type: application/json' http://modes/check-tool 2>/dev/null)
      else
        answer=$(curl "$@" -G --data-urlencode "event=$event" --data-urlencode "session=${CLAUDE_CODE_SESSION_ID:-}" \
          --data-urlencode "cwd=$here" http://modes/context 2>/dev/null </dev/null)
      fi
      if [ $? -eq 0 ] && whole; then
        answer
      fi
    fi ;;
esac

# The one-shot process: the same decision from the same files.
[ -n "$node" ] ||
  refuse "E_HOOK_NODE node is not found. Install Node 20.11 or newer in one of $PATH, or run \"modes init\" with it once, which records where it is."
set -- "$node" "$plugin/dist/hook.cjs" "$event" "$root"
# A Node that gets too little memory may wait for ever, without any processor time.
answer=$(within_limit "$@")
code=$?
# The limit of time, or SIGXCPU: the limit of processor time.
case $code in
  142 | 152) late ;;
esac
[ $code -eq 0 ] || refuse "E_HOOK_CHECK the check did not finish (exit $code). Run \"modes validate\" in a terminal."
whole || refuse 'E_HOOK_CHECK the check gave no whole answer. Run "modes validate" in a terminal.'
answer
