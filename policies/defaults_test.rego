package modes_test

_in_src := allow(write("/src"))

_new_file := writing(path("src/a.ts"))

test_a_default_decides_what_no_rule_meets if {
	said(_new_file, with_default(rules([]), "project", "deny")) == ["deny", "default"]
	said(_new_file, with_default(rules([]), "project", "ask")) == ["ask", "default"]
	said(_new_file, with_default(rules([]), "project", "pass")) == ["pass", "default"]
}

# [s:default.narrowest]
test_of_several_defaults_the_narrowest_counts if {
	index := with_default(with_default(rules([]), "user", "ask"), "project", "deny")
	said(_new_file, index) == ["deny", "default"]
}

test_where_the_narrowest_default_is_lifted_the_next_one_counts if {
	index := with_default(with_default(rules([_in_src]), "user", "ask"), "project", "deny")
	said(_new_file, index) == ["ask", "default"]
}

# [s:default.own-allow]
test_an_allow_lifts_the_default_of_its_own_layer if {
	every layer in ["project", "local", "user", "managed"] {
		said(_new_file, with_default(rules([from(layer, _in_src)]), layer, "deny")) == ["allow", "rule"]
	}
}

# [s:default.local]
test_project_and_local_lift_each_others_default if {
	said(_new_file, with_default(rules([from("local", _in_src)]), "project", "deny")) == ["allow", "rule"]
	said(_new_file, with_default(rules([from("project", _in_src)]), "local", "deny")) == ["allow", "rule"]
}

# [s:default.stronger-allow] [s:layers.order]
test_an_allow_lifts_the_default_of_a_less_authoritative_layer if {
	said(_new_file, with_default(rules([from("user", _in_src)]), "project", "deny")) == ["allow", "rule"]
	said(_new_file, with_default(rules([from("managed", _in_src)]), "user", "deny")) == ["allow", "rule"]
}

# [s:default.stronger-allow] [s:layers.order]
test_an_allow_does_not_lift_the_default_of_a_more_authoritative_layer if {
	said(_new_file, with_default(rules([_in_src]), "user", "deny")) == ["deny", "default"]
	said(_new_file, with_default(rules([_in_src]), "user", "ask")) == ["ask", "default"]
	said(_new_file, with_default(rules([from("user", _in_src)]), "managed", "deny")) == ["deny", "default"]
}

# [s:untrusted.lifts] [s:untrusted.allow]
test_an_untrusted_allow_lifts_its_own_default_and_yields_pass if {
	said(_new_file, with_default(untrusted([_in_src]), "project", "deny")) == ["pass", "default"]
	said(_new_file, with_default(untrusted([]), "project", "deny")) == ["deny", "default"]
}

# [s:untrusted.lifts]
test_an_untrusted_allow_does_not_lift_the_default_of_a_user if {
	said(_new_file, with_default(untrusted([_in_src]), "user", "deny")) == ["deny", "default"]
}

test_an_allow_of_a_part_does_not_lift_a_default if {
	facts := call("Write", "edit", {"writes": [path("src/a.ts"), path("lib/b.ts")]})
	said(facts, with_default(rules([_in_src]), "project", "deny")) == ["deny", "default"]
}

test_weak_and_strong_allows_do_not_add_up_to_lift_a_strong_default if {
	facts := call("Write", "edit", {"writes": [path("src/a.ts"), path("lib/b.ts")]})
	list := [_in_src, from("user", allow(write("/lib")))]
	said(facts, with_default(rules(list), "user", "deny")) == ["deny", "default"]
	said(facts, with_default(rules(list), "project", "deny")) == ["allow", "rule"]
}

test_a_lifted_default_of_deny_leaves_uncertainty_an_ask if {
	facts := shell([classed("runs", "make")])
	list := [deny(write("/secret")), allow(tool("Bash"))]
	said(facts, with_default(rules(list), "project", "deny")) == ["ask", "uncertainty"]
}

# [s:meta.open]
test_tools_that_only_ask_list_and_end_are_open_under_a_default_of_deny if {
	said(call("ToolSearch", "meta", {}), with_default(rules([]), "managed", "deny")) == ["pass", "default"]
	said(call("CronList", "other", {}), with_default(rules([]), "managed", "deny")) == ["deny", "default"]
}

# [s:meta.deny]
test_tools_that_only_ask_list_and_end_can_be_denied_by_name if {
	said(call("ToolSearch", "meta", {}), rules([deny(tool("ToolSearch"))])) == ["deny", "rule"]
}

