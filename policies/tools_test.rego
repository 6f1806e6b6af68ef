package modes_test

test_a_rule_on_a_tool_meets_it_by_its_full_name if {
	said(call("LSP", "other", {}), rules([deny(tool("LSP"))])) == ["deny", "rule"]
	said(call("LSPX", "other", {}), rules([deny(tool("LSP"))])) == ["pass", "default"]
}

# [s:name.server]
test_a_rule_on_a_server_meets_all_its_tools_and_no_other_servers if {
	index := rules([deny(server("mcp__github"))])
	said(asking_server("mcp__github__merge"), index) == ["deny", "rule"]
	said(asking_server("mcp__githubber__merge"), index) == ["pass", "default"]
}

test_a_pattern_of_names_meets_the_tools_of_its_server_that_begin_so if {
	index := rules([deny(tools_like("mcp__github", "mcp__github__get_", ""))])
	said(asking_server("mcp__github__get_issue"), index) == ["deny", "rule"]
	said(asking_server("mcp__github__set_issue"), index) == ["pass", "default"]
}

test_a_name_that_may_be_several_servers_is_refused_for_each_and_allowed_for_none if {
	facts := object.union(asking_server("mcp__a__b__t"), {"tool": {"keys": ["mcp__a__b__t"], "narrow_keys": ["mcp__a", "mcp__a__b"]}})
	every rule in [server("mcp__a"), server("mcp__a__b"), tools_like("mcp__a", "mcp__a__b__", "")] {
		said(facts, rules([deny(rule)])) == ["deny", "rule"]
		said(facts, rules([allow(rule)])) == ["pass", "default"]
	}
	said(facts, rules([allow(tool("mcp__a__b__t"))])) == ["allow", "rule"]
	said(giving(facts, "x", "1"), rules([deny(held_to("mcp__a__b", read("/**")))])) == ["pass", "default"]
	touching := object.union(facts, {"reads": [path("a.ts")]})
	said(touching, rules([deny(held_to("mcp__a__b", read("/**")))])) == ["deny", "rule"]
	writing := object.union(facts, {"writes": [path("a.ts")]})
	said(writing, rules([allow(held_to("mcp__a__b", write("/**"))), allow(tool("mcp__a__b__t"))])) == ["pass", "default"]
	said(writing, rules([allow(held_to("mcp__a__b__t", write("/**"))), allow(tool("mcp__a__b__t"))])) == ["allow", "rule"]
}

# [s:name.glob]
test_a_pattern_of_names_may_stand_for_every_tool if {
	index := rules([ask(tools_like("*", "", ""))])
	every facts in [asking_server("mcp__github__merge"), fetching("x.org"), shell([command("date")])] {
		said(facts, index) == ["ask", "rule"]
	}
}

test_a_pattern_of_names_has_to_meet_its_expression if {
	index := rules([deny(tools_like("*", "mcp__", "^mcp__.*__delete$"))])
	said(asking_server("mcp__github__delete"), index) == ["deny", "rule"]
	said(asking_server("mcp__github__list"), index) == ["pass", "default"]
}

# [s:group.members]
test_a_group_meets_its_tools if {
	said(fetching("x.org"), rules([deny(group("web"))])) == ["deny", "rule"]
	said(asking_server("mcp__github__merge"), rules([deny(group("web"))])) == ["pass", "default"]
	said(asking_server("mcp__github__merge"), rules([allow(group("mcp"))])) == ["allow", "rule"]
}

test_a_tool_without_accesses_is_allowed_by_name if {
	every rule in [tool("mcp__github__merge"), server("mcp__github"), tools_like("mcp__github", "mcp__github__", "")] {
		said(asking_server("mcp__github__merge"), rules([allow(rule)])) == ["allow", "rule"]
	}
	said(asking_server("mcp__github__merge"), rules([allow(server("mcp__gitlab"))])) == ["pass", "default"]
}

test_a_weak_allow_by_name_does_not_lift_a_strong_default if {
	said(asking_server("mcp__github__merge"), with_default(rules([allow(server("mcp__github"))]), "user", "deny")) == ["deny", "default"]
}

test_a_servers_tool_is_not_allowed_by_its_paths_alone if {
	facts := call("mcp__fs__load", "mcp", {"reads": [path("a.ts")]})
	said(facts, rules([allow(read("/**"))])) == ["pass", "default"]
}

test_a_shell_without_commands_is_allowed_by_name_alone if {
	said(shell([]), rules([allow(bash("date"))])) == ["pass", "default"]
	said(shell([]), rules([allow(tool("Bash"))])) == ["allow", "rule"]
}

test_a_fetch_without_a_host_is_allowed_by_name_alone if {
	said(call("WebFetch", "web", {}), rules([allow(domain("*"))])) == ["pass", "default"]
	said(call("WebFetch", "web", {}), rules([allow(tool("WebFetch"))])) == ["allow", "rule"]
}

