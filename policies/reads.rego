# Reads: rules that meet what a call reads.
package modes

# METADATA
# description: For each read, for each of its names, the rules that meet it.
_reads_met := [_met_names(data.rules.reads, access) | some access in input.reads]

hits contains _path_hit(id, access.names[at].path, access) if {
	some i, access in input.reads
	some at, ids in _reads_met[i]
	some id in ids
}

# A folder is read with everything below it: what exists there and a rule could mean was looked up.
hits contains _path_hit(id, name.path, access) if {
	some access in input.reads
	some name in access.below
	some id in _met_by(data.rules.reads, name)
	data.rules.effect[id] != "allow"
	_counts(id, access)
}

# There was too much below it to see: as if the rules met.
hits contains _path_hit(id, access.path, access) if {
	some access in input.reads
	access.unseen
	some id in data.rules.reads.sample
	_counts(id, access)
}

# METADATA
# description: >-
#   How strongly each read that needs an allow is allowed. A read that comes with a write does not need one; nor does a
#   command's or a server's read inside the roots, which goes with running it.
_read_strengths contains strength if {
	some i, access in input.reads
	not access.implied
	not _goes_with_running(access)
	strength := max([_coverage(access, _reads_met[i]), _read_extent(access), _strength_by_name(access)])
}

# METADATA
# description: A folder read with everything below it is covered by a rule for everything below it.
_read_extent(access) := max({0} | {data.rules.strength[id] |
	access.deep
	count(access.readings) == 1
	some name in access.names
	some id in data.rules.reads.under[name.path]
	_counts(id, access)
})

# METADATA
# description: A read that the permission to run covers.
_goes_with_running(access) if {
	_is_run(access)
	access.root in {"project", "worktree", "temp"}
}

_goes_with_running(access) if {
	_is_run(access)
	access.own != null
}

# METADATA
# description: The access is one of a command, or a declared argument of a server's tool.
_is_run(access) if access.command != null

_is_run(_) if input.tool.group == "mcp"
