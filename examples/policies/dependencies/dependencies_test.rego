package modes.policy.dependencies_test

import data.modes.policy.dependencies

test_manifests_in_any_folder if {
	every path in ["package.json", "packages/a/package.json", "go.mod"] {
		count(dependencies.ask) == 1 with input as {"writes": [{"path": path}]}
	}
}

test_other_files if {
	every path in ["src/package.json.ts", "README.md", "go.mod/x"] {
		count(dependencies.ask) == 0 with input as {"writes": [{"path": path}]}
	}
}

test_adding if {
	every argv in [["npm", "install", "-D", "left-pad"], ["pip", "install", null], ["go", "get", "x@latest"]] {
		count(dependencies.ask) == 1 with input as _running(argv)
	}
}

test_installing_what_is_locked if {
	every argv in [["npm", "install"], ["npm", "i", "--no-audit"], ["npm", "ci"], ["npm", "test", "install"]] {
		count(dependencies.ask) == 0 with input as _running(argv)
	}
}

_running(argv) := {"writes": [], "bash": {"commands": [{"name": argv[0], "argv": argv, "text": argv[0]}]}}
