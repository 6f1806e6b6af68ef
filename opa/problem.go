// Errors of OPA as data, with the position a person can go to.

package main

import (
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
)

// Problem is one error. Row and Col count from 1, Col in characters; 0 means not known.
type Problem struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	File    string   `json:"file,omitempty"`
	Row     int      `json:"row,omitempty"`
	Col     int      `json:"col,omitempty"`
	Text    string   `json:"text,omitempty"`
	Details []string `json:"details,omitempty"`
	// Ref is a reference that is undefined, "[_]" where a part is not a constant; At is its first undefined part.
	Ref []string `json:"ref,omitempty"`
	At  int      `json:"at,omitempty"`
	// OneOf are the names that could stand there.
	OneOf []string `json:"one_of,omitempty"`
}

// codeInternal marks what is a fault of this program or of OPA, never of the policy's author.
const codeInternal = "internal_error"

// explain turns any error of OPA into problems, however it is wrapped.
func explain(err error) []Problem {
	var many ast.Errors
	if errors.As(err, &many) {
		problems := make([]Problem, 0, len(many))
		for _, one := range many {
			problems = append(problems, locate(one))
		}
		return problems
	}
	var one *ast.Error
	if errors.As(err, &one) {
		return []Problem{locate(one)}
	}
	var unformatted format.UnformattedError
	if errors.As(err, &unformatted) {
		return []Problem{{Code: ast.FormatErr, Message: err.Error()}}
	}
	return []Problem{{Code: codeInternal, Message: err.Error()}}
}

func locate(err *ast.Error) Problem {
	problem := Problem{Code: err.Code, Message: err.Message}
	if err.Details != nil {
		problem.Details = err.Details.Lines()
	}
	switch detail := err.Details.(type) {
	case *ast.RefErrInvalidDetail:
		problem.Ref, problem.At = partsOf(detail.Ref), detail.Pos
		for _, one := range detail.OneOf {
			if text, isText := one.(ast.String); isText {
				problem.OneOf = append(problem.OneOf, string(text))
			}
		}
	case *ast.RefErrUnsupportedDetail:
		problem.Ref, problem.At = partsOf(detail.Ref), detail.Pos+1
	}
	if at := err.Location; at != nil {
		problem.File, problem.Row, problem.Col, problem.Text = at.File, at.Row, at.Col, string(at.Text)
	}
	return problem
}

func partsOf(reference ast.Ref) []string {
	parts := make([]string, 0, len(reference))
	for i, part := range reference {
		switch value := part.Value.(type) {
		case ast.String:
			parts = append(parts, string(value))
		case ast.Var:
			if i == 0 {
				parts = append(parts, string(value))
				continue
			}
			parts = append(parts, "[_]")
		default:
			parts = append(parts, "[_]")
		}
	}
	return parts
}

func internal(what string, cause any) []Problem {
	return []Problem{{Code: codeInternal, Message: fmt.Sprintf("%s: %v", what, cause)}}
}
