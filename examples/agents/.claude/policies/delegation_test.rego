package modes.policy.delegation_test

import data.modes.policy.delegation

test_the_session_writes_nothing_of_the_project if {
	delegation.deny == {{
		"reason": "the session itself must not write src/a.ts",
		"remedy": "Start the subagent implementer with everything that it needs to know.",
	}} with input as _write(null, "project")
}

test_its_temporary_files_are_its_own if count(delegation.deny) == 0 with input as _write(null, "temp")

test_a_subagent_writes if count(delegation.deny) == 0 with input as _write("a1", "project")

test_the_session_runs_nothing_that_may_write if {
	count(delegation.deny) == 1 with input as _run(null, ["npm test runs code of the project"])
	count(delegation.deny) == 0 with input as _run("a1", ["npm test runs code of the project"])
	count(delegation.deny) == 0 with input as _run(null, null)
}

_write(id, root) := {
	"mode": "implement",
	"agent": {"id": id},
	"writes": [{"path": "src/a.ts", "root": root}],
	"may_write_anywhere": null,
}

_run(id, parts) := {"mode": "test", "agent": {"id": id}, "writes": [], "may_write_anywhere": parts}
