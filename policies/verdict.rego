# METADATA
# title: The order
# description: >-
#   deny by rule, protection or policy > default deny if no allow covers the call > ask by rule, by policy or by an unknown word
#   > allow > ask by uncertainty or by protection > default
package modes

# METADATA
# title: Verdict
# description: >-
#   The verdict on a call, the step of the order that gave it, and everything that matched. If the input is not a call, it is
#   undefined, and the caller denies.
# entrypoint: true
verdict := {
	"verdict": _decision[0],
	"by": _decision[1],
	"hits": _shown_hits,
	"unnamed": unnamed,
	"protections": protections,
	"policies": policies,
} if {
	is_object(input.tool)
}

# METADATA
# description: >-
#   The first step of the order that applies, and its outcome. A call that would be denied without any ask stays denied, so an
#   ask never makes a call less strict.
_decision := ["deny", "rule"] if {
	_is_met("deny")
} else := ["deny", "protection"] if {
	some met in protections
	met.effect == "deny"
} else := ["deny", "policy"] if {
	_policies_say("deny")
} else := _without_asks if {
	_without_asks[0] == "deny"
} else := ["ask", "rule"] if {
	_is_met("ask")
} else := ["ask", "policy"] if {
	_policies_say("ask")
} else := ["ask", "open"] if {
	count(_open) > 0
} else := _without_asks

# METADATA
# description: The outcome if no deny and no ask matched the call.
_without_asks := [_own_verdict, "protection"] if {
	input.tool.group == "own"
} else := [_allow_or_pass, _allowed_by] if {
	_is_allowed
} else := [_ask_or_deny, "uncertainty"] if {
	some _ in unnamed
} else := [_ask_or_deny, "protection"] if {
	some _ in protections
} else := [_default, "default"]

# METADATA
# description: >-
#   Rules that could match through an unknown word are shown too. They did not match the call, so they do not count as hits.
_shown_hits := hits | _open if {
	count(_open) > 0
} else := hits

# METADATA
# description: A rule with this effect matches the call.
_is_met(effect) if effect in _effects

# METADATA
# description: Effects of the rules that match the call.
_effects contains data.rules.effect[hit.id] if some hit in hits

# METADATA
# description: A custom policy has this decision.
_policies_say(effect) if {
	some policy in policies
	policy.effect == effect
	not _lifts_policy(policy)
}

# METADATA
# description: >-
#   Trusted rules allow every part of the call. Every part that may write anywhere is named, no built-in ask is left, and no
#   default needs a stronger allow.
_is_allowed if {
	_is_allowed_at(2)
	count(unnamed) == 0
	count(protections) == 0
	_default == "pass"
}

# METADATA
# description: >-
#   The call is left to the client's own rules if it has a parameter that the tool's table does not have, or that weakens the
#   client's checks. The same applies if it needs a grant.
default _allow_or_pass := "allow"

_allow_or_pass := "pass" if {
	some _ in input.tool.extra
} else := "pass" if {
	input.granted
	not _is_allowed_by_organisation
}

# METADATA
# description: >-
#   The source of the allow: rules, or only a custom policy.
default _allowed_by := "rule"

_allowed_by := "policy" if {
	_policies_say("allow")
	_is_uncovered(2)
}

# METADATA
# description: Modes' own tools follow their table. It allows a call or leaves the question to the client.
default _own_verdict := "pass"

_own_verdict := "allow" if {
	some met in input.protections
	met.effect == "allow"
}

# METADATA
# description: If the default is deny, an uncertain call is denied and not asked about.
default _ask_or_deny := "ask"

_ask_or_deny := "deny" if _default == "deny"
