// Evaluation by topdown, OPA's reference evaluator: the yardstick for the WASM that is shipped.

package main

import (
	"context"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

// Value is what one input gave: a value, an error, or neither, which is undefined.
type Value struct {
	Defined bool   `json:"defined"`
	Value   any    `json:"value,omitempty"`
	Error   string `json:"error,omitempty"`
}

// eval evaluates the first entry point for every input.
func eval(request Request) Answer {
	capabilities, err := capabilitiesOf(request)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	parsed, problems := parse(request, capabilities)
	if len(problems) > 0 {
		return Answer{Errors: problems}
	}
	if len(request.Entrypoints) != 1 {
		return Answer{Errors: internal("entry points to evaluate", len(request.Entrypoints))}
	}
	compiler := newCompiler(capabilities)
	compiler.Compile(parsed)
	if compiler.Failed() {
		compiler.Errors.Sort()
		return Answer{Errors: explain(compiler.Errors)}
	}
	ctx := context.Background()
	query, err := rego.New(
		rego.ParsedQuery(ast.NewBody(ast.NewExpr(ast.NewTerm(reference(request.Entrypoints[0]))))),
		rego.Compiler(compiler),
		rego.Store(inmem.NewFromObject(dataOf(request))),
	).PrepareForEval(ctx)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	coverage := cover.New()
	values := make([]Value, 0, len(request.Inputs))
	for _, input := range request.Inputs {
		options := []rego.EvalOption{rego.EvalInput(input)}
		if request.Cover {
			options = append(options, rego.EvalQueryTracer(coverage))
		}
		values = append(values, valueOf(query.Eval(ctx, options...)))
	}
	if !request.Cover {
		return Answer{Values: values}
	}
	// Compiling changes modules, and a report is about what was written.
	written, _ := parse(request, capabilities)
	return Answer{Values: values, Coverage: coverage.Report(written)}
}

func valueOf(results rego.ResultSet, err error) Value {
	switch {
	case err != nil:
		return Value{Error: err.Error()}
	case len(results) == 1 && len(results[0].Expressions) == 1:
		return Value{Defined: true, Value: results[0].Expressions[0].Value}
	default:
		return Value{}
	}
}

// reference turns modes/verdict into data.modes.verdict.
func reference(entrypoint string) ast.Ref {
	made := ast.Ref{ast.DefaultRootDocument}
	for _, part := range strings.Split(entrypoint, "/") {
		made = append(made, ast.StringTerm(part))
	}
	return made
}

func dataOf(request Request) map[string]any {
	if request.Data == nil {
		return map[string]any{}
	}
	return request.Data
}
