# Writes: rules that meet what a call writes, by whatever tool.
package modes

# METADATA
# description: For each write, for each of its names, the rules that meet it.
_writes_met := [_met_names(data.rules.writes, access) | some access in input.writes]

hits contains _path_hit(id, access.names[at].path, access) if {
	some i, access in input.writes
	some at, ids in _writes_met[i]
	some id in ids
}

# A folder is changed with everything below it: what exists there and a rule could mean was looked up.
hits contains _path_hit(id, name.path, access) if {
	some access in input.writes
	some name in access.below
	some id in _met_by(data.rules.writes, name)
	data.rules.effect[id] != "allow"
	_counts(id, access)
}

# There was too much below it to see: as if the rules met.
hits contains _path_hit(id, access.path, access) if {
	some access in input.writes
	access.unseen
	some id in data.rules.writes.sample
	_counts(id, access)
}

# METADATA
# description: How strongly each write is allowed, in the order of the facts.
_write_coverage := [max([_coverage(access, _writes_met[i]), _root_extent(access), _write_by_name(access)]) |
	some i, access in input.writes
]

# METADATA
# description: The session's own files, written by a command that is allowed, need no rule of their own.
_write_strengths contains strength if {
	some i, strength in _write_coverage
	access := input.writes[i]
	not _own_by_command(access)
}

_own_by_command(access) if {
	access.own != null
	access.command != null
}

# METADATA
# description: The root itself cannot be written, so a rule for everything below it covers it with its content.
_root_extent(access) := max({0} | {data.rules.strength[id] |
	access.deep
	some reading in access.readings
	some at in reading
	access.names[at].path == ""
	count(access.readings) == 1
	some id in data.rules.writes.under[""]
	_counts(id, access)
})

# METADATA
# description: A tool allowed by name may write, but not outside the roots, which takes a path.
_write_by_name(access) := _strength_by_name(access) if access.root != "outside"

_write_by_name(access) := 0 if access.root == "outside"
