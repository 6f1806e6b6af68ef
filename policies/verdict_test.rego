# The order: each step, with everything that comes after it present too.
package modes_verdict_test

import data.modes

_rules := {
	"effect": {"d": "deny", "s": "ask", "a": "allow"},
	"strength": {"a": 2},
	"naming": {},
	"only": {},
	"lifts": {"deny": 3},
	"trusted": true,
	"guards_writes": 1,
	"tools": {"exact": {"denied": ["d"], "asked": ["s"], "allowed": ["a"]}},
	"commands": {"open": {"": ["d"]}},
}

_protection(effect) := {"effect": effect, "name": "n", "reason": "r", "remedy": "m"}

_part := {"kind": "tool", "command": null, "class": "unknown"}

_call(keys, protections, parts) := {
	"tool": {"name": "X", "group": "other", "keys": keys},
	"protections": [_protection(effect) | some effect in protections],
	"may_write_anywhere": parts,
}

_policy(effect) := {"name": "p", "effect": effect, "value": "v", "file": "f", "line": 1}

_outcome(call, effects, rules) := [verdict.verdict, verdict.by] if {
	verdict := modes.verdict with input as call with data.rules as rules
		with data.modes.custom.decisions as {_policy(effect) | some effect in effects}
}

_all := ["denied", "asked", "allowed"]

# [s:order.deny-first]
test_deny_by_rule_comes_first if _outcome(_call(_all, ["deny", "ask"], [_part]), ["deny", "ask", "allow"], _rules) == ["deny", "rule"]

test_then_protection_that_denies if _outcome(_call(["asked", "allowed"], ["deny", "ask"], [_part]), ["deny"], _rules) == ["deny", "protection"]

test_then_deny_by_policy if _outcome(_call(["asked", "allowed"], ["ask"], [_part]), ["deny", "ask"], _rules) == ["deny", "policy"]

# [s:order.ask-under-deny]
test_then_a_default_of_deny_that_no_allow_lifts if {
	_outcome(_call(["asked", "allowed"], [], null), ["ask", "allow"], _rules) == ["deny", "default"]
	_outcome(_call(["asked", "allowed"], ["ask"], null), ["ask", "allow"], _rules) == ["deny", "protection"]
	_outcome(_call(["asked", "allowed"], ["ask"], [_part]), ["ask", "allow"], _rules) == ["deny", "uncertainty"]
	_outcome(_open_call, ["allow"], _rules) == ["deny", "default"]
}

_pass := object.union(_rules, {"lifts": {"deny": 2}})

# [s:order.ask-over-allow]
test_then_ask_by_rule if _outcome(_call(["asked", "allowed"], ["ask"], [_part]), ["ask", "allow"], _pass) == ["ask", "rule"]

test_then_ask_by_policy if _outcome(_call(["allowed"], ["ask"], [_part]), ["ask", "allow"], _pass) == ["ask", "policy"]

_open_call := object.union(_call(["allowed"], [], null), {"bash": {"commands": [{"text": "$X", "keys": [], "allow_keys": [], "open_prefixes": [""]}]}})

test_then_a_rule_that_an_unknown_word_could_complete if {
	rules := object.union(_undenied, {"tools": {"exact": {"allowed": ["a"]}}})
	_outcome(_open_call, ["allow"], rules) == ["ask", "open"]
}

# [s:order.allow-over-builtin-ask]
test_then_allow if _outcome(_call(["allowed"], [], null), [], _pass) == ["allow", "rule"]

test_an_allow_is_a_pass_with_an_extra_parameter if {
	_outcome(object.union(_call(["allowed"], [], null), {"tool": {"extra": ["new"]}}), [], _pass) == ["pass", "rule"]
}

test_then_uncertainty if {
	_outcome(_call(["allowed"], ["ask"], [_part]), [], _pass) == ["ask", "uncertainty"]
	_outcome(_call([], ["ask"], [_part]), [], _pass) == ["deny", "uncertainty"]
}

test_then_protection_that_asks if {
	_outcome(_call(["allowed"], ["ask"], null), [], _pass) == ["ask", "protection"]
	_outcome(_call([], ["ask"], null), [], _pass) == ["deny", "protection"]
}

_undenied := object.union(object.remove(_rules, ["lifts"]), {"lifts": object.remove(_rules.lifts, ["deny"])})

test_then_the_default if {
	_outcome(_call([], [], null), [], _pass) == ["deny", "default"]
	_outcome(_call([], [], null), [], object.union(_undenied, {"lifts": {"ask": 1}})) == ["ask", "default"]
	_outcome(_call([], [], null), [], _undenied) == ["pass", "default"]
}

test_a_stronger_default_beats_a_weaker_allow if _outcome(_call(["allowed"], [], null), [], _rules) == ["deny", "default"]

_own(protections) := object.union(_call([], protections, null), {"tool": {"group": "own"}})

test_own_tools_follow_their_table if {
	_outcome(_own(["allow"]), [], _rules) == ["allow", "protection"]
	_outcome(_own(["none"]), [], _rules) == ["pass", "protection"]
	_outcome(_own([]), [], _rules) == ["pass", "protection"]
	_outcome(_own(["deny"]), [], _rules) == ["deny", "protection"]
}
