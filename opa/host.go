// Functions that the evaluator has and that stop it or answer otherwise than OPA: calls of them go to its host, which has each under a
// name of its own.

package main

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
)

// hostPrefix begins the names that the host knows them by.
const hostPrefix = "host."

// divisor is what the right side of a division goes through: it is undefined for 0, which ends the evaluator's own division.
var divisor = &ast.Builtin{Name: hostPrefix + "divisor", Decl: types.NewFunction(types.Args(types.N), types.N)}

// hosted renames them in all modules, and gives the capabilities with the new names.
func hosted(parsed map[string]*ast.Module, names []string, capabilities *ast.Capabilities) *ast.Capabilities {
	own := map[string]*ast.Builtin{}
	extended := *capabilities
	extended.Builtins = append(slices.Clone(capabilities.Builtins), divisor)
	for _, builtin := range capabilities.Builtins {
		if slices.Contains(names, builtin.Name) {
			renamed := *builtin
			renamed.Name, renamed.Infix = hostPrefix+builtin.Name, ""
			own[builtin.Name] = &renamed
			extended.Builtins = append(extended.Builtins, &renamed)
		}
	}
	shadowed := shadows(parsed)
	for _, module := range parsed {
		of := shadowed[module.Package.Path.String()]
		rename := func(term *ast.Term) *ast.Term {
			name := term.Value.String()
			if builtin := own[name]; builtin != nil && !of[strings.Split(name, ".")[0]] {
				return &ast.Term{Value: builtin.Ref(), Location: term.Location}
			}
			return term
		}
		eachCall(module, func(terms []*ast.Term) {
			if len(terms) > 2 && terms[0].Value.String() == ast.Divide.Name && !of[ast.Divide.Name] {
				by := ast.CallTerm(&ast.Term{Value: divisor.Ref(), Location: terms[2].Location}, terms[2])
				by.Location = terms[2].Location
				terms[2] = by
			}
			terms[0] = rename(terms[0])
		})
		ast.NewGenericVisitor(func(node any) bool {
			if with, isWith := node.(*ast.With); isWith {
				with.Target = rename(with.Target)
			}
			return false
		}).Walk(module)
	}
	return &extended
}

// shadows lists the names, by package, that stand for something of the package itself.
func shadows(parsed map[string]*ast.Module) map[string]map[string]bool {
	found := map[string]map[string]bool{}
	for _, module := range parsed {
		path := module.Package.Path.String()
		if found[path] == nil {
			found[path] = map[string]bool{}
		}
		for _, rule := range module.Rules {
			found[path][rule.Head.Ref()[0].Value.String()] = true
		}
		for _, imported := range module.Imports {
			found[path][imported.Name().String()] = true
		}
	}
	return found
}
