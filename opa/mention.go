// What a module compares parts of the input with: a mode or a tool of a name that does not exist can be told by it.

package main

import "github.com/open-policy-agent/opa/v1/ast"

// Mention is a text that a part of the input is compared with.
type Mention struct {
	// Path is where in the input, for example tool, name.
	Path []string `json:"path"`
	Text string   `json:"text"`
	Row  int      `json:"row"`
	Col  int      `json:"col"`
}

// comparisons are the operators by which both sides can be the same.
var comparisons = map[string]bool{"eq": true, "equal": true, "neq": true, "internal.member_2": true}

// mentionsOf lists them in the order of the text.
func mentionsOf(module *ast.Module) []Mention {
	var mentions []Mention
	look := func(terms []*ast.Term) {
		if len(terms) != 3 || !comparisons[terms[0].String()] {
			return
		}
		for _, sides := range [][2]*ast.Term{{terms[1], terms[2]}, {terms[2], terms[1]}} {
			if path := inputPath(sides[0]); path != nil {
				mentions = append(mentions, textsOf(path, sides[1])...)
			}
		}
	}
	ast.NewGenericVisitor(func(node any) bool {
		switch node := node.(type) {
		case *ast.With:
			return true
		case *ast.Expr:
			if terms, isCall := node.Terms.([]*ast.Term); isCall {
				look(terms)
			}
		case ast.Call:
			look(node)
		}
		return false
	}).Walk(module)
	return mentions
}

// inputPath gives the parts of a reference into the input; nil for anything else.
func inputPath(term *ast.Term) []string {
	ref, isRef := term.Value.(ast.Ref)
	if !isRef || len(ref) < 2 || !isInput(ref[0].Value) {
		return nil
	}
	path := make([]string, 0, len(ref)-1)
	for _, part := range ref[1:] {
		text, isText := part.Value.(ast.String)
		if !isText {
			return nil
		}
		path = append(path, string(text))
	}
	return path
}

// textsOf gives a text, or those of a written array or set.
func textsOf(path []string, term *ast.Term) []Mention {
	switch value := term.Value.(type) {
	case ast.String:
		return []Mention{{Path: path, Text: string(value), Row: term.Location.Row, Col: term.Location.Col}}
	case *ast.Array:
		var mentions []Mention
		value.Foreach(func(item *ast.Term) { mentions = append(mentions, textsOf(path, item)...) })
		return mentions
	case ast.Set:
		var mentions []Mention
		value.Foreach(func(item *ast.Term) { mentions = append(mentions, textsOf(path, item)...) })
		return mentions
	}
	return nil
}
