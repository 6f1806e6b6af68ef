// Texts that calls have to be read by: what is wrong with a format or an expression can be told before it runs.

package main

import (
	"regexp"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Literal is a format or an expression that stands in a call as it is, or in a constant that the call is given.
type Literal struct {
	// Call is the name of the function.
	Call string `json:"call"`
	Text string `json:"text"`
	// Error is what is wrong with an expression; empty for a format.
	Error string `json:"error,omitempty"`
	Row   int    `json:"row"`
	Col   int    `json:"col"`
}

// patterns is where the expression stands among the arguments.
var patterns = map[string]int{"regex.match": 0, "regex.find_all_string_submatch_n": 0, "regex.replace": 1}

// literalsOf lists them in the order of the text.
func literalsOf(module *ast.Module) []Literal {
	var literals []Literal
	constants := constantsOf(module)
	eachCall(module, func(terms []*ast.Term) {
		if len(terms) < 2 {
			return
		}
		call := terms[0].String()
		at, isPattern := patterns[call]
		if (!isPattern && call != "sprintf") || at+1 >= len(terms) {
			return
		}
		term := constants.valueOf(terms[at+1])
		text, isText := term.Value.(ast.String)
		if !isText {
			return
		}
		literal := Literal{Call: call, Text: string(text), Row: term.Location.Row, Col: term.Location.Col}
		if isPattern {
			if _, err := regexp.Compile(literal.Text); err != nil {
				literal.Error = err.Error()
			}
		}
		literals = append(literals, literal)
	})
	return literals
}
