// The compiler of Modes: OPA behind one function, JSON in and JSON out.
//
// Built for wasip1 as a reactor (reactor.go); built natively it answers one request from standard input (native.go).

package main

import (
	"bytes"
	"encoding/json"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/version"
)

// operations is everything that can be asked.
var operations = map[string]func(Request) Answer{
	"build":        build,
	"check":        check,
	"inspect":      inspect,
	"fmt":          formatSources,
	"test":         test,
	"eval":         eval,
	"capabilities": capabilities,
}

// capabilities tells which builtins this OPA knows and its version.
func capabilities(Request) Answer {
	return Answer{Capabilities: ast.CapabilitiesForThisVersion(), Version: version.Version}
}

// handle answers one request. It always gives JSON: whatever goes wrong is an error in the answer.
func handle(input []byte) []byte {
	output, err := json.Marshal(answer(input))
	if err != nil {
		output, err = json.Marshal(Answer{Errors: internal("the answer cannot be written", err)})
		if err != nil {
			return []byte(`{"errors":[{"code":"internal_error","message":"the answer cannot be written"}]}`)
		}
	}
	return output
}

func answer(input []byte) (made Answer) {
	// INVARIANT: a panic inside OPA is an answer, never the end of the process without one.
	defer func() {
		if cause := recover(); cause != nil {
			made = Answer{Errors: internal("panic", cause)}
		}
	}()
	var request Request
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	if err := decoder.Decode(&request); err != nil {
		return Answer{Errors: internal("the request cannot be read", err)}
	}
	operation, known := operations[request.Op]
	if !known {
		return Answer{Errors: internal("unknown operation", request.Op)}
	}
	return operation(request)
}
