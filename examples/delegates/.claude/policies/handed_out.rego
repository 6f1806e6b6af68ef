# METADATA
# title: What delegates are given, and what they run
# description: |
#   What a delegate reads goes to another model, and two of the three only read, whatever the shell that they start could do. Rules name
#   files and commands; where a file lies, and what kind of command a tool starts, only a policy can say of one tool alone.
# scope: package
package modes.policy.handed_out

# METADATA
# description: Kinds of commands that each may start. The third is asked about by rule.
_runs := {
	"mcp__modagent__junior-r": {"read-only"},
	# Twice, so nothing that changes files; tests and linters are named by rules.
	"mcp__modagent__logworm": {"read-only", "runs"},
}

deny contains {"reason": $"{read.path} is outside the project", "remedy": remedy} if {
	startswith(input.tool.name, "mcp__modagent__")
	some read in input.reads
	read.root == "outside"
	remedy := "Read it yourself, and say in the prompt what the delegate has to know of it."
}

deny contains {"reason": $"{input.tool.name} only reads: {command.text}", "remedy": remedy} if {
	allowed := _runs[input.tool.name]
	some command in input.bash.commands
	not command.class in allowed
	remedy := "Run it yourself, and give the delegate what it printed."
}

# What cannot be taken apart has no commands.
deny contains {"reason": $"{input.tool.name} only reads, and what it would run is not known", "remedy": remedy} if {
	allowed := _runs[input.tool.name]
	class := input.bash.class
	not class in allowed
	remedy := "Run it yourself, and give the delegate what it printed."
}
