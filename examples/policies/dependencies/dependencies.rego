# METADATA
# title: New dependencies need a person's approval
# description: Asks before a call that writes a manifest or lock file, or that adds a package with a package manager.
# scope: package
# custom:
#   remedy: Name the package and the version, and say why; a person decides.
package modes.policy.dependencies

# METADATA
# description: Files that declare dependencies, in any folder.
_manifests := {
	"package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock",
	"requirements.txt", "pyproject.toml", "poetry.lock",
	"go.mod", "go.sum", "Cargo.toml", "Cargo.lock", "Gemfile", "Gemfile.lock",
}

# METADATA
# description: Subcommands that add a dependency, by package manager.
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

ask contains $"{write.path} declares the dependencies of the project" if {
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
#   Without a package name, a package manager installs the locked versions. An unknown word counts as a name.
_names_something(argv, at) if {
	some word in array.slice(argv, at + 1, count(argv))
	not _is_option(word)
}

_is_option(word) if startswith(word, "-")
