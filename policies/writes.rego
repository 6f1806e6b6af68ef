# Writes: rules that match the writes of a call, by any tool.
package modes

# METADATA
# description: >-
#   Rules that match a write, by the index of the write, as [index of its name, rule]. A name is looked up by its keys.
_written[i] contains [at, id] if {
	table := data.rules.writes.keys
	some i, access in input.writes
	some at, name in array.concat(access.names, access.below)
	some key in name.keys
	some id in table[key]
	_counts(id, access)
}

# METADATA
# description: The root itself cannot be written, so a rule for everything below it allows it.
_written[i] contains [at, id] if {
	table := data.rules.writes.keys
	some i, access in input.writes
	access.deep
	some at, name in access.names
	name.path == ""
	some id in table["<"]
	data.rules.effect[id] == "allow"
	_counts(id, access)
}

# METADATA
# description: A component anywhere below a literal folder.
_written[i] contains [at, id] if {
	table := data.rules.writes.within
	some i, access in input.writes
	some at, name in array.concat(access.names, access.below)
	some folder in name.keys
	components := table[folder]
	some key in name.keys
	some id in components[key]
	_counts(id, access)
}

# METADATA
# description: >-
#   Patterns that cannot be looked up by a key alone. They are found by a literal folder, and checked by a literal text first.
_written[i] contains [at, guard.id] if {
	table := data.rules.writes.guarded
	some i, access in input.writes
	some at, name in array.concat(access.names, access.below)
	some folder in name.keys
	some guard in table[folder]
	contains(name.path, guard.has)
	regex.match(guard.expression, name.path)
	_counts(guard.id, access)
}

# METADATA
# description: Rules for files of the temporary folder. A folder that contains a repository or a governed project is not matched.
_written[i] contains [at, id] if {
	ids := data.rules.writes.scratch
	some i, access in input.writes
	access.root == "temp"
	not access.projects
	some at, _ in access.names
	some id in ids
	_counts(id, access)
}

# METADATA
# description: Rules that match every path.
_written[i] contains [0, id] if {
	ids := data.rules.writes.every
	some i, access in input.writes
	some id in ids
	_counts(id, access)
}

# METADATA
# description: Rules on a write.
hits contains {"id": id, "on": on, "command": access.command, "via": access.via} if {
	input.writes
	some i, found in _written
	some [at, id] in found
	access := input.writes[i]
	on := _name_hit(access, at, id)
	not _lifts("writes", i, id)
}

# METADATA
# description: A folder has too many entries to check all of them, so the rules count as if they matched.
hits contains {"id": id, "on": access.path, "command": access.command, "via": access.via} if {
	some i, access in input.writes
	access.unseen
	some id in data.rules.writes.sample
	_counts(id, access)
	not _lifts("writes", i, id)
}

# METADATA
# description: Deny and ask rules that could match a name that is unknown before it is written.
_open contains {"id": id, "on": access.path, "command": access.command, "via": access.via} if {
	some i, access in input.writes
	access.unnamed
	some id in data.rules.writes.sample
	_counts(id, access)
	not _lifts("writes", i, id)
}

# METADATA
# description: A write that no allow rule of this strength covers. If a command writes the session's own files, it needs none.
_is_uncovered(strength) if {
	some i, access in input.writes
	not _is_own_by_command(access)
	not _may_write(i, access, strength)
}

# METADATA
# description: A command writes one of the session's own files.
_is_own_by_command(access) if {
	_is_own(access)
	is_number(access.command)
}

# METADATA
# description: >-
#   A write that an allow rule of this strength, or a grant, covers by its path, or by the tool's name. Outside the roots, it
#   must be by path.
_may_write(i, access, strength) if {
	_is_covered(_written[i], access, strength)
} else if {
	_is_granted("writes", i, strength)
} else if {
	access.root != "outside"
	not _is_run(access)
	_is_allowed_by_name(strength)
}
