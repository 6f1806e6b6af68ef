package modes_test

_make := shell([classed("runs", "make all")])

_guarded := deny(write("/secret"))

# [s:uncertain.anything]
test_a_part_that_may_be_any_command_asks_without_a_rule_and_whatever_is_allowed if {
	part := {"kind": "command", "command": 0, "name": "sh", "class": "unknown", "why": "its text is not known", "anything": true}
	facts := shell_with([classed("unknown", "sh -c $x")], {"may_write_anywhere": [part]})
	said(facts, rules([])) == ["ask", "uncertainty"]
	said(facts, rules([allow(bash("sh:*")), allow(bash_class("unknown")), allow(tool("Bash"))])) == ["ask", "uncertainty"]
	said(facts, rules([deny(bash("git push:*"))])) == ["ask", "open"]
	said(facts, with_default(rules([]), "project", "deny")) == ["deny", "uncertainty"]
}

# [s:uncertain.asks]
test_what_may_write_anywhere_asks_where_a_rule_is_about_writes if {
	every rule in [deny(write("/secret")), ask(every_write), deny(bash_class("writes"))] {
		said(_make, rules([rule])) == ["ask", "uncertainty"]
	}
}

# [s:uncertain.builtin]
test_what_may_write_anywhere_passes_where_no_rule_is_about_writes if {
	every list in [[], [deny(read("/secret"))], [allow(write("/secret"))], [deny(bash("rm:*"))]] {
		said(_make, rules(list)) == ["pass", "default"]
	}
}

test_what_only_reads_or_writes_what_is_known_is_not_uncertain if {
	said(shell([command("date"), classed("writes", "touch a")]), rules([_guarded])) == ["pass", "default"]
}

# [s:uncertain.name-word]
test_a_command_is_named_by_a_rule_that_begins_with_its_word if {
	said(_make, rules([_guarded, allow(bash("make:*"))])) == ["allow", "rule"]
	said(_make, rules([_guarded, allow(bash("make all"))])) == ["allow", "rule"]
	said(_make, rules([_guarded, allow(bash_like(beginning("make"), "make ", ""))])) == ["allow", "rule"]
}

# [s:uncertain.name-class]
test_a_command_is_named_by_a_rule_on_its_class if {
	said(_make, rules([_guarded, allow(bash_class("runs"))])) == ["allow", "rule"]
	said(_make, rules([_guarded, allow(bash_class("unknown"))])) == ["ask", "uncertainty"]
	said(shell([classed("unknown", "./x")]), rules([_guarded, allow(bash_class("unknown"))])) == ["allow", "rule"]
}

test_a_nested_command_is_named_by_its_class_alone if {
	facts := shell([command("sh -c"), object.union(classed("runs", "make all"), {"top": false, "allow_keys": ["@runs", "*"]})])
	said(facts, rules([_guarded, allow(tool("Bash")), allow(bash("make:*"))])) == ["ask", "uncertainty"]
	said(facts, rules([_guarded, allow(tool("Bash")), allow(bash_class("runs"))])) == ["allow", "rule"]
}

# [s:uncertain.name-broad]
test_bash_groups_and_patterns_of_names_do_not_name_a_command if {
	every rule in [tool("Bash"), group("command"), tools_like("*", "", ""), bash_like("*", "mak", "")] {
		said(_make, rules([_guarded, allow(rule)])) == ["ask", "uncertainty"]
	}
}

# [s:uncertain.named]
test_every_part_has_to_be_named if {
	facts := shell([classed("runs", "make all"), classed("runs", "npm test")])
	index := rules([_guarded, allow(tool("Bash")), allow(bash("make:*"))])
	said(facts, index) == ["ask", "uncertainty"]
	answer(facts, index).unnamed == {1}
	said(facts, rules([_guarded, allow(bash("npm:*")), allow(bash("make:*"))])) == ["allow", "rule"]
}

