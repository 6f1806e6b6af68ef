# METADATA
# title: No secrets in files
# description: Denies calls with content or a command that contains something like a key or token.
# scope: package
# custom:
#   remedy: Read it from the environment or from a secret store, and write only its name.
package modes.policy.secrets

# METADATA
# description: Patterns of secrets (RE2), by kind. Keep a pattern specific, or it matches ordinary text.
_patterns := {
	"an AWS access key": `\bAKIA[0-9A-Z]{16}\b`,
	"a private key": `-----BEGIN [A-Z ]*PRIVATE KEY-----`,
	"a GitHub token": `\bgh[pousr]_[A-Za-z0-9]{36}\b`,
	"a Slack token": `\bxox[abprs]-[A-Za-z0-9-]{10,}`,
	"a Stripe key": `\b[rs]k_live_[A-Za-z0-9]{16,}`,
}

deny contains $"the {name} of this call contains {what}" if {
	some name, text in _written
	some what, pattern in _patterns
	regex.match(pattern, text)
}

# METADATA
# description: Everything that the call would write or run, by the name of its parameter.
_written[name] := text if {
	some name in ["content", "new_string", "new_source", "command"]
	text := input.tool.input[name]
	is_string(text)
}

_written["edits"] := concat("\n", texts) if {
	texts := [edit.new_string | some edit in input.tool.input.edits; is_string(edit.new_string)]
}
