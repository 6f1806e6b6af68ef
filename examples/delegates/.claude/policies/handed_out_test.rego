package modes.policy.handed_out_test

import data.modes.policy.handed_out

test_outside_is_for_no_delegate if {
	every tool in ["mcp__modagent__junior-rwx", "mcp__modagent__junior-r", "mcp__modagent__logworm"] {
		_reasons(_read(tool, "/etc/hosts", "outside")) == {"/etc/hosts is outside the project"}
	}
}

test_the_session_reads_there if _reasons(_read("Read", "/etc/hosts", "outside")) == set()

test_the_project_is_given if {
	every root in ["project", "worktree", "temp"] {
		_reasons(_read("mcp__modagent__junior-r", "src/a.ts", root)) == set()
	}
}

test_one_only_reads if {
	every class in ["writes", "runs", "unknown"] {
		"mcp__modagent__junior-r only reads: x" in _reasons(_run("mcp__modagent__junior-r", class))
	}
	_reasons(_run("mcp__modagent__junior-r", "read-only")) == set()
}

test_one_reads_what_is_printed if {
	every class in ["writes", "unknown"] {
		"mcp__modagent__logworm only reads: x" in _reasons(_run("mcp__modagent__logworm", class))
	}
	every class in ["read-only", "runs"] {
		_reasons(_run("mcp__modagent__logworm", class)) == set()
	}
}

test_the_third_and_the_session_run_what_rules_say if {
	every tool in ["mcp__modagent__junior-rwx", "Bash"] {
		_reasons(_run(tool, "unknown")) == set()
	}
}

test_what_cannot_be_taken_apart_is_not_run if {
	facts := {"tool": {"name": "mcp__modagent__logworm"}, "reads": [], "bash": {"class": "unknown", "commands": []}}
	_reasons(facts) == {"mcp__modagent__logworm only reads, and its command cannot be analyzed"}
}

_reasons(facts) := {one.reason |
	denied := handed_out.deny with input as facts
	some one in denied
}

_read(tool, path, root) := {"tool": {"name": tool}, "reads": [{"path": path, "root": root}], "bash": {"class": "read-only", "commands": []}}

_run(tool, class) := {"tool": {"name": tool}, "reads": [], "bash": {"class": class, "commands": [{"text": "x", "class": class}]}}
