# METADATA
# title: The order
# description: deny > ask by rule > allow > ask by uncertainty or built-in ask > default.
package modes

# METADATA
# title: Verdict
# description: What the policy says of a call, which step of the order said it, and everything that was met.
# entrypoint: true
verdict := {
	"verdict": _decision.verdict,
	"by": _decision.by,
	"hits": hits,
	"unnamed": unnamed,
	"protections": protections,
	"policies": policies,
}

# METADATA
# description: Effects of the rules that meet the call; what an unknown word could complete is an ask.
_effects contains data.rules.effect[hit.id] if {
	some hit in hits
	not hit in _open
}

# METADATA
# description: Effects of the protections that are met.
_protection_effects := {met.effect | some met in protections}

# METADATA
# description: Effects of the custom policies' decisions.
_policy_effects := {policy.effect | some policy in policies}

# METADATA
# description: The first step of the order that says something.
_decision := {"verdict": "deny", "by": "rule"} if {
	"deny" in _effects
} else := {"verdict": "deny", "by": "protection"} if {
	"deny" in _protection_effects
} else := {"verdict": "deny", "by": "policy"} if {
	"deny" in _policy_effects
} else := {"verdict": "ask", "by": "rule"} if {
	"ask" in _effects
} else := {"verdict": "ask", "by": "policy"} if {
	"ask" in _policy_effects
} else := {"verdict": "ask", "by": "open"} if {
	count(_open) > 0
} else := {"verdict": _own_verdict, "by": "protection"} if {
	_own_tool
} else := {"verdict": _allow_or_pass, "by": _allowed_by} if {
	_is_allowed
} else := {"verdict": _ask_or_deny, "by": "uncertainty"} if {
	count(unnamed) > 0
} else := {"verdict": _ask_or_deny, "by": "protection"} if {
	"ask" in _protection_effects
} else := {"verdict": default_value, "by": "default"}

# METADATA
# description: >-
#   Our own tools follow their table: an allow is printed, anything else leaves the client to ask.
default _own_verdict := "pass"

_own_verdict := "allow" if {
	some met in input.protections
	met.effect == "allow"
}

# METADATA
# description: >-
#   Every part of the call is allowed by a trusted rule or policy, every part that may write anywhere is named, no built-in
#   ask is left, and no default asks for a stronger allow.
_is_allowed if {
	strength >= _trusted_strength
	default_value == "pass"
	count(unnamed) == 0
	count(protections) == 0
}

# METADATA
# description: A parameter that the tool's table does not know, or that loosens the client, leaves the call to the client's own rules.
default _allow_or_pass := "allow"

_allow_or_pass := "pass" if count(input.tool.extra) > 0

# METADATA
# description: Whether rules or only a custom policy allow.
default _allowed_by := "rule"

_allowed_by := "policy" if {
	_policy_strength > 0
	not "allow" in _effects
}

# METADATA
# description: Where the default is deny, what is uncertain is not asked.
default _ask_or_deny := "ask"

_ask_or_deny := "deny" if default_value == "deny"
