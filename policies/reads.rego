# Reads: rules that match the reads of a call.
package modes

# METADATA
# description: Rules that match a read, by the index of the read, as [index of its name, rule]. A name is looked up by its keys.
_read[i] contains [at, id] if {
	table := data.rules.reads.keys
	some i, access in input.reads
	some at, name in array.concat(access.names, access.below)
	some key in name.keys
	some id in table[key]
	_counts(id, access)
}

# METADATA
# description: If a folder is read with everything below it, a rule for everything below it allows the read.
_read[i] contains [at, id] if {
	table := data.rules.reads.keys
	some i, access in input.reads
	access.deep
	some at, name in access.names
	some id in table[concat("", ["<", name.path])]
	data.rules.effect[id] == "allow"
	_counts(id, access)
}

# METADATA
# description: A component anywhere below a literal folder.
_read[i] contains [at, id] if {
	table := data.rules.reads.within
	some i, access in input.reads
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
_read[i] contains [at, guard.id] if {
	table := data.rules.reads.guarded
	some i, access in input.reads
	some at, name in array.concat(access.names, access.below)
	some folder in name.keys
	some guard in table[folder]
	contains(name.path, guard.has)
	regex.match(guard.expression, name.path)
	_counts(guard.id, access)
}

# METADATA
# description: Rules for files of the temporary folder. A folder that contains a repository or a governed project is not matched.
_read[i] contains [at, id] if {
	ids := data.rules.reads.scratch
	some i, access in input.reads
	access.root == "temp"
	not access.projects
	some at, _ in access.names
	some id in ids
	_counts(id, access)
}

# METADATA
# description: Rules that match every path.
_read[i] contains [0, id] if {
	ids := data.rules.reads.every
	some i, access in input.reads
	some id in ids
	_counts(id, access)
}

# METADATA
# description: Rules that match a read of an unknown path, which could be any file.
_read[i] contains [0, id] if {
	ids := data.rules.reads.unknown
	some i, access in input.reads
	access.unknown
	some id in ids
	_counts(id, access)
}

# METADATA
# description: Rules on a read. A read that comes with a write needs no allow, so allow rules do not match it.
hits contains {"id": id, "on": on, "command": access.command, "via": access.via} if {
	input.reads
	some i, found in _read
	some [at, id] in found
	access := input.reads[i]
	not _is_idle(access, id)
	on := _name_hit(access, at, id)
	not _lifts("reads", i, id)
}

# METADATA
# description: A folder has too many entries to check all of them, so the rules count as if they matched.
hits contains {"id": id, "on": access.path, "command": access.command, "via": access.via} if {
	some i, access in input.reads
	access.unseen
	some id in data.rules.reads.sample
	_counts(id, access)
	not _lifts("reads", i, id)
}

# METADATA
# description: Deny and ask rules that could match a path that is only partly known before the call runs.
_open contains {"id": id, "on": access.path, "command": access.command, "via": access.via} if {
	some i, access in input.reads
	access.unnamed
	some id in data.rules.reads.sample
	_counts(id, access)
	not _lifts("reads", i, id)
}

# METADATA
# description: >-
#   A read that no allow rule of this strength covers. A read that comes with a write needs none. A read inside the roots by a
#   command or an MCP tool needs none either, since the allow rule for running it covers the read.
_is_uncovered(strength) if {
	some i, access in input.reads
	not _is_implied(access)
	not _goes_with_running(access)
	not _may_read(i, access, strength)
}

# METADATA
# description: The read comes with a write of the same file.
_is_implied(access) if access.implied

# METADATA
# description: An allow rule is not needed here.
_is_idle(access, id) if {
	access.implied
	data.rules.effect[id] == "allow"
}

# METADATA
# description: A read that the permission to run the command or tool covers.
_goes_with_running(access) if {
	access.root != "outside"
	_is_run(access)
} else if {
	_is_own(access)
	_is_run(access)
}

# METADATA
# description: A read that an allow rule of this strength, or a grant, covers by its path or by the tool's name.
_may_read(i, access, strength) if {
	_is_covered(_read[i], access, strength)
} else if {
	_is_granted("reads", i, strength)
} else if {
	not _is_run(access)
	_is_allowed_by_name(strength)
}
