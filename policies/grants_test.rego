package modes_test

# METADATA
# description: A call with these parts granted by a person.
_granted(facts, parts) := object.union(facts, {"granted": object.union(
	{"off": false, "tool": false, "reads": [], "writes": [], "commands": [], "domains": [], "parts": [], "paths": []},
	parts,
)})

_off(facts) := _granted(facts, {"off": true})

_src := writing(path("src/a.ts"))

_push := shell([classed("runs", "git push")])

test_a_grant_lifts_deny_ask_and_default_of_user_project_and_local_rules if {
	every layer in ["user", "project", "local"] {
		every rule in [deny(write("src/**")), ask(write("src/**")), deny(every_write), deny(tool("Write")), deny(group("edit"))] {
			index := rules([from(layer, rule)])
			said(_src, index)[0] in {"deny", "ask"}
			said(_granted(_src, {"writes": [0]}), index)[0] == "pass"
		}
		every value in ["deny", "ask"] {
			index := with_default(rules([]), layer, value)
			said(_src, index) == [value, "default"]
			said(_granted(_src, {"writes": [0]}), index)[0] == "pass"
		}
	}
}

test_what_the_organisation_says_is_not_lifted if {
	every parts in [{"writes": [0], "tool": true, "paths": [0]}, {"off": true}] {
		every effect in [deny(write("src/**")), deny(every_write), deny(tool("Write"))] {
			said(_granted(_src, parts), rules([from("managed", effect)])) == ["deny", "rule"]
		}
		said(_granted(_src, parts), rules([from("managed", ask(write("src/**")))])) == ["ask", "rule"]
		said(_granted(_src, parts), with_default(rules([]), "managed", "deny")) == ["deny", "default"]
	}
}

test_a_granted_call_passes_and_is_not_allowed if {
	index := rules([deny(write("src/**")), allow(tool("Write"))])
	said(_granted(_src, {"writes": [0]}), index)[0] == "pass"
	said(_off(_src), index)[0] == "pass"
}

test_an_allow_of_the_organisation_allows_whatever_is_granted if {
	index := rules([deny(write("src/**")), from("managed", allow(tool("Write")))])
	said(_granted(_src, {"writes": [0]}), index)[0] == "allow"
	said(_off(_src), index)[0] == "allow"
}

test_a_grant_lifts_rules_against_the_access_it_names_and_no_other if {
	facts := shell_with([command("cp a src/b src/c")], {"writes": [by(0, path("src/b")), by(0, path("src/c"))]})
	index := rules([deny(write("src/**"))])
	met(_granted(facts, {"writes": [0]}), index) == {"deny Write(src/**)"}
	{hit.on | some hit in answer(_granted(facts, {"writes": [0]}), index).hits} == {"src/c"}
	said(_granted(facts, {"writes": [0, 1]}), index)[0] == "pass"
}

test_of_two_accesses_with_one_name_each_is_granted_for_itself if {
	below := by(0, deep("src", ["src/a"]))
	facts := shell_with([command("grep x src src/a")], {"reads": [below, by(0, path("src/a"))]})
	index := rules([deny(read("src/a"))])
	said(_granted(facts, {"reads": [1]}), index) == ["deny", "rule"]
	said(_granted(facts, {"reads": [0, 1]}), index)[0] == "pass"
}

test_a_command_that_is_granted_lifts_no_rule_about_what_it_reads_or_writes if {
	facts := shell_with([command("sed -i x src/a")], {"writes": [by(0, path("src/a"))], "reads": [by(0, path("secret"))]})
	every rule in [deny(write("src/a")), deny(read("secret"))] {
		said(_granted(facts, {"commands": [0]}), rules([rule])) == ["deny", "rule"]
	}
}

test_a_granted_command_goes_with_its_reads_in_the_project_and_its_hosts_against_a_default if {
	facts := shell_with([networked("curl x")], {"reads": [by(0, path("a"))], "domains": [domain_of("x.org")]})
	index := with_default(rules([]), "project", "deny")
	said(_granted(facts, {"commands": [0]}), index)[0] == "pass"
	written := object.union(facts, {"writes": [by(0, path("b"))]})
	said(_granted(written, {"commands": [0]}), index) == ["deny", "default"]
	said(_granted(written, {"commands": [0], "writes": [0]}), index)[0] == "pass"
}

test_grants_and_allow_rules_lift_a_default_together if {
	facts := shell([command("a"), command("b")])
	index := with_default(rules([allow(bash("a"))]), "project", "deny")
	said(facts, index) == ["deny", "default"]
	said(_granted(facts, {"commands": [1]}), index)[0] == "pass"
	said(_granted(facts, {"commands": [0]}), index) == ["deny", "default"]
}

