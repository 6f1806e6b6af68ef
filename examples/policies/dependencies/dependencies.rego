# METADATA
# title: New dependencies need a person's yes
# description: Asks when a manifest or lock file would be written, and when a package manager would add something.
# scope: package
# custom:
#   remedy: Say which package, which version and why; a person decides.
package modes.policy.dependencies

# METADATA
# description: Files that say what a project is made of, in whatever folder.
_manifests := {
	"package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock",
	"requirements.txt", "pyproject.toml", "poetry.lock",
	"go.mod", "go.sum", "Cargo.toml", "Cargo.lock", "Gemfile", "Gemfile.lock",
}

# METADATA
# description: What adds a dependency, by package manager.
_adding := {
	"npm": {"install", "i", "add"},
	"pnpm": {"add", "install", "i"},
	"yarn": {"add"},
	"pip": {"install"},
	"pip3": {"install"},
	"poetry": {"add"},
	"cargo": {"add"},
	"go": {"get"},
	"gem": {"install"},
	"bundle": {"add"},
}

ask contains $"{write.path} says what the project depends on" if {
	some write in input.writes
	parts := split(write.path, "/")
	parts[count(parts) - 1] in _manifests
}

ask contains $"{command.text} adds a dependency" if {
	some command in input.bash.commands
	some at, verb in command.argv
	verb in _adding[command.name]
	_names_something(command.argv, at)
}

# METADATA
# description: >-
#   Without a name a package manager installs what the lock file says. What is not known counts as one.
_names_something(argv, at) if {
	some word in array.slice(argv, at + 1, count(argv))
	not _is_option(word)
}

_is_option(word) if startswith(word, "-")
