# Commands: rules that meet the simple commands of a call.
package modes

# METADATA
# description: For each command the deny and ask rules that meet it, by any of its spellings.
_commands_denied := [union({
	{id | some text in command.spellings; some id in tables.exact[text]},
	{id | some prefix in command.prefixes; some id in tables.prefix[prefix]},
	{guard.id |
		some guard in _guards(tables, command.prefixes)
		some text in command.spellings
		_text_meets(guard, text)
	},
	{id | some id in tables.class[command.class]},
	{id | command.network; some id in tables.class.network},
	{id | some id in tables.every},
}) |
	some command in input.bash.commands
	tables := data.rules.commands.narrow
]

# METADATA
# description: >-
#   For each command the allow rules that cover running it. A text covers only a top-level command whose word is known. The
#   classes read-only and writes cover what does not use the network; network covers what else would be one of them.
_commands_allowed := [union({
	{id | command.top; command.name != ""; some id in tables.exact[command.text]},
	{id | command.top; command.name != ""; some prefix in command.allow_prefixes; some id in tables.prefix[prefix]},
	{guard.id |
		command.top
		command.name != ""
		some guard in _guards(tables, command.allow_prefixes)
		_text_meets(guard, command.text)
	},
	{id | some id in tables.class[_class_to_allow(command)]},
	{id | some id in tables.every},
}) |
	some command in input.bash.commands
	tables := data.rules.commands.wide
]

# METADATA
# description: What a class rule must say to allow the command.
_class_to_allow(command) := "network" if {
	command.network
	command.class in {"read-only", "writes"}
} else := command.class

# METADATA
# description: Patterns that a text with these word prefixes could meet.
_guards(tables, prefixes) := array.concat(
	[guard | some guard in tables.guarded[""]],
	[guard | some prefix in prefixes; some guard in tables.guarded[prefix]],
)

# METADATA
# description: The text begins with the head and, where that does not say it all, meets the expression.
_text_meets(guard, text) if {
	startswith(text, guard.head)
	_expression_meets(guard.expression, text)
}

_expression_meets(expression, _) if expression == ""

_expression_meets(expression, text) if {
	expression != ""
	regex.match(expression, text)
}

hits contains {"id": id, "on": command.text, "command": i, "via": ""} if {
	some i, command in input.bash.commands
	some id in _commands_denied[i]
	_counts_for_tool(id)
}

hits contains {"id": id, "on": command.text, "command": i, "via": ""} if {
	some i, command in input.bash.commands
	some id in _commands_allowed[i]
	_counts_for_tool(id)
}

# METADATA
# description: Deny and ask rules that a word whose value is not known could complete.
_open contains {"id": id, "on": command.text, "command": i, "via": "an unknown word"} if {
	some i, command in input.bash.commands
	some prefix in command.open_prefixes
	some id in data.rules.commands.narrow.open[prefix]
	_counts_for_tool(id)
}

_open contains {"id": guard.id, "on": command.text, "command": i, "via": "an unknown word"} if {
	some i, command in input.bash.commands
	some prefix in command.open_prefixes
	some guard in _guards(data.rules.commands.narrow, command.prefixes)
	startswith(prefix, guard.head)
	_counts_for_tool(guard.id)
}

hits contains hit if some hit in _open

# METADATA
# description: How strongly running each command is allowed.
_command_coverage := [max({0, _every_command} | {data.rules.strength[id] | some id in ids; _counts_for_tool(id)}) |
	some ids in _commands_allowed
]

# METADATA
# description: A tool for commands, allowed by name, may run all of them.
default _every_command := 0

_every_command := tool_strength if input.tool.group == "command"

# METADATA
# description: A part without a command of its own is allowed by its class, or with every command.
_part_strengths contains strength if {
	some part in input.may_write_anywhere
	part.kind == "command"
	part.command == null
	strength := max({0, _every_command} | {data.rules.strength[id] | some id in _part_rules(part)})
}

# METADATA
# description: Allow rules that cover a part without a command.
_part_rules(part) := union({
	{id | some id in data.rules.commands.wide.class[part.class]},
	{id | some id in data.rules.commands.wide.every},
})
