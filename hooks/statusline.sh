#!/bin/sh
# The status line: mode, gates, plan, task, branch and context window of the session, in one line.
# usage: statusline.sh [COMMAND]     (the client's JSON on stdin; COMMAND is the previous status line, which runs too)
# The script is stored in the data folder, so that its path stays the same in a new version of the plugin. The line needs no
# process except this shell: the server of the session prepares the values.
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

# Runs the previous status line with its original input, folder and locale.
finish() {
  [ -n "$earlier" ] || exit 0
  cd -- "$here" 2>/dev/null
  # If it was not set before, it is not exported either.
  [ "$kept_locale" = unset ] || LC_ALL=$kept_locale
  printf '%s' "$input" | /bin/sh -c "$earlier"
  exit
}

# Sets `value` to the JSON string after `"$1":"`. Empty if there is no such string, or if it has an escape other than
# \", \\ and \/.
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

# Sets `value` to the integer after `"$2":` somewhere after `"$1":{`, or to nothing.
number() {
  value=
  case $input in
    *"\"$1\":{"*"\"$2\":"*)
      rest=${input#*"\"$1\":{"}
      rest=${rest#*"\"$2\":"}
      value=${rest%%[!0-9]*} ;;
  esac
}

# The session id from the client.
session=${CLAUDE_CODE_SESSION_ID:-}
if [ -z "$session" ]; then
  string session_id
  session=$value
fi
case $session in
  *[!A-Za-z0-9-]*) session= ;;
esac

# True if the folder is governed: the nearest folder upwards has modes.yaml or had one, as in client.sh, or the session began
# under modes.
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

# True if a process runs. A stopped process does not answer, so it counts as ended.
alive() {
  kill -0 "$1" 2>/dev/null || return 1
  [ -r "/proc/$1/stat" ] || return 0
  read -r state <"/proc/$1/stat" || return 1
  case ${state##*) } in
    [RSDI]*) return 0 ;;
  esac
  return 1
}

# The server of this session, recorded under the client's process id, else under the session's id.
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

# The values that the server prepared.
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
  # The client draws this line before its servers have started.
  number cost total_duration_ms
  case $value in
    ? | ?? | ??? | ????) note='starting' ;;
    *) alarm='server down, /mcp reconnects it' ;;
  esac
elif ! alive "$server"; then
  # The server's evidence is lost.
  alarm='server down, /mcp reconnects it' gates=
elif [ -z "$ready" ]; then
  note='starting'
fi

# Sets `value` to the branch of the working folder, or to the beginning of the commit hash; to nothing outside a repository.
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
      # A worktree or a submodule.
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

# Sets `value` to $1 with every character replaced that a terminal could interpret: control characters of both sets, and marks
# that change the writing direction.
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

# Prints a part after the previous parts, in a color or without one.
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

# The server computes its warning with the window's size that the client reports.
number context_window context_window_size
if [ -n "$ready" ] && [ -n "$value" ] && [ ${#value} -lt 10 ]; then
  known=
  [ -f "$data/status/$server.window" ] && read -r known <"$data/status/$server.window"
  [ "$known" = "$value" ] || printf '%s\n' "$value" 2>/dev/null >"$data/status/$server.window"
fi

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
