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
	constants := constantsOf(module)
	for _, rule := range module.Rules {
		known := namesOf(rule)
		eachCall(rule, func(terms []*ast.Term) {
			if len(terms) != 3 || !comparisons[terms[0].String()] {
				return
			}
			for _, sides := range [][2]*ast.Term{{terms[1], terms[2]}, {terms[2], terms[1]}} {
				if path := known.path(sides[0]); path != nil {
					mentions = append(mentions, textsOf(path, constants.valueOf(sides[1]))...)
				}
			}
		})
	}
	return mentions
}

// constants are the values of rules without a condition that are used in one place alone, by name.
type constants map[string]*ast.Term

func constantsOf(module *ast.Module) constants {
	found, seen := constants{}, map[string]int{}
	always := ast.NewBody(ast.NewExpr(ast.BooleanTerm(true)))
	for _, rule := range module.Rules {
		head := rule.Head
		if head.RuleKind() == ast.SingleValue && len(head.Ref()) == 1 && len(head.Args) == 0 && rule.Else == nil && rule.Body.Equal(always) {
			found[string(head.Name)] = head.Value
		}
		ast.WalkVars(rule, func(variable ast.Var) bool {
			seen[string(variable)]++
			return false
		})
	}
	for name := range found {
		// Once in its own head, once where it is used.
		if seen[name] != 2 {
			delete(found, name)
		}
	}
	return found
}

// valueOf gives what a constant stands for, else the term itself.
func (known constants) valueOf(term *ast.Term) *ast.Term {
	if variable, isVar := term.Value.(ast.Var); isVar && known[string(variable)] != nil {
		return known[string(variable)]
	}
	return term
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
