package modes_test

_decision_shown(value) := shown if {
	some shown in answer_with(reading(path("a.ts")), rules([]), {decided("ask", value)}).policies
}

test_a_text_is_the_reason_of_a_decision if {
	_decision_shown("sure?") == {"name": "own", "effect": "ask", "reason": "sure?", "remedy": null, "file": "own.rego", "line": 7}
}

test_an_object_gives_a_reason_and_perhaps_a_remedy if {
	_decision_shown({"reason": "late"}) == {"name": "own", "effect": "ask", "reason": "late", "remedy": null, "file": "own.rego", "line": 7}
	_decision_shown({"reason": "late", "remedy": "wait"}) == {
		"name": "own",
		"effect": "ask",
		"reason": "late",
		"remedy": "wait",
		"file": "own.rego",
		"line": 7,
	}
}

test_a_malformed_decision_is_a_deny_whatever_it_was_to_be if {
	every value in [true, 1, null, ["x"], {}, {"reason": 1}, {"remedy": "x"}, {"reason": "x", "more": 1}, {"reason": "x", "remedy": 1}] {
		every effect in ["deny", "ask", "allow"] {
			said_with(reading(path("a.ts")), rules([]), {decided(effect, value)}) == ["deny", "policy"]
		}
	}
}

test_a_malformed_decision_names_its_file_and_line if {
	shown := _decision_shown({"remedy": "x"})
	contains(shown.reason, "the ask of the policy own (own.rego:7)")
	[shown.file, shown.line] == ["own.rego", 7]
}

test_a_malformed_decision_hides_no_other if {
	decisions := {decided("deny", 1), decided("ask", "sure?"), decided("allow", {"reason": "yes"})}
	found := answer_with(reading(path("a.ts")), rules([]), decisions).policies
	count(found) == 3
	{decision.reason | some decision in found; decision.effect != "deny"} == {"sure?", "yes"}
}

test_two_decisions_that_differ_in_place_alone_are_both_shown if {
	decisions := {decided("deny", "no"), object.union(decided("deny", "no"), {"line": 8})}
	count(answer_with(reading(path("a.ts")), rules([]), decisions).policies) == 2
}

test_an_allow_of_a_policy_allows_the_whole_call if {
	said_with(reading(path("a.ts")), rules([]), {decided("allow", "yes")}) == ["allow", "policy"]
	said_with(shell([nested("date")]), rules([]), {decided("allow", "yes")}) == ["allow", "policy"]
}

test_an_allow_by_rule_is_named_before_one_of_a_policy if {
	said_with(reading(path("a.ts")), rules([allow(tool("Read"))]), {decided("allow", "yes")}) == ["allow", "rule"]
}

test_an_allow_of_a_policy_settles_no_built_in_ask if {
	facts := writing(protected("ask", path("CLAUDE.md")))
	said_with(facts, rules([]), {decided("allow", "yes")}) == ["ask", "protection"]
}

test_a_deny_of_a_policy_meets_our_own_tools if {
	said_with(asking_us("status", "allow"), rules([]), {decided("deny", "no")}) == ["deny", "policy"]
}
