#!/bin/sh
# Entry point of the client's command hooks: asks the server of Modes over its socket, else starts the one-shot process, else
# refuses.
# usage: client.sh PreToolUse | SessionStart | SubagentStart | UserPromptSubmit     (hook event on stdin)
# It uses only sh's builtin commands, ps, sleep, perl or curl, and node. In a project without modes it starts no other process.
set -u
# Functions from the environment would run instead of the shell's own commands and programs.
unset -f '[' cd command curl false kill node printf ps read sleep trap ulimit umask wait
# If stdin is closed, bash would use its descriptor for the first pipe, and the reader of the event would wait for itself.
{ command true 3<&0; } 2>/dev/null || exec </dev/null
umask 077
LC_ALL=C
export LC_ALL
event=${1:-}
# A relative HOME is ignored: it would be in the project, and the project could control the data that is recorded there. Names
# below /proc are relative too: /proc/self/cwd is the current folder of a process.
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
# A project's settings could set these variables. They would replace the programs that are started here, or make them load, write
# or wait for something. A time zone may name a file, and that file may be a pipe.
unset CDPATH TZ TZDIR NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_CHANNEL_FD \
  NODE_UNIQUE_ID NODE_ICU_DATA NODE_REPL_EXTERNAL_MODULE NODE_DEBUG NODE_DEBUG_NATIVE NODE_TEST_CONTEXT OPENSSL_CONF \
  OPENSSL_MODULES OPENSSL_ENGINES NODE_USE_SYSTEM_CA NODE_EXTRA_CA_CERTS

# The session's current folder: the client starts hooks there. If the folder was removed, the shell may not know it.
here=${PWD:-}

# The root is the nearest folder upwards that contains modes.yaml, or did so before; never the home folder or /. If the start
# folder was removed, the search uses its name first, and then the session's current folder.
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
# A session that began under the modes of the user or the organization stays under them even if their file is removed.
begun=
case ${CLAUDE_CODE_SESSION_ID:-} in
  '' | *[!A-Za-z0-9-]*) ;;
  # Without a home the user has no folder.
  *) [ "$config" = /.claude ] || begun=$data/begun/$CLAUDE_CODE_SESSION_ID.json ;;
esac
if [ -z "$root" ]; then
  # A call may access governed projects below this folder. Their marks are below the folder's own mark.
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
# The system's own perl: hooks/client.pl needs no module and no newer version. The unset variables would make perl load
# code, or read and write differently.
perl=/usr/bin/perl
unset PERL5OPT PERL5LIB PERLLIB PERL5DB PERL5DB_THREADED PERL5SHELL PERL_UNICODE PERLIO PERLIO_DEBUG PERL_SIGNALS \
  PERL_MEM_LOG PERL_HASH_SEED PERL_PERTURB_KEYS PERL_HASH_SEED_DEBUG PERL_USE_UNSAFE_INC PERL_ENCODING
# Seconds for the server, and then for the one-shot process. Their sum is less than the client's timeout for this hook.
patience=4
limit=14
# Seconds of processor time: an endless check must end before the client gives up on this hook.
cpu=10
# Only the soft limit: it sends SIGXCPU, which nothing else sends.
ulimit -S -t "$cpu" 2>/dev/null

# The Node for the one-shot process: the recorded one, else one in PATH.
node=
[ -f "$data/node" ] && [ -r "$data/node" ] && read -r node <"$data/node"
{ [ -n "$node" ] && [ -x "$node" ]; } || node=$(command -v node) || node=

# The socket counts only while the server of this session runs. It is recorded under the client's process id, else under the
# session's id.
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
reachable=
case $server in
  '' | *[!0-9]*) ;;
  *)
    if kill -0 "$server" 2>/dev/null && cd -- "$root/.claude" 2>/dev/null && [ -S mode.sock ] && [ -O mode.sock ] &&
      [ ! -L mode.sock ] && read -r build <"$plugin/dist/build" && [ -n "$build" ]; then
      reachable=1
      # A server with another data folder has another mode and another trust.
      mark=
      [ -f "$data/mark" ] && [ -r "$data/mark" ] && read -r mark <"$data/mark"
      build=$build${mark:+-$mark}
    fi ;;
