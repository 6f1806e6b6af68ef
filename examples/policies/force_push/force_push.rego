# METADATA
# title: Published history stays, and protected branches change by review
# description: No forced push, and no push to a protected branch; whatever cannot be read is asked.
# scope: package
# custom:
#   remedy: Push a new commit to a branch of your own and open a pull request.
package modes.policy.force_push

# METADATA
# description: Branches that change by review alone.
_protected := {"main", "master", "production"}

# METADATA
# description: Options that rewrite or remove what others already have.
_rewriting := {"-f", "--force", "--force-with-lease", "--force-if-includes", "--mirror", "-d", "--delete", "--prune"}

deny contains $"{word} rewrites published history" if {
	some words in _pushes
	some word in words
	_is_rewriting(word)
}

deny contains $"{branch} is a protected branch" if {
	some words in _pushes
	some branch in _branches(words)
	branch in _protected
}

ask contains "what is pushed is not known before the command runs" if {
	some command in input.bash.commands
	command.name == "git"
	"push" in command.argv
	null in command.argv
}

# METADATA
# description: The words behind `git … push`, of every such command.
_pushes contains array.slice(command.argv, at + 1, count(command.argv)) if {
	some command in input.bash.commands
	command.name == "git"
	some at, "push" in command.argv
}

_is_rewriting(word) if word in _rewriting

# With a value of its own: --force-with-lease=main:abc.
_is_rewriting(word) if split(word, "=")[0] in _rewriting

# A refspec that begins with + is forced without an option.
_is_rewriting(word) if startswith(word, "+")

# One that begins with a colon removes the branch.
_is_rewriting(word) if startswith(word, ":")

# METADATA
# description: Branches that refspecs lead to. The first word that is no option names the remote.
_branches(words) := {branch |
	plain := [word | some word in words; is_string(word); not startswith(word, "-")]
	some at, refspec in plain
	at > 0
	parts := split(trim_left(refspec, "+"), ":")
	branch := trim_prefix(parts[count(parts) - 1], "refs/heads/")
}
