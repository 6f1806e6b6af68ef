// Names that a rule gives to parts of the input: what is said of the name is said of the part.

package main

import "github.com/open-policy-agent/opa/v1/ast"

// anyPart stands in a path for whichever key or index.
const anyPart = "[]"

// names are the parts of the input by the variables that stand for them in one rule.
type names map[string][]string

// namesOf finds what is declared by `:=`, by `some … in` and by `every … in`. A variable that is declared twice has no meaning here.
func namesOf(rule *ast.Rule) names {
	found := names{}
	var declared []*ast.Term
	declare := func(name, of *ast.Term, within bool) {
		declared = append(declared, name)
		path := found.path(of)
		if variable, isVar := name.Value.(ast.Var); isVar && path != nil {
			if within {
				path = append(path, anyPart)
			}
			found[string(variable)] = path
		}
	}
	ast.NewGenericVisitor(func(node any) bool {
		switch node := node.(type) {
		case *ast.Expr:
			if node.IsAssignment() {
				declare(node.Operand(0), node.Operand(1), false)
			}
		case *ast.SomeDecl:
			for _, symbol := range node.Symbols {
				if member, isCall := symbol.Value.(ast.Call); isCall {
					declare(member[len(member)-2], member[len(member)-1], true)
				}
			}
		case *ast.Every:
			declare(node.Value, node.Domain, true)
		}
		return false
	}).Walk(rule)
	times := map[string]int{}
	for _, name := range declared {
		ast.WalkVars(name, func(variable ast.Var) bool {
			times[string(variable)]++
			return false
		})
	}
	for name, count := range times {
		if count > 1 {
			delete(found, name)
		}
	}
	return found
}

// path gives the parts of a reference into the input; nil for anything else.
func (known names) path(term *ast.Term) []string {
	var reference ast.Ref
	switch value := term.Value.(type) {
	case ast.Ref:
		reference = value
	case ast.Var:
		reference = ast.Ref{term}
	default:
		return nil
	}
	head, isVar := reference[0].Value.(ast.Var)
	if !isVar {
		return nil
	}
	start, isNamed := known[string(head)]
	if !isNamed && (!isInput(head) || len(reference) == 1) {
		return nil
	}
	path := append([]string{}, start...)
	for _, part := range reference[1:] {
		if text, isText := part.Value.(ast.String); isText {
			path = append(path, string(text))
		} else {
			path = append(path, anyPart)
		}
	}
	return path
}
