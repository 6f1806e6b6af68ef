// Tests by the topdown evaluator, for coverage. Verdicts of tests come from the WASM that is shipped, not from here.

package main

import (
	"context"
	"time"

	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"
)

// testTimeout bounds one test; the host bounds all of them.
const testTimeout = 5 * time.Second

// Test is the outcome of one test_ rule.
type Test struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	File    string `json:"file"`
	Row     int    `json:"row"`
	Col     int    `json:"col"`
	Fail    bool   `json:"fail"`
	Skip    bool   `json:"skip"`
	Error   string `json:"error,omitempty"`
	// Micros is how long it took.
	Micros int64 `json:"us"`
}

// test runs the tests of all modules and reports which lines they reach.
func test(request Request) Answer {
	capabilities, err := capabilitiesOf(request)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	parsed, problems := parse(request, capabilities)
	if len(problems) > 0 {
		return Answer{Errors: problems}
	}
	coverage := cover.New()
	runner := tester.NewRunner().
		SetCompiler(newCompiler(capabilities)).
		SetStore(inmem.NewFromObject(dataOf(request))).
		SetModules(parsed).
		SetCoverageQueryTracer(coverage).
		SetParallel(1).
		SetTimeout(testTimeout).
		Filter(request.Filter)
	results, err := runner.RunTests(context.Background(), nil)
	if err != nil {
		return Answer{Errors: explain(err)}
	}
	tests := []Test{}
	for result := range results {
		tests = append(tests, outcome(result))
	}
	return Answer{Tests: tests, Coverage: coverage.Report(parsed)}
}

func outcome(result *tester.Result) Test {
	made := Test{
		Package: result.Package,
		Name:    result.Name,
		Fail:    result.Fail,
		Skip:    result.Skip,
		Micros:  result.Duration.Microseconds(),
	}
	if at := result.Location; at != nil {
		made.File, made.Row, made.Col = at.File, at.Row, at.Col
	}
	if result.Error != nil {
		made.Error = result.Error.Error()
	}
	return made
}