test_a_rule_on_hosts_is_lifted_by_a_grant_of_the_host if {
	index := rules([deny(domain("x.org"))])
	said(_granted(fetching("x.org"), {"domains": [0]}), index)[0] == "pass"
	facts := shell_with([networked("curl x.org")], {"domains": [domain_of("x.org")]})
	said(_granted(facts, {"commands": [0]}), index) == ["deny", "rule"]
	said(_granted(facts, {"commands": [0], "domains": [0]}), index)[0] == "pass"
}

test_a_rule_on_a_tool_or_a_parameter_is_lifted_by_a_grant_of_the_tool if {
	facts := giving(call("WebSearch", "web", {}), "query", "x")
	every rule in [deny(tool("WebSearch")), deny(param("WebSearch", "query", "x")), deny(params_like("WebSearch", "query", ""))] {
		said(facts, rules([rule])) == ["deny", "rule"]
		said(_granted(facts, {"tool": true}), rules([rule]))[0] == "pass"
	}
}

test_a_word_that_could_complete_a_denied_command_is_lifted_with_the_command if {
	facts := shell([command("git $x")])
	index := rules([deny(bash("git push"))])
	said(facts, index) == ["ask", "open"]
	said(_granted(facts, {"commands": [0]}), index)[0] == "pass"
}

# [s:uncertain.named]
test_a_grant_names_a_part_that_may_write_anywhere if {
	facts := shell([classed("runs", "make all"), classed("runs", "npm test")])
	index := rules([deny(write("/secret"))])
	said(facts, index) == ["ask", "uncertainty"]
	said(_granted(facts, {"commands": [0], "parts": [0]}), index) == ["ask", "uncertainty"]
	said(_granted(facts, {"commands": [0, 1], "parts": [0, 1]}), index)[0] == "pass"
	said(_granted(facts, {"commands": [0], "parts": [0]}), rules([deny(write("/secret")), allow(bash("npm:*"))]))[0] == "pass"
}

test_text_in_which_no_command_is_known_is_granted_as_a_part if {
	part := {"kind": "command", "command": null, "name": "", "class": "unknown", "why": "it cannot be read"}
	facts := shell_with([], {"may_write_anywhere": [part]})
	index := rules([deny(bash_class("unknown")), deny(tool("Bash"))])
	said(_granted(facts, {"tool": true}), index) == ["deny", "rule"]
	said(_granted(facts, {"parts": [0]}), rules([deny(bash_class("unknown"))]))[0] == "pass"
	said(_granted(facts, {"tool": true, "parts": [0]}), index)[0] == "pass"
}

# [s:protect.grant]
test_built_in_protection_is_lifted_for_the_paths_that_a_grant_names if {
	every effect in ["deny", "ask"] {
		facts := writing(protected(effect, path(".claude/x")))
		said(_granted(facts, {"writes": [0], "paths": [0]}), rules([]))[0] == "pass"
	}
	denied := writing(protected("deny", path(".claude/x")))
	said(_granted(denied, {"writes": [0]}), rules([])) == ["deny", "protection"]
}

test_protection_of_the_call_is_not_lifted if {
	facts := call("CronCreate", "other", {"protections": [guard("deny")]})
	said(_granted(facts, {"tool": true}), rules([])) == ["deny", "protection"]
	said(_off(facts), rules([])) == ["deny", "protection"]
}

_decisions := [decided("deny", "no"), decided("ask", "perhaps")]

test_a_custom_policy_is_lifted_where_all_of_the_call_is_granted if {
	facts := shell([command("a"), command("b")])
	every decision in _decisions {
		said_with(_granted(facts, {"commands": [0]}), rules([]), {decision})[1] == "policy"
		said_with(_granted(facts, {"commands": [0, 1]}), rules([]), {decision})[0] == "pass"
		said_with(_off(facts), rules([]), {decision})[0] == "pass"
	}
}

test_a_custom_policy_of_the_organisation_is_not if {
	index := object.union(rules([]), {"policies": {"own": 4}})
	every decision in _decisions {
		said_with(_granted(_src, {"writes": [0], "tool": true}), index, {decision})[1] == "policy"
		said_with(_off(_src), index, {decision})[1] == "policy"
	}
}

test_off_makes_rules_defaults_and_uncertainty_pass if {
	every layer in ["user", "project", "local"] {
		every rule in [deny(write("src/**")), ask(write("src/**")), allow(write("src/**"))] {
			said(_off(_src), rules([from(layer, rule)]))[0] == "pass"
		}
		said(_off(_src), with_default(rules([]), layer, "deny"))[0] == "pass"
	}
	said(_off(_push), rules([deny(write("/secret"))]))[0] == "pass"
	said(_off(shell([command("git $x")])), rules([deny(bash("git push"))]))[0] == "pass"
}

test_off_leaves_built_in_protection if {
	said(_off(writing(protected("deny", path(".claude/x")))), rules([])) == ["deny", "protection"]
	said(_off(writing(protected("ask", path("CLAUDE.md")))), rules([])) == ["ask", "protection"]
}
