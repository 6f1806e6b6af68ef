# Paths: common helpers of reads and writes.
package modes

# METADATA
# description: >-
#   A rule that matches a path applies to this access. Only a rule with a path that names their folder applies to the session's
#   own files. If a dependency folder is removed whole, deny and ask rules apply only if their path is anchored to a root or
#   they are bare names.
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
# description: A rule for a single tool applies only to calls of that tool.
_counts_here(id) if {
	not data.rules.only[id]
} else if {
	data.rules.only[id] in input.tool.keys
} else if {
	data.rules.effect[id] != "allow"
	data.rules.only[id] in input.tool.narrow_keys
}

# METADATA
# description: A path is a folder or is below it.
_lies_in(path, folder) if {
	path == folder
} else if {
	startswith(path, concat("", [folder, "/"]))
}

# METADATA
# description: >-
#   The name of an access at this index: first its own names, then the names of existing paths below it. Allow rules match only
#   names in a reading: not names below, names of links to the path, or names in another case.
_name_hit(access, at, id) := path if {
	at < count(access.names)
	_is_said_to(id, at, access.readings)
	path := access.names[at].path
	not _is_excepted(id, path)
} else := path if {
	at >= count(access.names)
	data.rules.effect[id] != "allow"
	path := access.below[at - count(access.names)].path
	not _is_excepted(id, path)
}

# METADATA
# description: >-
#   The rule has an exception that matches this name. It exempts no other name of the same file, such as the target of a link.
_is_excepted(id, path) if regex.match(data.rules.except[id], path)

# METADATA
# description: The rule may match the name at this index.
_is_said_to(id, _, _) if data.rules.effect[id] != "allow"

_is_said_to(_, at, readings) if {
	some reading in readings
	at in reading
}

# METADATA
# description: Every reading of an access has a name that an allow rule of this strength matched.
_is_covered(met, access, strength) if {
	every reading in access.readings {
		some at in reading
		some found in met
		found[0] == at
		data.rules.strength[found[1]] >= strength
	}
}

# METADATA
# description: The access is made by a command, or by a declared argument of an MCP server's tool.
_is_run(access) if {
	is_number(access.command)
} else if {
	input.tool.group == "mcp"
}
