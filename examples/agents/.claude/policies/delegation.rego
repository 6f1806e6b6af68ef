# METADATA
# title: The session hands work out
# description: |
#   What changes something is done by a subagent with a context and limits of its own. Rules hold for the session and its subagents
#   alike; only a policy sees who calls.
# scope: package
package modes.policy.delegation

# METADATA
# description: Who does the work of each mode.
_worker := {"plan": "planner", "implement": "implementer", "test": "tester", "learn": "learner"}

deny contains {"reason": $"{write.path} is not written by the session itself", "remedy": _remedy} if {
	_is_session
	some write in input.writes
	write.root in {"project", "worktree"}
}

deny contains {"reason": "the session itself runs nothing that may change files", "remedy": _remedy} if {
	_is_session
	input.may_write_anywhere != null
}

_is_session if input.agent.id == null

_remedy := $"Start the subagent {_worker[input.mode]} with all that it needs to know."
