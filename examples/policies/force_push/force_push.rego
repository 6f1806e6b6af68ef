# METADATA
# title: No rewritten history, and reviews for protected branches
# description: Denies forced pushes and pushes to protected branches, and asks if the arguments are unknown.
# scope: package
# custom:
#   remedy: Push a new commit to a branch of your own and open a pull request.
package modes.policy.force_push

# METADATA
# description: Branches that change only by review.
_protected := {"main", "master", "production"}

# METADATA
# description: Options that rewrite or delete published commits.
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

ask contains "the arguments of git push are not known before the command runs" if {
	some command in input.bash.commands
	command.name == "git"
	"push" in command.argv
	null in command.argv
}

# METADATA
# description: The arguments after `git … push`, for each such command.
_pushes contains array.slice(command.argv, at + 1, count(command.argv)) if {
	some command in input.bash.commands
	command.name == "git"
	some at, "push" in command.argv
}

_is_rewriting(word) if word in _rewriting

# With a value: --force-with-lease=main:abc.
_is_rewriting(word) if split(word, "=")[0] in _rewriting

# A refspec that begins with + is forced without an option.
_is_rewriting(word) if startswith(word, "+")

# A refspec that begins with a colon deletes the branch.
_is_rewriting(word) if startswith(word, ":")

# METADATA
# description: Destination branches of the refspecs. The first word that is not an option names the remote.
_branches(words) := {branch |
	plain := [word | some word in words; is_string(word); not startswith(word, "-")]
	some at, refspec in plain
	at > 0
	parts := split(trim_left(refspec, "+"), ":")
	branch := trim_prefix(parts[count(parts) - 1], "refs/heads/")
}
