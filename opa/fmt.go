// Formatting as opa fmt does it.

package main

import (
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
)

// formatSources gives the formatted text of every module that parses, and the errors of those that do not.
func formatSources(request Request) Answer {
	sources := make(map[string]string, len(request.Modules))
	var problems []Problem
	for _, file := range slices.Sorted(maps.Keys(request.Modules)) {
		text, err := format.SourceWithOpts(file, []byte(request.Modules[file]), format.Opts{RegoVersion: ast.RegoV1})
		if err != nil {
			problems = append(problems, explain(err)...)
			continue
		}
		sources[file] = string(text)
	}
	return Answer{Errors: problems, Sources: sources}
}