test_a_search_is_not_known_by_the_hosts_it_is_held_to if {
	facts := call("WebSearch", "web", {"domains": [domain_of("x.org")]})
	said(facts, rules([allow(domain("x.org"))])) == ["pass", "default"]
}

test_a_reading_tool_without_accesses_is_allowed_by_name_alone if {
	said(call("LSP", "read", {}), rules([allow(read("/**"))])) == ["pass", "default"]
	said(call("LSP", "read", {}), rules([allow(group("read"))])) == ["allow", "rule"]
}

test_an_agent_is_met_by_its_name_and_by_a_pattern_of_it if {
	facts := call("Agent", "agent", {"agents": ["reviewer"]})
	said(facts, rules([deny(agent("reviewer"))])) == ["deny", "rule"]
	said(facts, rules([deny(agents_like("rev"))])) == ["deny", "rule"]
	said(facts, rules([deny(agent("review"))])) == ["pass", "default"]
	said(facts, rules([deny(agents_like("writ"))])) == ["pass", "default"]
	said(facts, rules([allow(agent("reviewer"))])) == ["allow", "rule"]
}

test_a_skill_is_met_by_its_name_and_by_a_pattern_of_it if {
	facts := call("Skill", "other", {"skills": ["docs:write"]})
	said(facts, rules([deny(skill("docs:write"))])) == ["deny", "rule"]
	said(facts, rules([deny(skills_like("docs:"))])) == ["deny", "rule"]
	said(facts, rules([deny(skill("docs"))])) == ["pass", "default"]
	said(facts, rules([deny(skills_like("test:"))])) == ["pass", "default"]
	said(facts, rules([allow(skill("docs:write"))])) == ["allow", "rule"]
}

test_rules_on_agents_and_on_skills_do_not_meet_each_other if {
	said(call("Skill", "other", {"skills": ["review"]}), rules([deny(agent("review")), deny(agents_like(""))])) == ["pass", "default"]
	said(call("Agent", "agent", {"agents": ["review"]}), rules([deny(skill("review")), deny(skills_like(""))])) == ["pass", "default"]
}

# [s:rules.skill-commands]
test_an_allowed_skill_needs_its_commands_allowed_as_well if {
	facts := call("Skill", "other", {"skills": ["docs"], "bash": {"class": "read-only", "network": false, "commands": [command("git log")]}})
	said(facts, rules([allow(skill("docs"))])) == ["pass", "default"]
	said(facts, rules([allow(skill("docs")), allow(bash("git:*"))])) == ["allow", "rule"]
	said(facts, rules([allow(skill("docs")), deny(bash("git log"))])) == ["deny", "rule"]
}

# [s:rules.param]
test_a_rule_on_a_parameter_meets_its_value if {
	facts := giving(call("Agent", "agent", {}), "model", "opus")
	said(facts, rules([deny(param("Agent", "model", "opus"))])) == ["deny", "rule"]
	said(facts, rules([deny(param("Agent", "model", "haiku"))])) == ["pass", "default"]
	said(facts, rules([deny(param("Agent", "name", "opus"))])) == ["pass", "default"]
	said(facts, rules([deny(param("Task", "model", "opus"))])) == ["pass", "default"]
}

test_a_rule_on_a_parameter_may_give_a_pattern_of_its_value if {
	facts := giving(call("Agent", "agent", {}), "model", "opus-4")
	said(facts, rules([ask(params_like("Agent", "model", "opus"))])) == ["ask", "rule"]
	said(facts, rules([ask(params_like("Agent", "model", "son"))])) == ["pass", "default"]
}

# [s:rules.param]
test_a_parameter_that_was_cut_meets_every_pattern_that_it_begins_like if {
	facts := object.union(giving(call("Agent", "agent", {}), "prompt", "padding"), {"tool": {"cut": ["prompt"]}})
	said(facts, rules([deny(params_like("Agent", "prompt", ""))])) == ["deny", "rule"]
	said(facts, rules([deny(params_like("Agent", "prompt", "pad"))])) == ["deny", "rule"]
	said(facts, rules([deny(params_like("Agent", "prompt", "other"))])) == ["pass", "default"]
	said(facts, rules([deny(params_like("Agent", "name", ""))])) == ["pass", "default"]
	said(facts, rules([deny(param("Agent", "prompt", "padding and more"))])) == ["pass", "default"]
}

test_a_hit_on_a_parameter_shows_it if {
	facts := giving(call("Agent", "agent", {}), "model", "opus")
	{hit.on | some hit in answer(facts, rules([deny(param("Agent", "model", "opus")), deny(params_like("Agent", "model", "op"))])).hits} == {"model: opus"}
}

