# Tools, agents, skills, parameters: rules that match a call by the names in it.
package modes

# METADATA
# description: Rules that match the name of the tool or of its server.
_named contains id if {
	table := data.rules.tools.exact
	some key in input.tool.keys
	some id in table[key]
	_is_reached_by(id, key)
}

# METADATA
# description: Patterns of names.
_named contains guard.id if {
	table := data.rules.tools.guarded
	some key in array.concat(input.tool.keys, ["*"])
	some guard in table[key]
	_text_meets(guard, input.tool.name)
	_is_reached_by(guard.id, "")
}

# METADATA
# description: If a name may belong to several servers, deny and ask rules match it for each of them.
_named contains id if {
	table := data.rules.tools.exact
	some key in input.tool.narrow_keys
	some id in table[key]
	data.rules.effect[id] != "allow"
	_is_reached_by(id, key)
}

# METADATA
# description: The same for patterns of names.
_named contains guard.id if {
	table := data.rules.tools.guarded
	some key in input.tool.narrow_keys
	some guard in table[key]
	data.rules.effect[guard.id] != "allow"
	_text_meets(guard, input.tool.name)
	_is_reached_by(guard.id, "")
}

# METADATA
# description: Keys by which deny and ask rules are looked up.
_narrow_keys contains key if some key in input.tool.keys

_narrow_keys contains key if some key in input.tool.narrow_keys

# METADATA
# description: Groups of tools.
_named contains id if {
	some id in data.rules.tools.group[input.tool.group]
	_is_reached_by(id, "")
}

# METADATA
# description: The agent that is started.
_named contains id if {
	some name in input.agents
	some id in data.rules.agents.exact[name]
}

# METADATA
# description: The skill that is used.
_named contains id if {
	some name in input.skills
	some id in data.rules.skills.exact[name]
}

# METADATA
# description: Patterns of agents.
_named contains guard.id if {
	some name in input.agents
	some guard in data.rules.agents.guarded["*"]
	_text_meets(guard, name)
}

# METADATA
# description: Patterns of skills.
_named contains guard.id if {
	some name in input.skills
	some guard in data.rules.skills.guarded["*"]
	_text_meets(guard, name)
}

# METADATA
# description: >-
#   Rules by name apply to all calls, with two exceptions. Modes' own tools are matched only by their full name, and only by
#   deny and ask rules. Calls that touch only the session's own files are not matched at all.
_is_reached_by(id, key) if {
	input.tool.group != "own"
	not _touches_only_own_files
} else if {
	input.tool.group == "own"
	key == input.tool.name
	data.rules.effect[id] != "allow"
}

# METADATA
# description: A reading or writing tool touches the session's own files and nothing else.
_touches_only_own_files if {
	_is_access_group(input.tool.group)
	_touches_own_files
	not _touches_others
}

# METADATA
# description: Groups of tools whose effects are completely known from their reads and writes.
_is_access_group("read")

_is_access_group("edit")

# METADATA
# description: Some access is to one of the session's own files.
_touches_own_files if {
	some access in input.writes
	_is_own(access)
} else if {
	some access in input.reads
	_is_own(access)
}

# METADATA
# description: Some access is to another file.
_touches_others if {
	some access in input.writes
	not _is_own(access)
} else if {
	some access in input.reads
	not _is_own(access)
}

# METADATA
# description: Rules on the call by name.
hits contains {"id": id, "on": input.tool.name, "command": null, "via": ""} if {
	some id in _named
	not _lifts_call(id)
}

# METADATA
# description: Rules on a parameter match a call that has it.
hits contains {"id": id, "on": on, "command": null, "via": ""} if {
	some param, value in input.tool.params
	some key in _narrow_keys
	some id in data.rules.params[key][param].exact[value]
	not _lifts_call(id)
	on := concat("", [param, ": ", value])
}

# METADATA
# description: Patterns of values.
hits contains {"id": guard.id, "on": on, "command": null, "via": ""} if {
	some param, value in input.tool.params
	some key in _narrow_keys
	some guard in data.rules.params[key][param].guarded
	_text_meets(guard, value)
	not _lifts_call(guard.id)
	on := concat("", [param, ": ", value])
}

# METADATA
# description: A value that is too long to be stored whole counts as a match if it begins like the pattern.
hits contains {"id": guard.id, "on": param, "command": null, "via": ""} if {
	some param in input.tool.cut
	some key in _narrow_keys
	some guard in data.rules.params[key][param].guarded
	startswith(input.tool.params[param], guard.head)
	not _lifts_call(guard.id)
}

# METADATA
# description: An allow rule of this strength, or a grant, names the tool, its group, or what it starts.
_is_allowed_by_name(strength) if {
	some id in _named
	data.rules.strength[id] >= strength
} else if {
	input.granted.tool
	_is_in_reach(strength)
}

# METADATA
# description: The tool itself must be allowed by name, unless its effects are known from its accesses.
_is_uncovered(strength) if {
	not _is_known_by_accesses
	not _is_allowed_by_name(strength)
}

# METADATA
# description: The tool itself may write anywhere, so its commands are only a part of what it does.
_does_more if {
	some part in input.may_write_anywhere
	part.kind == "tool"
}

# METADATA
# description: The tool has at least one access and does nothing else.
_is_known_by_accesses if {
	_is_access_group(input.tool.group)
	some _ in input.writes
} else if {
	_is_access_group(input.tool.group)
	some access in input.reads
	not _is_implied(access)
} else if {
	input.tool.group == "command"
	some _ in input.bash.commands
	not _does_more
} else if {
	input.tool.name == "WebFetch"
	some _ in input.domains
}
