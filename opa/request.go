// What the host asks and what it is answered: JSON in, JSON out.

package main

import "encoding/json"

// Request is one question of the host. Which fields count depends on Op.
type Request struct {
	Op string `json:"op"`
	// Modules maps file names, as shown to a person, to Rego text.
	Modules map[string]string `json:"modules"`
	// Entrypoints are slash paths such as modes/verdict, for build.
	Entrypoints []string `json:"entrypoints"`
	// Capabilities restricts the builtins; absent means everything that OPA has.
	Capabilities json.RawMessage `json:"capabilities"`
	// Hosted are functions whose calls go to the evaluator's host, for build.
	Hosted []string `json:"hosted"`
	// Strict asks for warnings of the compiler's strict mode, for check and build.
	Strict bool `json:"strict"`
	// InputSchema is the JSON Schema of the input document, for check and build.
	InputSchema any `json:"input_schema"`
	// Schemas are further JSON Schemas by name, which METADATA refers to as schema.NAME, for check and build.
	Schemas map[string]any `json:"schemas"`
	// Data is the base document, for test and eval.
	Data map[string]any `json:"data"`
	// Inputs are the documents to evaluate, for eval.
	Inputs []any `json:"inputs"`
	// Filter selects tests by a regular expression on package.name, for test.
	Filter string `json:"filter"`
	// Explain asks what failed in a test that does not pass, for test.
	Explain bool `json:"explain"`
	// Cover asks which lines the inputs reach, for eval.
	Cover bool `json:"cover"`
}

// Answer is what the host gets. Errors non-empty means that the rest may be absent.
type Answer struct {
	Errors []Problem `json:"errors,omitempty"`
	// Warnings change no decision: unused variables and imports.
	Warnings []Problem         `json:"warnings,omitempty"`
	Wasm     []byte            `json:"wasm,omitempty"`
	Modules  []Module          `json:"modules,omitempty"`
	Sources  map[string]string `json:"sources,omitempty"`
	Tests    []Test            `json:"tests,omitempty"`
	Values   []Value           `json:"values,omitempty"`
	// Coverage is OPA's own report: files with covered and not covered ranges of rows.
	Coverage     any    `json:"coverage,omitempty"`
	Capabilities any    `json:"capabilities,omitempty"`
	Version      string `json:"version,omitempty"`
}