esac

# The server answers prompts over its private pipe. This is only for a session whose server is gone.
if [ "$event" = UserPromptSubmit ] && [ -n "$reachable" ]; then
  exit 0
fi

# perl checks the server's state, sends the request, and starts the one-shot process itself. If perl fails, curl and the one-shot
# process take over. If perl has already read the event, they receive none and the call is refused.
if [ -n "$reachable" ] && [ -n "$node" ] && [ -f "$perl" ] && [ -x "$perl" ] && [ -r "$plugin/hooks/client.pl" ]; then
  "$perl" -- "$plugin/hooks/client.pl" "$event" "$root" "$node" "$patience" "$build" "$here" "$server" "$limit" "$cpu"
  code=$?
  case $code in
    0 | 2) exit $code ;;
  esac
fi

# A shell parses a script while it runs it. Most calls have ended by now, so they do not pay for what follows.

# Blocks a call with a reason. For other events it prints nothing: missing context is acceptable.
refuse() {
  [ "$event" = PreToolUse ] || exit 0
  printf 'Modes: %s\n' "$1" >&2
  exit 2
}

# Prints the answer. Without any output the client's own rules would decide the call, so a failed write blocks it.
answer() {
  printf '%s\n' "$answer" && exit 0
  refuse 'E_HOOK_CHECK nobody reads the answer. Run "modes validate" in a terminal.'
}

# Denies the call because a limit was reached. The client shows a decision on stdout unchanged; before stderr it would print the
# command line of the hook.
late() {
  [ "$event" = PreToolUse ] || exit 0
  answer="Modes did not decide this call within its limits ($limit seconds, $cpu of processor time), so the call is denied: run modes doctor in a terminal to find the cause, or make the call smaller (E_HOOK_CHECK)."
  answer='{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"'$answer'"}}'
  answer
}

# Runs a command with this shell's stdin, and kills it after the limit even if it is stopped: a stopped process would get SIGALRM
# only when it continues. The shell reports a killed job on stderr, so only the command gets the real stderr. Returns 142 if the
# limit was reached.
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

# True if the answer is complete: `{}`, or one object in the server's format. Its text must contain no bare quote, no control
# character and no escape except \uXXXX.
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

# True if an existing process runs: a stopped process does not answer its private pipe, so it counts as ended.
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

# curl reads the event from stdin only when the server asks for it. Until then the fallback can still read it.
if [ -n "$reachable" ] && runs "$server"; then
  set -- -q -s -f --noproxy '*' --max-time "$patience" --expect100-timeout 9 --unix-socket mode.sock -H "X-Modes-Build: $build" \
    -H "X-Modes-Entrypoint: ${CLAUDE_CODE_ENTRYPOINT:-}"
  if [ "$event" = PreToolUse ]; then
    answer=$(curl "$@" -X POST -T - -H 'Expect: 100-continue' -H 'Content-Type: application/json' http://modes/check-tool 2>/dev/null)
  else
    answer=$(curl "$@" -G --data-urlencode "event=$event" --data-urlencode "session=${CLAUDE_CODE_SESSION_ID:-}" \
      --data-urlencode "cwd=$here" http://modes/context 2>/dev/null </dev/null)
  fi
  if [ $? -eq 0 ] && whole; then
    answer
  fi
fi

# The one-shot process: the same decision from the same files.
[ -n "$node" ] ||
  refuse "E_HOOK_NODE node is not found. Install Node 20.11 or newer in one of $PATH, or run \"modes init\" with it once, which records where it is."
set -- "$node" "$plugin/dist/hook.cjs" "$event" "$root"
# A Node with too little memory may wait forever without using processor time.
answer=$(within_limit "$@")
code=$?
# 142: the time limit. 152: SIGXCPU, the limit of processor time.
case $code in
  142 | 152) late ;;
esac
[ $code -eq 0 ] || refuse "E_HOOK_CHECK the check did not finish (exit $code). Run \"modes validate\" in a terminal."
whole || refuse 'E_HOOK_CHECK the answer of the check is incomplete. Run "modes validate" in a terminal.'
answer
