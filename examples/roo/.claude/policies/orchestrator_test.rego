package modes.policy.orchestrator_test

import data.modes.policy.orchestrator

test_the_session_changes_nothing if {
	_denied({"writes": [{"path": "src/a.ts", "root": "project"}]}) == {"the orchestrator itself must not write src/a.ts"}
	_denied({"writes": [{"path": "/scratch/x", "root": "temp"}]}) == set()
	_denied({"may_write_anywhere": ["x"]}) == {"the orchestrator itself must not run anything that may change files"}
	_denied({"tool": {"name": "mcp__x__y", "group": "mcp"}}) == {"the orchestrator itself must not call mcp__x__y"}
}

test_its_own_tools_are_open if _denied({"tool": {"name": "mcp__plugin_modes_modes__transition", "group": "own"}}) == set()

test_a_specialist_works if {
	_denied({"agent": {"id": "a1"}, "writes": [{"path": "src/a.ts", "root": "project"}]}) == set()
	_denied({"agent": {"id": "a1"}, "may_write_anywhere": ["x"]}) == set()
}

test_only_specialists_are_started if {
	_denied({"agents": ["code"]}) == set()
	_denied({"agents": ["general-purpose"]}) == {"general-purpose is not a specialist"}
	_denied({"tool": {"name": "Workflow", "group": "agent"}}) == {"Workflow may start subagents that are not specialists"}
}

_denied(facts) := denied if {
	tool := {"name": "Read", "group": "read"}
	session := {"agent": {"id": null}, "tool": tool, "writes": [], "may_write_anywhere": null, "agents": []}
	denied := orchestrator.deny with input as object.union(session, facts)
}
