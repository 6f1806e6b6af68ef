# Writes: rules that meet what a call writes, by whatever tool.
package modes

# METADATA
# description: Rules that meet what is written, by the index of the write, as [index of its name, rule]. A name is found by its keys.
_written[i] contains [at, id] if {
	table := data.rules.writes.keys
	some i, access in input.writes
	some at, name in array.concat(access.names, access.below)
	some key in name.keys
	some id in table[key]
	_counts(id, access)
}

# METADATA
# description: The root, which cannot be written itself, is allowed by a rule for everything below it.
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
# description: Patterns that no key stands for, behind a literal folder and a literal text.
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
# description: Rules that meet every path.
_written[i] contains [0, id] if {
	ids := data.rules.writes.every
	some i, access in input.writes
	some id in ids
	_counts(id, access)
}

# METADATA
# description: What a rule met of what is written.
hits contains {"id": id, "on": on, "command": access.command, "via": access.via} if {
	input.writes
	some i, found in _written
	some [at, id] in found
	access := input.writes[i]
	on := _name_hit(access, at, id)
	not _lifts("writes", i, id)
}

# METADATA
# description: There was too much below a folder to see all of it, so rules count as if they met.
hits contains {"id": id, "on": access.path, "command": access.command, "via": access.via} if {
	some i, access in input.writes
	access.unseen
	some id in data.rules.writes.sample
	_counts(id, access)
	not _lifts("writes", i, id)
}

# METADATA
# description: Deny and ask rules that one of the names which are not known before they are written could meet.
_open contains {"id": id, "on": access.path, "command": access.command, "via": access.via} if {
	some i, access in input.writes
	access.unnamed
	some id in data.rules.writes.sample
	_counts(id, access)
	not _lifts("writes", i, id)
}

# METADATA
# description: A write that no allow of this strength covers. The session's own files, written by a command, need none.
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
#   A write that an allow of this strength, or a grant, covers: by its path; by the tool's name, but not outside the roots,
#   which takes a path.
_may_write(i, access, strength) if {
	_is_covered(_written[i], access, strength)
} else if {
	_is_granted("writes", i, strength)
} else if {
	access.root != "outside"
	not _is_run(access)
	_is_allowed_by_name(strength)
}
