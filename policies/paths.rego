# Paths: what reads and writes have in common.
package modes

# METADATA
# description: >-
#   Whether a rule that meets a path counts for this access. The session's own files are met only by a rule whose path names
#   their folder. A dependency folder that is removed whole is met by deny and ask only with a path held to a root, or a bare name.
_counts(id, access) if {
	not _is_own(access)
	not _is_dependency(access)
	_counts_here(id)
} else if {
	_is_own(access)
	some base in data.rules.bases[id]
	_lies_in(base, access.own)
	_counts_here(id)
} else if {
	_is_dependency(access)
	not _is_own(access)
	not data.rules.loose[id]
	_counts_here(id)
} else if {
	_is_dependency(access)
	not _is_own(access)
	data.rules.effect[id] == "allow"
	_counts_here(id)
}

# METADATA
# description: The access is to one of the session's own files.
_is_own(access) if is_string(access.own)

# METADATA
# description: The access removes a dependency folder whole.
_is_dependency(access) if access.dependency

# METADATA
# description: A rule that is held to one tool counts in calls of that tool.
_counts_here(id) if {
	not data.rules.only[id]
} else if {
	data.rules.only[id] in input.tool.keys
} else if {
	data.rules.effect[id] != "allow"
	data.rules.only[id] in input.tool.narrow_keys
}

# METADATA
# description: A path is a folder or lies below it.
_lies_in(path, folder) if {
	path == folder
} else if {
	startswith(path, concat("", [folder, "/"]))
}

# METADATA
# description: >-
#   The name of an access at this index: its own names first, then those of what exists below it. Allow rules hit only names that
#   are in a reading: not those below, of links to the path, or in another case.
_name_hit(access, at, id) := access.names[at].path if {
	at < count(access.names)
	_is_said_to(id, at, access.readings)
} else := access.below[at - count(access.names)].path if {
	data.rules.effect[id] != "allow"
}

# METADATA
# description: A name at this index is one that the rule may hit.
_is_said_to(id, _, _) if data.rules.effect[id] != "allow"

_is_said_to(_, at, readings) if {
	some reading in readings
	at in reading
}

# METADATA
# description: Every reading of an access has a name that an allow rule of this strength covers, by what was met of the access.
_is_covered(met, access, strength) if {
	every reading in access.readings {
		some at in reading
		some found in met
		found[0] == at
		data.rules.strength[found[1]] >= strength
	}
}

# METADATA
# description: The access is one of a command, or a declared argument of a server's tool.
_is_run(access) if {
	is_number(access.command)
} else if {
	input.tool.group == "mcp"
}
