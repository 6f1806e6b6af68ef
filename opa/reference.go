// Whether a module can see a part of the input.

package main

import "github.com/open-policy-agent/opa/v1/ast"

// refersTo says whether the module reads input at the path, or might: a reference that stops above the path, that goes on
// with a variable, or that names input as a whole counts too. What `with input as` replaces is no reading.
func refersTo(module *ast.Module, path ...string) bool {
	found := false
	visitor := ast.NewGenericVisitor(nil)
	visit := func(node any) bool {
		switch node := node.(type) {
		case *ast.With:
			visitor.Walk(node.Value)
			return true
		case ast.Ref:
			if len(node) > 0 && isInput(node[0].Value) {
				found = found || mayReach(node[1:], path)
				for _, term := range node[1:] {
					visitor.Walk(term)
				}
				return true
			}
		case ast.Var:
			found = found || isInput(node)
		}
		return found
	}
	*visitor = *ast.NewGenericVisitor(visit)
	visitor.Walk(module)
	return found
}

func isInput(value ast.Value) bool {
	name, ok := value.(ast.Var)
	return ok && name.Equal(ast.InputRootDocument.Value)
}

func mayReach(reference ast.Ref, path []string) bool {
	for i, part := range path {
		if i == len(reference) {
			return true
		}
		key, ground := reference[i].Value.(ast.String)
		if ground && string(key) != part {
			return false
		}
	}
	return true
}
