# METADATA
# title: The session delegates its work
# description: |
#   Subagents with their own context and permissions make all changes. Rules apply to the session and its subagents alike; only a
#   policy sees which of them makes a call.
# scope: package
package modes.policy.delegation

# METADATA
# description: The subagent that does the work of each mode.
_worker := {"plan": "planner", "implement": "implementer", "test": "tester", "learn": "learner"}

deny contains {"reason": $"the session itself must not write {write.path}", "remedy": _remedy} if {
	_is_session
	some write in input.writes
	write.root in {"project", "worktree"}
}

deny contains {"reason": "the session itself must not run anything that may change files", "remedy": _remedy} if {
	_is_session
	input.may_write_anywhere != null
}

_is_session if input.agent.id == null

_remedy := $"Start the subagent {_worker[input.mode]} with everything that it needs to know."
