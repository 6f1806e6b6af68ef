# Files that alone may be written: rules about every other write, whatever makes it.
package modes

# METADATA
# description: A write that some reading of its path leaves outside of a rule's files. The session's own files are not meant.
hits contains {"id": rule.id, "on": access.names[0].path, "command": access.command, "via": access.via} if {
	some rule in data.rules.outside
	some i, access in input.writes
	not _is_own(access)
	not _is_inside(rule, access)
	not _lifts("writes", i, rule.id)
}

# METADATA
# description: Every reading of the path has a name that is one of the files.
_is_inside(rule, access) if {
	every reading in access.readings {
		some at in reading
		_is_file_of(rule, access, access.names[at])
	}
}

# METADATA
# description: By a key of the name.
_is_file_of(rule, _, name) if {
	some key in name.keys
	rule.keys[key]
}

# METADATA
# description: A component anywhere below a literal folder.
_is_file_of(rule, _, name) if {
	some folder in name.keys
	some key in name.keys
	rule.within[folder][key]
}

# METADATA
# description: Patterns that no key stands for.
_is_file_of(rule, _, name) if {
	some folder in name.keys
	some guard in rule.guarded[folder]
	contains(name.path, guard.has)
	regex.match(guard.expression, name.path)
}

# METADATA
# description: The root with everything below it, where the files are everything below it.
_is_file_of(rule, access, name) if {
	access.deep
	name.path == ""
	rule.keys["<"]
}

# METADATA
# description: Expressions are looked for in relative paths. Of what lies below a folder they say nothing.
_is_file_of(rule, access, name) if {
	not access.deep
	name.path != ""
	not startswith(name.path, "/")
	some expression in rule.expressions
	regex.match(expression, name.path)
}
