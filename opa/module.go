// Modules: parsing them all, and what the host has to know of each.

package main

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Module is what the host is told of one file.
type Module struct {
	File    string   `json:"file"`
	Package []string `json:"package"`
	Row     int      `json:"row"`
	Col     int      `json:"col"`
	// ToolInput says that the module refers to input.tool.input, or may do so.
	ToolInput bool   `json:"tool_input"`
	Rules     []Rule `json:"rules"`
	// Mentions are the texts that something of the input is compared with.
	Mentions []Mention `json:"mentions,omitempty"`
	// Literals are formats and expressions that calls are given as they stand.
	Literals []Literal `json:"literals,omitempty"`
	// DataRefs are the places where it refers to data.
	DataRefs    []DataRef    `json:"data_refs,omitempty"`
	Annotations []Annotation `json:"annotations"`
}

// Rule is one rule of a module; a name may occur many times.
type Rule struct {
	Name string `json:"name"`
	// Kind is complete, set, object or function.
	Kind    string `json:"kind"`
	Default bool   `json:"default,omitempty"`
	Row     int    `json:"row"`
	Col     int    `json:"col"`
}

// Annotation is a METADATA block and the place it stands at.
type Annotation struct {
	Row   int             `json:"row"`
	Col   int             `json:"col"`
	Block json.RawMessage `json:"block"`
}

// parse reads every module and collects the errors of all of them.
func parse(request Request, capabilities *ast.Capabilities) (map[string]*ast.Module, []Problem) {
	options := ast.ParserOptions{
		ProcessAnnotation: true,
		Capabilities:      capabilities,
		RegoVersion:       ast.RegoV1,
	}
	parsed := make(map[string]*ast.Module, len(request.Modules))
	var problems []Problem
	for _, file := range slices.Sorted(maps.Keys(request.Modules)) {
		module, err := ast.ParseModuleWithOpts(file, request.Modules[file], options)
		switch {
		case err != nil:
			for _, problem := range explain(err) {
				if problem.Row == 0 {
					problem.File, problem.Row, problem.Col = file, 1, 1
				}
				problems = append(problems, problem)
			}
		case module == nil:
			problems = append(problems, Problem{Code: ast.ParseErr, Message: "empty module", File: file, Row: 1, Col: 1})
		default:
			parsed[file] = module
		}
	}
	return parsed, problems
}

// known is the capabilities of the last request that brought any: one host sends the same every time.
var known struct {
	raw    string
	parsed *ast.Capabilities
}

// capabilitiesOf reads the capabilities of a request; without any, those of this OPA.
func capabilitiesOf(request Request) (*ast.Capabilities, error) {
	if len(request.Capabilities) == 0 || string(request.Capabilities) == "null" {
		return ast.CapabilitiesForThisVersion(), nil
	}
	if raw := string(request.Capabilities); raw != known.raw {
		var capabilities ast.Capabilities
		if err := json.Unmarshal(request.Capabilities, &capabilities); err != nil {
			return nil, errors.Join(errors.New("capabilities cannot be read"), err)
		}
		known.raw, known.parsed = raw, &capabilities
	}
	return known.parsed, nil
}

// describe lists what the host has to know of every module, sorted by file.
func describe(parsed map[string]*ast.Module) ([]Module, error) {
	described := make([]Module, 0, len(parsed))
	for _, file := range slices.Sorted(maps.Keys(parsed)) {
		module := parsed[file]
		annotations, err := annotationsOf(module)
		if err != nil {
			return nil, err
		}
		at := module.Package.Location
		described = append(described, Module{
			File:        file,
			Package:     packagePath(module.Package),
			Row:         at.Row,
			Col:         at.Col,
			ToolInput:   refersTo(module, "tool", "input"),
			Rules:       rulesOf(module),
			Mentions:    mentionsOf(module),
			Literals:    literalsOf(module),
			DataRefs:    dataRefs(module),
			Annotations: annotations,
		})
	}
	return described, nil
}

// packagePath gives the parts of a package's name without the leading data.
func packagePath(pkg *ast.Package) []string {
	path := make([]string, 0, len(pkg.Path))
	for _, term := range pkg.Path[1:] {
		if part, ok := term.Value.(ast.String); ok {
			path = append(path, string(part))
		}
	}
	return path
}

func rulesOf(module *ast.Module) []Rule {
	rules := make([]Rule, 0, len(module.Rules))
	for _, rule := range module.Rules {
		rules = append(rules, Rule{
			Name:    rule.Head.Ref().String(),
			Kind:    kindOf(rule),
			Default: rule.Default,
			Row:     rule.Location.Row,
			Col:     rule.Location.Col,
		})
	}
	return rules
}

func kindOf(rule *ast.Rule) string {
	switch {
	case len(rule.Head.Args) > 0:
		return "function"
	case rule.Head.RuleKind() == ast.MultiValue:
		return "set"
	case len(rule.Head.Ref()) > 1:
		return "object"
	default:
		return "complete"
	}
}

func annotationsOf(module *ast.Module) ([]Annotation, error) {
	annotations := make([]Annotation, 0, len(module.Annotations))
	for _, annotation := range module.Annotations {
		block, err := json.Marshal(annotation)
		if err != nil {
			return nil, err
		}
		annotations = append(annotations, Annotation{Row: annotation.Location.Row, Col: annotation.Location.Col, Block: block})
	}
	return annotations, nil
}
