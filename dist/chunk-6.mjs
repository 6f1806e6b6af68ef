import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
var hiddenVerb="__complete",bash=`# Completion of modes in bash.
_modes() {
  local -a words=()
  local word before='' glued='' quote='' kind='' line at
  for ((at = 1; at <= COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    # What bash cuts at = is one word to modes.
    if [[ ( $word == = || $before == = ) && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]}-1]+=$word
      glued=yes
    else
      words+=("$word")
      glued=
    fi
    before=$word
  done
  for ((at = 0; at < \${#words[@]}; at++)); do
    word=\${words[at]}
    quote=
    case $word in
      \\'*) quote=\\' word=\${word#\\'} word=\${word%\\'} ;;
      \\"*) quote=\\" word=\${word#\\"} word=\${word%\\"} ;;
      *) word=\${word//\\\\/} ;;
    esac
    words[at]=$word
  done
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
      continue
    fi
    word=\${line%%$'\\t'*}
    if [[ -n $glued ]]; then word=\${word#*=}; fi
    if [[ -z $quote ]]; then
      printf -v word %q "$word"
    elif [[ $word == *[!A-Za-z0-9_./:@%+,=-]* ]]; then
      continue
    fi
    COMPREPLY+=("$word")
  done < <(command modes ${hiddenVerb} -- "\${words[@]}" 2>/dev/null)
  case $kind in
    files) compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
  esac
  return 0
}
if type compopt >/dev/null 2>&1; then
  complete -F _modes modes
else
  complete -o default -F _modes modes
fi
`,zsh=`#compdef modes
# Completion of modes in zsh.
_modes() {
  local -a typed lines values shown
  local line
  if (( CURRENT > 2 )); then typed=("\${(@Q)words[2,CURRENT-1]}"); fi
  lines=("\${(@f)$(command modes ${hiddenVerb} -- "\${(@)typed}" "\${(Q)PREFIX}" 2>/dev/null)}")
  case $lines[1] in
    files | folders)
      if [[ $PREFIX == --*=* ]]; then compset -P '*='; fi
      if [[ $lines[1] == folders ]]; then _files -/; else _files; fi
      return
      ;;
  esac
  for line in "\${(@)lines[2,-1]}"; do
    if [[ -z $line ]]; then continue; fi
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  (( $#values )) && compadd -l -d shown -a -- values
}
if [[ $funcstack[1] == _modes ]]; then
  _modes "$@"
elif (( $+functions[compdef] )); then
  compdef _modes modes
fi
`,fish=`# Completion of modes in fish.
function __modes_complete
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l current (commandline -ct | string replace -r -- '^["\\']' '')
    set -l lines (command modes ${hiddenVerb} -- $typed "$current" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current")
        case folders
            __fish_complete_directories (string replace -r -- '^--[^=]*=' '' "$current") ''
        case words
            set -e lines[1]
            printf '%s\\n' $lines
    end
end
complete -c modes -f -a '(__modes_complete)'
`,scripts={bash,zsh,fish},shells=Object.keys(scripts);export{hiddenVerb,scripts,shells};
