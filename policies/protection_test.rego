package modes_test

_guarded_agent(effect) := call("Agent", "agent", {"agents": ["reviewer"], "protections": [guard(effect)]})

# [s:protect.no-allow]
test_a_built_in_deny_of_a_call_is_lifted_by_no_allow if {
	said(_guarded_agent("deny"), rules([from("managed", allow(tool("Agent")))])) == ["deny", "protection"]
}

# [s:protect.no-allow]
test_a_built_in_deny_of_a_path_is_lifted_by_no_allow if {
	facts := writing(protected("deny", path(".git/config")))
	said(facts, rules([from("managed", allow(write("/.git/config")))])) == ["deny", "protection"]
}

# [s:protect.remote]
test_a_built_in_ask_of_a_call_is_lifted_by_an_allow_that_names_it if {
	said(_guarded_agent("ask"), rules([])) == ["ask", "protection"]
	said(_guarded_agent("ask"), rules([allow(tool("Agent"))])) == ["allow", "rule"]
	said(_guarded_agent("ask"), rules([allow(agent("reviewer"))])) == ["allow", "rule"]
}

# [s:protect.remote]
test_a_built_in_ask_of_a_call_is_not_lifted_by_groups_and_patterns if {
	said(_guarded_agent("ask"), rules([allow(group("agent"))])) == ["ask", "protection"]
	said(_guarded_agent("ask"), rules([allow(tools_like("*", "", ""))])) == ["ask", "protection"]
}

test_a_built_in_ask_of_a_call_is_not_lifted_by_an_untrusted_allow if {
	said(_guarded_agent("ask"), untrusted([allow(tool("Agent"))])) == ["ask", "protection"]
	said(_guarded_agent("ask"), untrusted([from("user", allow(tool("Agent")))])) == ["allow", "rule"]
}

# [s:order.allow-over-builtin-ask]
test_a_built_in_ask_of_a_path_is_lifted_by_an_allow_of_the_write if {
	facts := writing(protected("ask", path("CLAUDE.md")))
	said(facts, rules([])) == ["ask", "protection"]
	said(facts, rules([allow(write("CLAUDE.md"))])) == ["allow", "rule"]
	said(facts, rules([allow(read("CLAUDE.md"))])) == ["ask", "protection"]
}

test_a_firm_ask_of_a_path_is_lifted_by_no_allow if {
	access := protected("ask", path("CLAUDE.md"))
	facts := writing(object.union(access, {"protection": object.union(access.protection, {"firm": true})}))
	said(facts, rules([allow(write("CLAUDE.md"))])) == ["ask", "protection"]
}

test_a_built_in_ask_of_a_path_is_not_lifted_by_an_untrusted_allow if {
	facts := writing(protected("ask", path("CLAUDE.md")))
	said(facts, untrusted([allow(write("CLAUDE.md"))])) == ["ask", "protection"]
}

# [s:protect.ask-outside]
test_a_built_in_ask_about_a_place_outside_is_lifted_by_a_path_and_not_by_a_name if {
	facts := writing(protected("ask", path("/home/a/x")))
	said(facts, rules([allow(tool("Write"))])) == ["ask", "protection"]
	said(facts, rules([allow(write("//home/a"))])) == ["allow", "rule"]
}

test_an_ask_that_is_left_keeps_the_whole_call_from_being_allowed if {
	facts := call("Write", "edit", {"writes": [path("a.ts"), protected("ask", path("/home/a/x"))]})
	said(facts, rules([allow(write("/**"))])) == ["ask", "protection"]
}

test_protection_of_a_path_is_shown_with_the_path_and_that_of_a_call_with_the_tool if {
	facts := call("Write", "edit", {"writes": [protected("ask", path("a.md"))], "protections": [guard("deny")]})
	answer(facts, rules([])).protections == {
		{"effect": "ask", "name": "a protected path", "on": "a.md", "remedy": "leave it"},
		{"effect": "deny", "name": "a guard", "on": "Write", "remedy": "leave it"},
	}
}

test_what_our_own_table_says_is_not_shown_as_protection if {
	answer(asking_us("status", "allow"), rules([])).protections == set()
	answer(asking_us("force_transition", "none"), rules([])).protections == set()
}
