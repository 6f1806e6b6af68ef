package modes_test

# [s:bash.forms]
test_an_exact_rule_meets_that_text_alone if {
	index := rules([deny(bash("git push"))])
	said(shell([command("git push")]), index) == ["deny", "rule"]
	said(shell([command("git push origin")]), index) == ["pass", "default"]
}

# [s:bash.forms]
test_a_rule_of_words_meets_them_alone_and_with_more_but_no_longer_word if {
	index := rules([deny(bash("git push:*"))])
	said(shell([command("git push")]), index) == ["deny", "rule"]
	said(shell([command("git push origin")]), index) == ["deny", "rule"]
	said(shell([command("git pushy")]), index) == ["pass", "default"]
}

# [s:bash.narrow-spelling]
test_deny_and_ask_are_tried_on_every_spelling if {
	facts := shell([spelled(["/usr/bin/git push", "git push"])])
	said(facts, rules([deny(bash("git push:*"))])) == ["deny", "rule"]
	said(facts, rules([ask(bash("/usr/bin/git:*"))])) == ["ask", "rule"]
}

# [s:bash.allow-top]
test_an_allow_is_tried_on_the_written_text_alone if {
	facts := shell([spelled(["/usr/bin/git push", "git push"])])
	said(facts, rules([allow(bash("git push:*"))])) == ["pass", "default"]
}

# [s:bash.narrow-depth]
test_deny_and_ask_meet_a_nested_command if {
	facts := shell([command("echo x"), nested("git push")])
	said(facts, rules([deny(bash("git push:*"))])) == ["deny", "rule"]
	said(facts, rules([ask(bash("git push:*"))])) == ["ask", "rule"]
}

# [s:bash.allow-top]
test_an_allow_of_words_does_not_meet_a_nested_command if {
	facts := shell([command("echo x"), nested("git push")])
	said(facts, rules([allow(bash("echo:*")), allow(bash("git:*"))])) == ["pass", "default"]
	said(facts, rules([allow(bash("echo:*")), allow(bash_class("read-only"))])) == ["allow", "rule"]
}

# [s:bash.allow-every] [s:order.every-access]
test_every_command_has_to_be_allowed if {
	facts := shell([command("git log"), command("wc -l")])
	said(facts, rules([allow(bash("git:*"))])) == ["pass", "default"]
	said(facts, rules([allow(bash("git:*")), allow(bash("wc:*"))])) == ["allow", "rule"]
}

test_an_allow_of_the_tool_or_its_group_covers_every_command if {
	facts := shell([command("git log"), nested("wc -l")])
	said(facts, rules([allow(tool("Bash"))])) == ["allow", "rule"]
	said(facts, rules([allow(group("command"))])) == ["allow", "rule"]
}

# [s:bash.monitor]
test_rules_on_bash_are_for_monitor_too if {
	facts := call("Monitor", "command", {"bash": {"class": "read-only", "network": false, "commands": [command("git log")]}})
	said(facts, rules([deny(tool("Bash"))])) == ["deny", "rule"]
	said(facts, rules([deny(bash("git:*"))])) == ["deny", "rule"]
	said(facts, rules([allow(bash("git:*"))])) == ["allow", "rule"]
}

# [s:bash.class]
test_a_class_rule_meets_a_command_of_that_class_at_any_depth if {
	facts := shell([command("echo x"), object.union(classed("writes", "tee a"), {"top": false})])
	said(facts, rules([deny(bash_class("writes"))])) == ["deny", "rule"]
	said(facts, rules([deny(bash_class("runs"))])) == ["pass", "default"]
}

test_a_rule_on_the_network_meets_commands_of_every_class_that_use_it if {
	said(shell([networked("curl x")]), rules([deny(bash_class("network"))])) == ["deny", "rule"]
	said(shell([networked("curl x")]), rules([deny(bash_class("read-only"))])) == ["deny", "rule"]
	said(shell([command("date")]), rules([deny(bash_class("network"))])) == ["pass", "default"]
}

test_what_uses_the_network_has_to_be_allowed_as_that if {
	said(shell([networked("curl x")]), rules([allow(bash_class("read-only"))])) == ["pass", "default"]
	said(shell([networked("curl x")]), rules([allow(bash_class("network"))])) == ["allow", "rule"]
}

test_a_pattern_of_commands_begins_at_the_beginning_and_meets_its_expression if {
	index := rules([deny(bash_like(beginning("npm"), "npm run ", "^npm run .*:prod$"))])
	said(shell([command("npm run deploy:prod")]), index) == ["deny", "rule"]
	said(shell([command("npm run deploy:test")]), index) == ["pass", "default"]
	said(shell([command("echo npm run deploy:prod")]), index) == ["pass", "default"]
}

test_a_pattern_whose_head_says_it_all_needs_no_expression if {
	index := rules([deny(bash_like("*", "git pu", ""))])
	said(shell([command("git push")]), index) == ["deny", "rule"]
	said(shell([command("git log")]), index) == ["pass", "default"]
}

test_the_head_of_a_pattern_guards_its_expression if {
	said(shell([command("git log")]), rules([deny(bash_like("*", "npm ", ".*"))])) == ["pass", "default"]
}

test_a_pattern_of_commands_is_tried_on_every_spelling if {
	facts := shell([spelled(["/bin/npm run a:prod", "npm run a:prod"])])
	said(facts, rules([deny(bash_like("*", "npm run ", "^npm run .*:prod$"))])) == ["deny", "rule"]
}

test_an_allow_by_pattern_covers_a_written_top_level_command_alone if {
	index := rules([allow(bash_like("*", "npm run ", "^npm run .*:test$"))])
	said(shell([command("npm run a:test")]), index) == ["allow", "rule"]
	said(shell([nested("npm run a:test")]), index) == ["pass", "default"]
	said(shell([spelled(["/bin/npm run a:test", "npm run a:test"])]), index) == ["pass", "default"]
}