test_a_name_given_to_one_command_is_no_name_for_another if {
	facts := shell([command("date"), classed("runs", "make all")])
	said(facts, rules([_guarded, allow(bash("date")), allow(tool("Bash"))])) == ["ask", "uncertainty"]
}

test_a_part_without_a_command_is_named_by_its_class_alone if {
	part := {"kind": "command", "command": null, "name": "", "class": "unknown", "why": "it cannot be parsed"}
	facts := shell_with([command("date")], {"may_write_anywhere": [part]})
	said(facts, rules([_guarded, allow(tool("Bash")), allow(bash("date"))])) == ["ask", "uncertainty"]
	said(facts, rules([_guarded, allow(bash("date")), allow(bash_class("unknown"))])) == ["allow", "rule"]
}

# [s:uncertain.known-target]
test_naming_does_not_cover_a_target_that_is_known if {
	facts := shell_with([classed("runs", "make all")], {"writes": [by(0, path("out/a"))]})
	said(facts, rules([_guarded, allow(bash("make:*"))])) == ["pass", "default"]
	said(facts, rules([_guarded, allow(bash("make:*")), allow(write("/out"))])) == ["allow", "rule"]
}

# [s:uncertain.name-tool]
test_a_tool_is_named_by_its_literal_name_or_its_servers if {
	facts := asking_server("mcp__github__merge")
	said(facts, rules([_guarded])) == ["ask", "uncertainty"]
	said(facts, rules([_guarded, allow(tool("mcp__github__merge"))])) == ["allow", "rule"]
	said(facts, rules([_guarded, allow(server("mcp__github"))])) == ["allow", "rule"]
	said(facts, rules([_guarded, allow(tools_like("mcp__github", "mcp__github__", ""))])) == ["allow", "rule"]
}

# [s:uncertain.name-broad]
test_groups_and_patterns_of_all_servers_do_not_name_a_tool if {
	facts := asking_server("mcp__github__merge")
	every rule in [group("mcp"), tools_like("*", "", "")] {
		said(facts, rules([_guarded, allow(rule)])) == ["ask", "uncertainty"]
	}
}

test_a_class_rule_does_not_name_a_tool if {
	said(asking_server("mcp__github__merge"), rules([_guarded, allow(bash_class("unknown")), allow(group("mcp"))])) == ["ask", "uncertainty"]
}

# [s:rules.skill-unknown]
test_a_skill_whose_file_is_not_found_is_named_by_its_rule if {
	facts := call("Skill", "other", {"skills": ["docs"], "may_write_anywhere": [uncertain_tool("docs")]})
	said(facts, rules([_guarded, allow(skill("docs"))])) == ["allow", "rule"]
	said(facts, rules([_guarded, allow(skills_like("do"))])) == ["ask", "uncertainty"]
}

# [s:uncertain.untrusted]
test_an_untrusted_allow_names_for_the_rules_of_its_own_layer if {
	said(_make, untrusted([_guarded, allow(bash("make:*"))])) == ["pass", "default"]
	said(_make, untrusted([_guarded])) == ["ask", "uncertainty"]
}

# [s:uncertain.untrusted]
test_an_untrusted_allow_does_not_name_for_the_rules_of_another_layer if {
	said(_make, untrusted([from("user", _guarded), allow(bash("make:*"))])) == ["ask", "uncertainty"]
	said(_make, rules([from("user", _guarded), allow(bash("make:*"))])) == ["allow", "rule"]
}

test_an_untrusted_allow_lifts_uncertainty_and_default_of_its_own_layer_together if {
	index := with_default(untrusted([_guarded, allow(bash("make:*"))]), "project", "deny")
	said(_make, index) == ["pass", "default"]
}

test_an_allow_of_a_policy_names_no_part if {
	said_with(_make, rules([_guarded]), {decided("allow", "yes")}) == ["ask", "uncertainty"]
}

test_nothing_is_unnamed_where_no_rule_is_about_writes if {
	answer(_make, rules([])).unnamed == set()
	answer(_make, rules([_guarded])).unnamed == {0}
}
