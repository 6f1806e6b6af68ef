# METADATA
# title: The orchestrator hands work out
# description: |
#   Rules hold for a session and its subagents alike. In this mode the specialists do what their own modes allow, and the session
#   itself does none of it; only a policy sees who calls.
# scope: package
# custom:
#   modes: [orchestrator]
#   remedy: Start a subagent of type architect, ask, code, debug or test with all that it needs to know.
package modes.policy.orchestrator

# METADATA
# description: Each has the rules of the mode of its name.
_specialists := {"architect", "ask", "code", "debug", "test"}

deny contains $"{write.path} is not written by the orchestrator itself" if {
	_is_session
	some write in input.writes
	write.root in {"project", "worktree"}
}

deny contains "the orchestrator itself runs nothing that may change files" if {
	_is_session
	input.may_write_anywhere != null
}

deny contains $"the orchestrator itself does not call {input.tool.name}" if {
	_is_session
	input.tool.group == "mcp"
}

# A type without limits of its own would have what all specialists have together.
deny contains $"{type} is no specialist" if {
	some type in input.agents
	not type in _specialists
}

# Both may start subagents of any type.
deny contains $"{input.tool.name} may start others than specialists" if input.tool.name in {"Workflow", "Skill"}

_is_session if input.agent.id == null
