# Custom policies: their decisions, made whole. One that is malformed is a deny and hides no other.
package modes

# METADATA
# description: Every decision of a custom policy in the form of the verdict.
policies contains {
	"name": decision.name,
	"effect": _policy_effect(decision),
	"reason": _policy_reason(decision),
	"remedy": _policy_remedy(decision),
	"file": decision.file,
	"line": decision.line,
} if {
	some decision in data.modes.custom.decisions
}

# METADATA
# description: A value is a text, or an object with a text as reason and perhaps one as remedy.
_is_wellformed(value) if is_string(value)

_is_wellformed(value) if {
	is_string(value.reason)
	object.keys(value) - {"reason", "remedy"} == set()
	is_string(object.get(value, "remedy", ""))
}

_policy_effect(decision) := decision.effect if _is_wellformed(decision.value)

_policy_effect(decision) := "deny" if not _is_wellformed(decision.value)

_policy_reason(decision) := decision.value if is_string(decision.value)

_policy_reason(decision) := decision.value.reason if {
	not is_string(decision.value)
	_is_wellformed(decision.value)
}

_policy_reason(decision) := concat("", [
	"the ",
	decision.effect,
	" decision of the policy ",
	decision.name,
	" is neither a text nor an object with a reason (",
	decision.file,
	":",
	format_int(decision.line, 10),
	")",
]) if not _is_wellformed(decision.value)

_policy_remedy(decision) := decision.value.remedy if {
	_is_wellformed(decision.value)
	is_string(decision.value.remedy)
} else := "Mend the policy." if {
	not _is_wellformed(decision.value)
} else := null

# METADATA
# description: >-
#   What an allow of a custom policy is worth: as much as one of the project's rules.
default _policy_strength := 0

_policy_strength := 2 if {
	_policies_allow
	data.rules.trusted
}

_policy_strength := 1 if {
	_policies_allow
	not data.rules.trusted
}

_policies_allow if {
	some policy in policies
	policy.effect == "allow"
}
