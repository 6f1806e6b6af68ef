# Commands: rules that match the simple commands of a call.
package modes

# METADATA
# description: Deny and ask rules that match any spelling of a command or its class, as [index of the command, rule].
_refused contains [i, id] if {
	table := data.rules.commands.keys
	some i, command in input.bash.commands
	some key in command.keys
	some id in table[key]
	_counts_here(id)
}

# METADATA
# description: Patterns that cannot be looked up by a key alone.
_refused contains [i, guard.id] if {
	table := data.rules.commands.guarded
	some i, command in input.bash.commands
	some key in command.keys
	some guard in table[key]
	some text in command.spellings
	_text_meets(guard, text)
	_counts_here(guard.id)
}

# METADATA
# description: Allow rules that cover running a command, by the index of the command.
_runnable[i] contains id if {
	table := data.rules.allowed.keys
	some i, command in input.bash.commands
	some key in command.allow_keys
	some id in table[key]
	_counts_here(id)
}

# METADATA
# description: >-
#   Patterns that cannot be looked up by a key alone. Like the keys, they match only a top-level command with a known command
#   word.
_runnable[i] contains guard.id if {
	table := data.rules.allowed.guarded
	some i, command in input.bash.commands
	command.top
	command.name != ""
	some key in command.allow_keys
	some guard in table[key]
	_text_meets(guard, command.text)
	_counts_here(guard.id)
}

# METADATA
# description: The text begins with the head and matches the expression, if there is one.
_text_meets(guard, text) if {
	startswith(text, guard.head)
	_expression_meets(guard.expression, text)
}

# METADATA
# description: There is no expression, or the expression matches the whole text.
_expression_meets(expression, text) if {
	expression == ""
} else if {
	regex.match(expression, text)
}

# METADATA
# description: Deny and ask rules on a command.
hits contains {"id": id, "on": input.bash.commands[i].text, "command": i, "via": ""} if {
	input.bash
	some [i, id] in _refused
	not _lifts("commands", i, id)
}

# METADATA
# description: Deny and ask rules for a class, or for every command, match a part without its own command, such as invalid text.
hits contains {"id": id, "on": concat(" ", ["text of class", part.class]), "command": null, "via": ""} if {
	some at, part in input.may_write_anywhere
	part.kind == "command"
	part.command == null
	some key in [concat("", ["@", part.class]), "*"]
	some id in data.rules.commands.keys[key]
	_counts_here(id)
	not _lifts("parts", at, id)
}

# METADATA
# description: Allow rules on a command.
hits contains {"id": id, "on": input.bash.commands[i].text, "command": i, "via": ""} if {
	input.bash
	some i, ids in _runnable
	some id in ids
}

# METADATA
# description: Deny and ask rules that could match, depending on a word with an unknown value.
_open contains {"id": id, "on": command.text, "command": i, "via": "an unknown word"} if {
	some i, command in input.bash.commands
	some prefix in command.open_prefixes
	some id in data.rules.commands.open[prefix]
	_counts_here(id)
	not _lifts("commands", i, id)
}

# METADATA
# description: The same for patterns with a head that is shorter than the known words.
_open contains {"id": guard.id, "on": command.text, "command": i, "via": "an unknown word"} if {
	some i, command in input.bash.commands
	some prefix in command.open_prefixes
	some key in command.keys
	some guard in data.rules.commands.guarded[key]
	startswith(prefix, guard.head)
	_counts_here(guard.id)
	not _lifts("commands", i, guard.id)
}

# METADATA
# description: Deny and ask rules that could match a part that can do anything a command can.
_open contains {"id": id, "on": _text_of(part), "command": part.command, "via": "an unknown word"} if {
	some at, part in input.may_write_anywhere
	part.anything
	some id in data.rules.commands.open[""]
	_counts_here(id)
	not _lifts("parts", at, id)
}

# METADATA
# description: The text of the command that a part belongs to.
_text_of(part) := input.bash.commands[part.command].text if {
	is_number(part.command)
} else := concat(" ", ["text of class", part.class])

# METADATA
# description: A command that no allow rule of this strength covers.
_is_uncovered(strength) if {
	some i, _ in input.bash.commands
	not _may_run(i, strength)
	not _may_run_all(strength)
}

# METADATA
# description: An allow rule of this strength, or a grant, covers the command.
_may_run(i, strength) if {
	some id in _runnable[i]
	data.rules.strength[id] >= strength
} else if {
	_is_granted("commands", i, strength)
}

# METADATA
# description: If a tool for commands is allowed by name, it may run all commands.
_may_run_all(strength) if {
	input.tool.group == "command"
	_is_allowed_by_name(strength)
}

# METADATA
# description: A part without its own command. It needs an allow rule for its class or for every command.
_is_uncovered(strength) if {
	some at, part in input.may_write_anywhere
	part.kind == "command"
	part.command == null
	not _is_granted("parts", at, strength)
	not _may_run_class(part.class, strength)
	not _may_run_all(strength)
}

# METADATA
# description: An allow rule of this strength covers the class, or every command.
_may_run_class(class, strength) if {
	some key in [concat("", ["@", class]), "*"]
	some id in data.rules.allowed.keys[key]
	data.rules.strength[id] >= strength
}
