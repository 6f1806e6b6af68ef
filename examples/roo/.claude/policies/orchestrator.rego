# METADATA
# title: The orchestrator delegates its work
# description: |
#   Rules apply to a session and its subagents alike. In this mode, the specialists may do what their own modes allow, and the session
#   itself does none of it. Only a policy sees which of them makes a call.
# scope: package
# custom:
#   modes: [orchestrator]
#   remedy: Start a subagent of type architect, ask, code, debug or test with everything that it needs to know.
package modes.policy.orchestrator

# METADATA
# description: Subagent types. Each has the rules of the mode with its name.
_specialists := {"architect", "ask", "code", "debug", "test"}

deny contains $"the orchestrator itself must not write {write.path}" if {
	_is_session
	some write in input.writes
	write.root in {"project", "worktree"}
}

deny contains "the orchestrator itself must not run anything that may change files" if {
	_is_session
	input.may_write_anywhere != null
}

deny contains $"the orchestrator itself must not call {input.tool.name}" if {
	_is_session
	input.tool.group == "mcp"
}

# A type without its own restrictions would have the permissions of all specialists together.
deny contains $"{type} is not a specialist" if {
	some type in input.agents
	not type in _specialists
}

# Both tools can start subagents of any type.
deny contains $"{input.tool.name} may start subagents that are not specialists" if input.tool.name in {"Workflow", "Skill"}

_is_session if input.agent.id == null
