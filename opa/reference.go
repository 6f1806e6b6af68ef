// What a module can see of the two documents: of the input, and of data.

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

// DataRef is a place where the module refers to data: data.rules.effect is rules, effect.
type DataRef struct {
	// Path ends before the first part that is not written out.
	Path []string `json:"path"`
	Row  int      `json:"row"`
	Col  int      `json:"col"`
}

// dataRefs lists them in the order of the text. What begins with the name of an import is what was imported.
func dataRefs(module *ast.Module) []DataRef {
	imported := map[ast.Var]ast.Ref{}
	for _, one := range module.Imports {
		if reference, isRef := one.Path.Value.(ast.Ref); isRef {
			imported[one.Name()] = reference
		}
	}
	var found []DataRef
	look := func(reference ast.Ref) bool {
		at := reference[0].Location
		if head, isVar := reference[0].Value.(ast.Var); isVar && len(imported[head]) > 0 {
			reference = imported[head].Concat(reference[1:])
		}
		if at == nil || !reference.HasPrefix(ast.DefaultRootRef) {
			return false
		}
		path := []string{}
		for _, part := range reference[1:] {
			text, isText := part.Value.(ast.String)
			if !isText {
				break
			}
			path = append(path, string(text))
		}
		found = append(found, DataRef{Path: path, Row: at.Row, Col: at.Col})
		return false
	}
	for _, rule := range module.Rules {
		ast.WalkRefs(rule, look)
	}
	return found
}