test_an_allow_by_pattern_does_not_cover_a_command_whose_word_is_not_known if {
	said(shell([command("$cmd x")]), rules([allow(bash_like("*", "", ""))])) == ["pass", "default"]
}

# [s:uncertain.dynamic]
test_an_unknown_word_asks_where_it_could_complete_a_rule if {
	index := rules([deny(bash("git push:*"))])
	said(shell([command("git $verb")]), index) == ["ask", "open"]
	said(shell([command("$cmd push")]), index) == ["ask", "open"]
	said(shell([command("npm $verb")]), index) == ["pass", "default"]
	said(shell([command("git log $ref")]), index) == ["pass", "default"]
}

test_an_unknown_word_asks_where_it_could_complete_a_pattern if {
	index := rules([deny(bash_like(beginning("npm"), "npm ", "^npm .*:prod$"))])
	said(shell([command("npm run $script")]), index) == ["ask", "open"]
	said(shell([command("npx run $script")]), index) == ["pass", "default"]
}

test_an_unknown_word_completes_no_allow if {
	said(shell([command("git $verb")]), rules([allow(bash("git push:*")), allow(bash("git $verb"))])) == ["allow", "rule"]
	said(shell([command("git $verb")]), rules([allow(bash("git push:*"))])) == ["pass", "default"]
}

test_an_unknown_word_that_is_denied_as_written_is_a_deny if {
	said(shell([command("git push $where")]), rules([deny(bash("git push:*"))])) == ["deny", "rule"]
}

# [s:bash.class]
test_a_part_without_a_command_is_met_by_a_rule_on_its_class if {
	part := {"kind": "command", "command": null, "name": "", "class": "unknown", "why": "it cannot be parsed"}
	facts := shell_with([command("date")], {"may_write_anywhere": [part]})
	said(facts, rules([deny(bash_class("unknown"))])) == ["deny", "rule"]
	said(facts, rules([ask(bash_class("unknown")), allow(tool("Bash"))])) == ["ask", "rule"]
	said(facts, rules([deny(bash_class("runs"))])) == ["pass", "default"]
}

test_a_part_without_a_command_takes_an_allow_of_its_class_or_of_all if {
	part := {"kind": "command", "command": null, "name": "", "class": "unknown", "why": "it cannot be parsed"}
	facts := shell_with([command("date")], {"may_write_anywhere": [part]})
	said(facts, rules([allow(bash("date"))])) == ["pass", "default"]
	said(facts, rules([allow(bash("date")), allow(bash_class("runs"))])) == ["pass", "default"]
	said(facts, rules([allow(bash("date")), allow(bash_class("unknown"))])) == ["allow", "rule"]
	said(facts, rules([allow(tool("Bash"))])) == ["allow", "rule"]
	said(facts, rules([allow(group("command"))])) == ["allow", "rule"]
}

test_a_weak_allow_of_a_class_does_not_lift_a_strong_default if {
	part := {"kind": "command", "command": null, "name": "", "class": "unknown", "why": "it cannot be parsed"}
	facts := shell_with([command("date")], {"may_write_anywhere": [part]})
	list := [from("user", allow(bash("date"))), allow(bash_class("unknown"))]
	said(facts, with_default(rules(list), "user", "deny")) == ["deny", "default"]
	said(facts, with_default(rules([from("user", rule) | some rule in list]), "user", "deny")) == ["allow", "rule"]
}

test_a_weak_allow_of_words_does_not_lift_a_strong_default if {
	said(shell([command("date")]), with_default(rules([allow(bash("date"))]), "user", "deny")) == ["deny", "default"]
	said(shell([command("date")]), with_default(rules([from("user", allow(bash("date")))]), "user", "deny")) == ["allow", "rule"]
}

# [s:args.rule]
test_a_rule_on_one_tools_commands_meets_no_other_tool if {
	list := [held_to("mcp__sh__exec", deny(bash("git:*"))), held_to("mcp__sh__exec", deny(bash_like("*", "npm", "")))]
	every text in ["git push", "npm test"] {
		said(call("mcp__sh__exec", "mcp", {"bash": {"class": "read-only", "network": false, "commands": [command(text)]}}), rules(list)) == ["deny", "rule"]
		said(shell([command(text)]), rules(list)) == ["pass", "default"]
	}
	said(shell([command("git $verb")]), rules([held_to("mcp__sh__exec", deny(bash("git push:*")))])) == ["pass", "default"]
}

test_an_allow_of_one_tools_commands_covers_no_other_tool if {
	list := [held_to("mcp__sh__exec", allow(bash("git:*"))), held_to("mcp__sh__exec", allow(bash_like("*", "npm", "")))]
	said(shell([command("git log")]), rules(list)) == ["pass", "default"]
	said(shell([command("npm test")]), rules(list)) == ["pass", "default"]
}

test_a_rule_that_an_unknown_word_could_complete_is_shown if {
	index := rules([deny(bash("git push:*"))])
	answer(shell([command("git $verb")]), index).hits == {{
		"id": "deny Bash(git push:*)",
		"on": "git $verb",
		"command": 0,
		"via": "an unknown word",
	}}
	met(shell([command("git log")]), index) == set()
}

# [s:uncertain.dynamic]
test_a_word_that_could_complete_a_deny_asks_though_all_is_allowed if {
	index := rules([deny(bash("git push:*")), allow(tool("Bash"))])
	said(shell([command("git $verb")]), index) == ["ask", "open"]
	said(shell([command("git log $ref")]), index) == ["allow", "rule"]
}