# [s:own-files.rules]
test_the_sessions_own_files_are_open_under_a_default_of_deny if {
	index := with_default(rules([]), "project", "deny")
	said(editing(own_file("/home/a/plans", "p.md")), index) == ["pass", "default"]
	said(reading(own_file("/home/a/plans", "p.md")), index) == ["pass", "default"]
	said(reading(path("/home/a/plans/p.md")), index) == ["deny", "default"]
}

test_a_call_that_touches_other_files_too_is_not_open if {
	facts := call("Write", "edit", {"writes": [own_file("/home/a/plans", "p.md"), path("a.ts")]})
	said(facts, with_default(rules([]), "project", "deny")) == ["deny", "default"]
}

test_a_command_is_not_open_for_touching_only_own_files if {
	facts := shell_with([command("cat p.md")], {"reads": [by(0, own_file("/home/a/plans", "p.md"))]})
	said(facts, with_default(rules([]), "project", "deny")) == ["deny", "default"]
}

test_an_allow_of_a_policy_lifts_the_default_of_the_project_only if {
	yes := {decided("allow", "yes")}
	said_with(_new_file, with_default(rules([]), "project", "deny"), yes) == ["allow", "policy"]
	said_with(_new_file, with_default(rules([]), "user", "deny"), yes) == ["deny", "default"]
}

test_an_allow_of_an_untrusted_policy_yields_pass if {
	yes := {decided("allow", "yes")}
	said_with(_new_file, with_default(untrusted([]), "project", "deny"), yes) == ["pass", "default"]
}

# [s:order.builtin-ask-over-default]
test_uncertainty_and_a_built_in_ask_beat_a_default_that_passes_or_asks if {
	every value in ["pass", "ask"] {
		index := with_default(rules([deny(write("/secret"))]), "project", value)
		said(shell([classed("unknown", "./x")]), index) == ["ask", "uncertainty"]
		said(writing(protected("ask", path("src/a.ts"))), index) == ["ask", "protection"]
	}
}

# [s:order.deny-default]
test_a_default_of_deny_makes_uncertainty_and_a_built_in_ask_a_deny if {
	index := with_default(rules([deny(write("/secret"))]), "project", "deny")
	said(shell([classed("unknown", "./x")]), index) == ["deny", "uncertainty"]
	said(writing(protected("ask", path("src/a.ts"))), index) == ["deny", "protection"]
}

# [s:order.ask-under-deny]
test_an_ask_opens_nothing_under_a_default_of_deny if {
	index := with_default(rules([ask(write("/src")), deny(bash("git push:*"))]), "project", "deny")
	said(_new_file, index) == ["deny", "default"]
	said_with(reading(path("src/a.ts")), index, {decided("ask", "sure?")}) == ["deny", "default"]
	said(shell([command("git $verb")]), index) == ["deny", "default"]
}

# [s:order.ask-under-deny]
test_an_ask_counts_where_an_allow_lifts_the_default if {
	index := with_default(rules([ask(write("/src")), _in_src, deny(bash("git push:*")), allow(tool("Bash")), allow(tool("Read"))]), "project", "deny")
	said(_new_file, index) == ["ask", "rule"]
	said_with(reading(path("src/a.ts")), index, {decided("ask", "sure?")}) == ["ask", "policy"]
	said(shell([command("git $verb")]), index) == ["ask", "open"]
}

# [s:untrusted.allow]
test_an_allow_of_an_untrusted_project_is_pass if {
	said(_new_file, untrusted([_in_src])) == ["pass", "default"]
	said(_new_file, rules([_in_src])) == ["allow", "rule"]
}

test_an_untrusted_allow_does_not_stand_in_for_a_trusted_one if {
	facts := call("Write", "edit", {"writes": [path("src/a.ts"), path("lib/b.ts")]})
	said(facts, untrusted([_in_src, from("user", allow(write("/lib")))])) == ["pass", "default"]
}

# [s:layers.add-up]
test_deny_and_ask_of_every_layer_beat_an_allow_of_the_most_authoritative if {
	every layer in ["managed", "user", "project", "local"] {
		said(_new_file, untrusted([from(layer, deny(write("/src"))), from("managed", _in_src)])) == ["deny", "rule"]
		said(_new_file, untrusted([from(layer, ask(write("/src"))), from("managed", _in_src)])) == ["ask", "rule"]
	}
}
