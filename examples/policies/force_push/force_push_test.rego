package modes.policy.force_push_test

import data.modes.policy.force_push

test_forced_in_every_spelling if {
	every words in [
		["push", "--force"],
		["push", "-f", "origin", "topic"],
		["push", "--force-with-lease=topic:abc"],
		["push", "origin", "+topic"],
		["push", "origin", ":topic"],
		["-C", "sub", "push", "--mirror"],
	] {
		count(force_push.deny) > 0 with input as _git(words)
	}
}

test_protected_branch_by_any_refspec if {
	every words in [["push", "origin", "main"], ["push", "origin", "HEAD:main"], ["push", "-u", "origin", "topic:refs/heads/main"]] {
		force_push.deny == {"main is a protected branch"} with input as _git(words)
	}
}

test_own_branch_passes if {
	every words in [["push"], ["push", "origin", "topic"], ["push", "-u", "origin", "HEAD:topic"], ["pull", "origin", "main"]] {
		count(force_push.deny | force_push.ask) == 0 with input as _git(words)
	}
}

test_unknown_word_is_asked if count(force_push.ask) == 1 with input as _git(["push", null])

_git(words) := {"bash": {"commands": [{"name": "git", "argv": array.concat(["git"], words)}]}}
