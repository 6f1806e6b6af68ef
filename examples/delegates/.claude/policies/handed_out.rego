# METADATA
# title: Files and commands of delegates
# description: |
#   The files that a delegate reads go to another model. Two of the three delegates must only read, although each starts a shell. Rules
#   name files and commands. Only a policy can check where a file is, or the class of a command, for a single tool.
# scope: package
package modes.policy.handed_out

# METADATA
# description: Classes of commands that each delegate may start. A rule asks about the third delegate.
_runs := {
	"mcp__modagent__junior-r": {"read-only"},
	# It runs a command twice, so nothing that changes files. Rules name the tests and linters.
	"mcp__modagent__logworm": {"read-only", "runs"},
}

deny contains {"reason": $"{read.path} is outside the project", "remedy": remedy} if {
	startswith(input.tool.name, "mcp__modagent__")
	some read in input.reads
	read.root == "outside"
	remedy := "Read it yourself, and put what the delegate needs to know into the prompt."
}

deny contains {"reason": $"{input.tool.name} only reads: {command.text}", "remedy": remedy} if {
	allowed := _runs[input.tool.name]
	some command in input.bash.commands
	not command.class in allowed
	remedy := "Run it yourself, and give its output to the delegate."
}

# A command line that cannot be parsed has no commands.
deny contains {"reason": $"{input.tool.name} only reads, and its command cannot be analyzed", "remedy": remedy} if {
	allowed := _runs[input.tool.name]
	class := input.bash.class
	not class in allowed
	remedy := "Run it yourself, and give its output to the delegate."
}
