// Tests by the topdown evaluator, for coverage. Verdicts of tests come from the WASM that is shipped, not from here.

package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
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
	// Failed is the expression that ended it, when that was asked for.
	Failed *Failed `json:"failed,omitempty"`
	// Output is what its print calls wrote, when explanations were asked for.
	Output string `json:"output,omitempty"`
}

// Failed is an expression that does not hold, as written, with the values of its parts below them.
type Failed struct {
	File string `json:"file"`
	Row  int    `json:"row"`
	Text string `json:"text"`
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
	compiler := newCompiler(capabilities)
	if request.Explain {
		compiler = compiler.WithRewriteTestRules(true).WithEnablePrintStatements(true)
	}
	runner := tester.NewRunner().
		SetCompiler(compiler).
		EnableTracing(request.Explain).
		CapturePrintOutput(request.Explain).
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
	if result.Fail {
		made.Failed = failedOf(result.Trace)
	}
	made.Output = string(result.Output)
	return made
}

// failedOf finds the last expression that failed. Of an `every`, the one inside it is of interest.
func failedOf(trace []*topdown.Event) *Failed {
	for _, event := range slices.Backward(trace) {
		if event.Op != topdown.FailOp || event.Location == nil || event.QueryID == 0 {
			continue
		}
		if expr, isExpr := event.Node.(*ast.Expr); isExpr {
			if _, isEvery := expr.Terms.(*ast.Every); isEvery {
				continue
			}
		}
		var text strings.Builder
		if err := topdown.PrettyEvent(&text, event, topdown.PrettyEventOpts{PrettyVars: true}); err != nil {
			return nil
		}
		return &Failed{File: event.Location.File, Row: event.Location.Row, Text: text.String()}
	}
	return nil
}
