// Rego to WebAssembly, and the checks that go with it.

package main

import (
	"context"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/compile"
)

// maxErrors is how many errors one check reports; the compiler's own limit of 10 hides the rest.
const maxErrors = 1000

// build compiles the modules to one WASM with all entrypoints.
func build(request Request) Answer {
	capabilities, err := capabilitiesOf(request)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	parsed, problems := parse(request, capabilities)
	if len(problems) > 0 {
		return Answer{Errors: problems}
	}
	modules, err := describe(parsed)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	errors, warnings := typeCheck(request, capabilities)
	if len(errors) > 0 {
		return Answer{Errors: errors}
	}
	usable := capabilities
	if len(request.Hosted) > 0 {
		usable = hosted(parsed, request.Hosted, capabilities)
	}
	compiler := compile.New().
		WithTarget(compile.TargetWasm).
		WithRegoVersion(ast.RegoV1).
		WithCapabilities(usable).
		WithEntrypoints(request.Entrypoints...).
		WithBundle(bundleOf(request, parsed))
	if err := compiler.Build(context.Background()); err != nil {
		return Answer{Errors: allErrors(request, capabilities, err)}
	}
	built := compiler.Bundle().WasmModules
	if len(built) != 1 {
		return Answer{Errors: internal("modules built", len(built))}
	}
	return Answer{Wasm: built[0].Raw, Modules: modules, Warnings: warnings}
}

// check parses and compiles without planning, and reports every error.
func check(request Request) Answer {
	capabilities, err := capabilitiesOf(request)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	parsed, problems := parse(request, capabilities)
	if len(problems) > 0 {
		return Answer{Errors: problems}
	}
	modules, err := describe(parsed)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	errors, warnings := typeCheck(request, capabilities)
	return Answer{Errors: errors, Warnings: warnings, Modules: modules}
}

// typeCheck compiles without planning, against the schemas if the request has any. What strict mode refuses besides changes no decision:
// it is a warning. Compiling changes modules, so each time they are parsed again.
func typeCheck(request Request, capabilities *ast.Capabilities) (errors, warnings []Problem) {
	parsed, problems := parse(request, capabilities)
	if len(problems) > 0 {
		return problems, nil
	}
	compiler := newCompiler(capabilities)
	hasSchemas := request.InputSchema != nil || len(request.Schemas) > 0
	if hasSchemas {
		compiler = compiler.WithSchemas(schemasOf(request)).WithUseTypeCheckAnnotations(true)
	}
	compiler.Compile(parsed)
	found := compiler.Errors
	if hasSchemas && onlyTypeErrors(found) {
		found = oncePerPlace(withoutPossibleNulls(append(found, typeErrors(compiler)...), request.InputSchema))
	}
	if len(found) > 0 {
		found.Sort()
		return explain(found), nil
	}
	if !request.Strict {
		return nil, nil
	}
	parsed, _ = parse(request, capabilities)
	strict := newCompiler(capabilities).WithStrict(true)
	strict.Compile(parsed)
	if strict.Failed() {
		strict.Errors.Sort()
		warnings = explain(strict.Errors)
	}
	return nil, warnings
}

func onlyTypeErrors(errors ast.Errors) bool {
	return !slices.ContainsFunc(errors, func(err *ast.Error) bool { return err.Code != ast.TypeErr })
}

// oncePerPlace keeps the first error of each place: OPA's own, which says most.
func oncePerPlace(errors ast.Errors) ast.Errors {
	known := map[string]bool{}
	return slices.DeleteFunc(errors, func(err *ast.Error) bool {
		place := placeOf(err.Location)
		isKnown := known[place]
		known[place] = true
		return isKnown
	})
}

// schemasOf gives the input's schema, which holds everywhere, and those that METADATA names.
func schemasOf(request Request) *ast.SchemaSet {
	schemas := ast.NewSchemaSet()
	if request.InputSchema != nil {
		schemas.Put(ast.SchemaRootRef, request.InputSchema)
	}
	for name, schema := range request.Schemas {
		schemas.Put(ast.SchemaRootRef.Append(ast.StringTerm(name)), schema)
	}
	return schemas
}

// inspect parses only: packages, rules and annotations.
func inspect(request Request) Answer {
	capabilities, err := capabilitiesOf(request)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	parsed, problems := parse(request, capabilities)
	modules, err := describe(parsed)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	return Answer{Errors: problems, Modules: modules}
}

func newCompiler(capabilities *ast.Capabilities) *ast.Compiler {
	return ast.NewCompiler().
		WithCapabilities(capabilities).
		WithDefaultRegoVersion(ast.RegoV1).
		WithEnablePrintStatements(false).
		SetErrorLimit(maxErrors)
}

// allErrors compiles again without the limit on errors, since the bundle compiler stops after ten and its error texts
// lose their positions in some stages. Modules are parsed anew because compiling changes them.
func allErrors(request Request, capabilities *ast.Capabilities, cause error) []Problem {
	parsed, problems := parse(request, capabilities)
	if len(problems) > 0 {
		return problems
	}
	compiler := newCompiler(capabilities)
	compiler.Compile(parsed)
	if !compiler.Failed() {
		return explain(cause)
	}
	compiler.Errors.Sort()
	return explain(compiler.Errors)
}

// bundleOf puts the modules in the order of their names: the same sources give the same bytes.
func bundleOf(request Request, parsed map[string]*ast.Module) *bundle.Bundle {
	made := &bundle.Bundle{Data: map[string]any{}}
	made.SetRegoVersion(ast.RegoV1)
	made.Manifest.Init()
	for _, file := range slices.Sorted(maps.Keys(parsed)) {
		made.Modules = append(made.Modules, bundle.ModuleFile{
			URL:    file,
			Path:   file,
			Parsed: parsed[file],
			Raw:    []byte(request.Modules[file]),
		})
	}
	return made
}
