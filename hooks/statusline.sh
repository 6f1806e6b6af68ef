#!/bin/sh
# The status line: mode, gates, plan, task, branch and context window of the session, in one line.
# usage: statusline.sh [COMMAND]     (the client's JSON on stdin; COMMAND is the status line from before, run as well)
# It lies in the data folder, so that a new version of the plugin leaves its path as it is. No process but this shell is started
# for the line: the server of the session keeps ready what it shows.
set -u
input=
while IFS= read -r part || [ -n "$part" ]; do
  input=$input$part'
'
done
earlier=${1:-}
here=$PWD
data=${0%/*}
config=${data%/*}
# Bytes, not characters: the same in every shell.
kept_locale=${LC_ALL-unset}
LC_ALL=C

# The status line from before sees what it saw before.
finish() {
  [ -n "$earlier" ] || exit 0
  cd -- "$here" 2>/dev/null
  # Where it was not set it is not exported either.
  [ "$kept_locale" = unset ] || LC_ALL=$kept_locale
  printf '%s' "$input" | /bin/sh -c "$earlier"
  exit
}

# `value`: the JSON string that follows `"$1":"`. Empty where there is none, or where it has an escape that needs more than a look.
string() {
  value=
  case $input in
    *"\"$1\":\""*) rest=${input#*"\"$1\":\""} ;;
    *) return ;;
  esac
  while :; do
    head=${rest%%[\"\\]*}
    value=$value$head
    rest=${rest#"$head"}
    case $rest in
      '\"'* | '\\'* | '\/'*)
        rest=${rest#?}
        value=$value${rest%"${rest#?}"}
        rest=${rest#?} ;;
      '"'*) return ;;
      *)
        value=
        return ;;
    esac
  done
}

# `value`: the whole number that follows `"$2":` somewhere after `"$1":{`, or nothing.
number() {
  value=
  case $input in
    *"\"$1\":{"*"\"$2\":"*)
      rest=${input#*"\"$1\":{"}
      rest=${rest#*"\"$2\":"}
      value=${rest%%[!0-9]*} ;;
  esac
}

# The session, as the client names it.
session=${CLAUDE_CODE_SESSION_ID:-}
if [ -z "$session" ]; then
  string session_id
  session=$value
fi
case $session in
  *[!A-Za-z0-9-]*) session= ;;
esac

# True where modes hold: the nearest folder upwards has modes.yaml or had one, as in client.sh, or the session began so.
is_governed() {
  start=$here
  case ${CLAUDE_PROJECT_DIR:-} in
    /*) start=$CLAUDE_PROJECT_DIR ;;
  esac
  cd -P -- "$start" 2>/dev/null && start=$PWD
  cd -P -- "${HOME:-/}" 2>/dev/null && home=$PWD || home=
  folder=${start%/}
  while [ -n "$folder" ]; do
    if [ "$folder" != "$home" ]; then
      if [ -e "$folder/.claude/modes.yaml" ] || [ -L "$folder/.claude/modes.yaml" ] || [ -e "$data/governed$folder/.modes" ]; then
        return 0
      fi
    fi
    folder=${folder%/*}
  done
  [ -e "$config/modes.yaml" ] || [ -e /etc/claude-code/modes/modes.yaml ] ||
    [ -e '/Library/Application Support/ClaudeCode/modes/modes.yaml' ] || { [ -n "$session" ] && [ -e "$data/begun/$session.json" ]; }
}
is_governed || finish

# True when a process runs: one that was stopped answers no more than one that is gone.
alive() {
  kill -0 "$1" 2>/dev/null || return 1
  [ -r "/proc/$1/stat" ] || return 0
  read -r state <"/proc/$1/stat" || return 1
  case ${state##*) } in
    [RSDI]*) return 0 ;;
  esac
  return 1
}

# The session's own server, recorded under the client's process id, else the session's id.
record=$session
case ${CLAUDE_PID:-} in
  '' | *[!0-9]*) ;;
  *) record=pid-$CLAUDE_PID ;;
esac
server=
[ -n "$record" ] && [ -f "$data/sessions/$record" ] && read -r server <"$data/sessions/$record"
case $server in
  *[!0-9]*) server= ;;
esac

# What the server keeps ready.
mode= alarm= note= gates= plan= task= ready=
if [ -n "$server" ] && [ -f "$data/status/$server" ]; then
  while IFS= read -r part; do
    case $part in
      'modes-status 1') ready=yes ;;
      mode=*) mode=${part#*=} ;;
      alarm=*) alarm=${part#*=} ;;
      note=*) note=${part#*=} ;;
      gates=*) gates=${part#*=} ;;
      plan=*) plan=${part#*=} ;;
      task=*) task=${part#*=} ;;
    esac
  done <"$data/status/$server"
fi

if [ -z "$server" ]; then
  # The client draws this line before its servers are up.
  number cost total_duration_ms
  case $value in
    ? | ?? | ??? | ????) note='starting' ;;
    *) alarm='server down, /mcp reconnects it' ;;
  esac
elif ! alive "$server"; then
  # Evidence went with it.
  alarm='server down, /mcp reconnects it' gates=
elif [ -z "$ready" ]; then
  note='starting'
fi

# `value`: the branch of the working folder, or the beginning of what is checked out; nothing outside a repository.
find_branch() {
  value=
  string current_dir
  folder=${value:-$here}
  value=
  folder=${folder%/}
  git=
  while [ -n "$folder" ]; do
    if [ -d "$folder/.git" ]; then
      git=$folder/.git
      break
    elif [ -f "$folder/.git" ]; then
      # Of a worktree or a submodule.
      IFS= read -r git <"$folder/.git"
      git=${git#gitdir: }
      case $git in
        /*) ;;
        *) git=$folder/$git ;;
      esac
      break
    fi
    folder=${folder%/*}
  done
  [ -n "$git" ] && [ -f "$git/HEAD" ] || return
  IFS= read -r value <"$git/HEAD"
  case $value in
    'ref: refs/heads/'*) value=${value#ref: refs/heads/} ;;
    'ref: '*) value=${value#ref: } ;;
    ???????*) value=${value%"${value#???????}"} ;;
  esac
}

# `value`: $1 without what a terminal could take for more than text: control characters of both sets, and marks that turn the
# direction of writing.
latin='£' dash='—' tie='⁀'
latin=${latin%?} dash=${dash%?} tie=${tie%?}
clean() {
  rest=$1
  value=
  while :; do
    case $rest in
      *[[:cntrl:]]* | *"$latin"* | *"$dash"* | *"$tie"*) ;;
      *)
        value=$value$rest
        return ;;
    esac
    head=$rest
    for bad in "${rest%%[[:cntrl:]]*}" "${rest%%"$latin"*}" "${rest%%"$dash"*}" "${rest%%"$tie"*}"; do
      [ ${#bad} -lt ${#head} ] && head=$bad
    done
    value=$value$head'?'
    rest=${rest#"$head"}
    case $rest in
      "$latin"*) rest=${rest#??} ;;
      "$dash"* | "$tie"*) rest=${rest#???} ;;
      *) rest=${rest#?} ;;
    esac
  done
}

# Prints a part in a colour, or in none, after what was printed before.
between=
add() {
  clean "$1"
  [ -n "$value" ] || return 0
  if [ -n "${NO_COLOR:-}" ] || [ -z "$2" ]; then
    printf '%s%s' "$between" "$value"
  else
    printf '%s\033[%sm%s\033[0m' "$between" "$2" "$value"
  fi
  between=${3:- · }
}

red=31 yellow=33 cyan='1;36'
colour=$cyan
[ -z "$note" ] || colour=$yellow
[ -z "$alarm" ] || colour=$red
add "⟪${mode:-?}⟫" "$colour" ' '
add "$alarm" "$red"
[ -n "$alarm" ] || add "$note" "$yellow"
add "${gates:+gates $gates}" ''
add "${plan:+plan $plan}" ''
add "$task" ''
find_branch
add "$value" ''

number context_window used_percentage
case $value in
  '' | ????*) ;;
  *)
    used=$value bar= cell=5
    while [ $cell -lt 100 ]; do
      if [ "$used" -ge $cell ]; then bar=$bar▓; else bar=$bar░; fi
      cell=$((cell + 10))
    done
    colour=
    [ "$used" -lt 80 ] || colour=$yellow
    add "$bar $used%" "$colour" ;;
esac
printf '\n'
finish