# [s:own.wildcard]
test_our_own_tools_are_reached_by_no_wildcard_server_or_group if {
	facts := asking_us("status", "allow")
	every rule in [tools_like("*", "", ""), tools_like("mcp__plugin_modes_modes", "", ""), server("mcp__plugin_modes_modes"), group("own")] {
		said(facts, rules([deny(rule)])) == ["allow", "protection"]
	}
}

# [s:own.deny]
test_our_own_tools_are_reached_by_their_full_name if {
	name := "mcp__plugin_modes_modes__status"
	said(asking_us("status", "allow"), rules([deny(tool(name))])) == ["deny", "rule"]
	said(asking_us("status", "allow"), rules([ask(tool(name))])) == ["ask", "rule"]
}

# [s:own.foreign]
test_another_server_called_modes_is_like_any_other if {
	said(asking_server("mcp__modes__status"), rules([deny(server("mcp__modes"))])) == ["deny", "rule"]
	said(asking_server("mcp__modes__status"), with_default(rules([]), "project", "deny")) == ["deny", "default"]
}

test_names_do_not_reach_a_call_that_touches_own_files_alone if {
	file := own_file("/home/a/plans", "p.md")
	every rule in [tool("Edit"), tools_like("*", "", ""), group("edit")] {
		said(editing(file), rules([deny(rule)])) == ["pass", "default"]
		said(editing(path("a.ts")), rules([deny(rule)])) == ["deny", "rule"]
	}
	said(reading(file), rules([deny(tool("Read"))])) == ["pass", "default"]
	said(writing(file), rules([deny(tool("Write"))])) == ["pass", "default"]
}

test_names_reach_a_call_that_touches_other_files_too if {
	file := own_file("/home/a/plans", "p.md")
	said(call("Grep", "read", {"reads": [file, path("a.ts")]}), rules([deny(tool("Grep"))])) == ["deny", "rule"]
	said(call("Write", "edit", {"writes": [path("a.ts"), file]}), rules([deny(tool("Write"))])) == ["deny", "rule"]
	said(shell_with([command("cat p")], {"reads": [by(0, file)]}), rules([deny(tool("Bash"))])) == ["deny", "rule"]
}

test_our_own_tool_is_open_under_a_default_of_deny if {
	index := with_default(rules([]), "managed", "deny")
	said(asking_us("status", "allow"), index) == ["allow", "protection"]
	said(asking_us("force_transition", "none"), index) == ["pass", "protection"]
}

test_an_allow_does_not_answer_for_a_tool_of_ours_that_a_person_is_asked_about if {
	name := "mcp__plugin_modes_modes__force_transition"
	said(asking_us("force_transition", "none"), rules([allow(tool(name))])) == ["pass", "protection"]
	met(asking_us("force_transition", "none"), rules([allow(tool(name))])) == set()
}

test_our_own_tool_that_its_table_denies_is_denied_whatever_is_allowed if {
	name := "mcp__plugin_modes_modes__transition"
	said(asking_us("transition", "deny"), rules([from("managed", allow(tool(name)))])) == ["deny", "protection"]
}

# [s:extra.unknown]
test_a_parameter_beyond_the_table_turns_allow_into_pass if {
	said(extra(writing(path("src/a.ts"))), rules([allow(write("/src"))])) == ["pass", "rule"]
	said(extra(shell([command("date")])), rules([allow(bash("date"))])) == ["pass", "rule"]
}

test_a_parameter_beyond_the_table_softens_neither_deny_nor_ask_nor_default if {
	facts := extra(writing(path("src/a.ts")))
	said(facts, rules([deny(write("/src"))])) == ["deny", "rule"]
	said(facts, rules([ask(write("/src"))])) == ["ask", "rule"]
	said(facts, with_default(rules([]), "project", "deny")) == ["deny", "default"]
}

test_a_parameter_beyond_the_table_does_not_bring_a_lifted_default_back if {
	said(extra(writing(path("src/a.ts"))), with_default(rules([allow(write("/src"))]), "project", "deny")) == ["pass", "rule"]
}

# [s:uncertain.named-in-code]
test_the_commands_of_a_tool_that_does_more_are_only_a_part_of_it if {
	part := {"kind": "tool", "command": null, "name": "PowerShell", "class": "unknown", "why": "x"}
	more := {"tool": {"name": "PowerShell", "keys": ["PowerShell"]}, "may_write_anywhere": [part]}
	facts := object.union(shell([command("ls")]), more)
	said(facts, rules([allow(bash("ls:*"))])) == ["pass", "default"]
	said(facts, rules([allow(tool("PowerShell"))])) == ["allow", "rule"]
	said(facts, rules([deny(bash("ls:*"))])) == ["deny", "rule"]
}
