// Type errors that OPA's own checker misses, because it types parameters of functions, results of functions and the variable of `every`
// as any, and lets operators such as != and < compare anything.

package main

import (
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

const (
	// maxInlineDepth bounds how deep calls of functions are followed.
	maxInlineDepth = 12
	// maxInlined bounds the calls that are followed in all, maxInlineSteps the expressions made from them: functions that call each other
	// many times would be exponentially many. Beyond it OPA's own checker has the last word.
	maxInlined     = 2_000
	maxInlineSteps = 20_000
	// maxPrefix bounds the expressions that stand before a call.
	maxPrefix = 500
)

// step is one expression of a flattened body. Only errors in an owned one are reported: the others give variables their types.
type step struct {
	expr  *ast.Expr
	owned bool
}

// flattener writes rules as bodies without calls and closures, which OPA's checker can type: the body of a function takes the place of
// its call, with its parameters equal to the arguments.
type flattener struct {
	compiler  *ast.Compiler
	functions map[string][]*ast.Rule
	constants map[string]ast.Value
	// names are the variables as written, by the names that they have here.
	names  map[ast.Var]ast.Var
	bodies []*ast.Rule
	// owners say in which body a location is owned.
	owners map[*ast.Location]int
	// alternatives are bodies of functions with several definitions, which may tell values apart by their type.
	alternatives map[int]bool
	fresh        int
	steps        int
	// inlined counts the calls that were followed.
	inlined int
}

// typeErrors checks compiled modules once more, flattened. An error in a function counts only if every call of it has the error.
func typeErrors(compiler *ast.Compiler) []*ast.Error {
	f := &flattener{
		compiler:  compiler,
		functions: map[string][]*ast.Rule{},
		constants: map[string]ast.Value{},
		names:     map[ast.Var]ast.Var{},
		owners:    map[*ast.Location]int{},

		alternatives: map[int]bool{},
	}
	var roots []*ast.Rule
	for _, module := range compiler.Modules {
		for _, rule := range module.Rules {
			if len(rule.Head.Args) > 0 {
				name := rule.Ref().String()
				f.functions[name] = append(f.functions[name], rule)
				continue
			}
			roots = append(roots, rule)
			if value := constantOf(compiler, rule); value != nil {
				f.constants[rule.Ref().String()] = value
			}
		}
	}
	for _, root := range roots {
		for rule := root; rule != nil; rule = rule.Else {
			f.emit(nil, f.expand(nil, rule.Body, 0), root.Module)
		}
	}
	return f.check()
}

// constantOf gives the text that a rule always has; nil if it has none.
func constantOf(compiler *ast.Compiler, rule *ast.Rule) ast.Value {
	if rule.Else != nil || rule.Head.RuleKind() != ast.SingleValue || len(compiler.GetRulesExact(rule.Ref())) != 1 {
		return nil
	}
	if text, isText := rule.Head.Value.Value.(ast.String); isText && len(rule.Body) == 1 && rule.Body[0].Equal(ast.NewExpr(ast.BooleanTerm(true))) {
		return text
	}
	return nil
}

// check types all bodies at once and keeps the errors that hold wherever the place occurs.
func (f *flattener) check() []*ast.Error {
	present := map[string]map[int]bool{}
	for location, body := range f.owners {
		mark(present, placeOf(location), body)
	}
	failing := map[string]map[int]bool{}
	first := map[string]*ast.Error{}
	var order []string
	for _, err := range f.compiler.PassesTypeCheckRules(f.bodies) {
		body, owned := f.owners[err.Location]
		if !owned || (f.alternatives[body] && !isUndefined(err)) {
			continue
		}
		place := placeOf(err.Location)
		if first[place] == nil {
			first[place] = err
			order = append(order, place)
		}
		mark(failing, place, body)
	}
	var errors []*ast.Error
	for _, place := range order {
		if len(failing[place]) == len(present[place]) {
			errors = append(errors, f.asWritten(first[place]))
		}
	}
	return errors
}

func isUndefined(err *ast.Error) bool {
	switch err.Details.(type) {
	case *ast.RefErrInvalidDetail, *ast.RefErrUnsupportedDetail:
		return true
	}
	return false
}

func mark(in map[string]map[int]bool, place string, body int) {
	if in[place] == nil {
		in[place] = map[int]bool{}
	}
	in[place][body] = true
}

func placeOf(location *ast.Location) string {
	return fmt.Sprintf("%s:%d:%d", location.File, location.Row, location.Col)
}

// asWritten gives variables the names that the author gave them.
func (f *flattener) asWritten(err *ast.Error) *ast.Error {
	var ref *ast.Ref
	switch detail := err.Details.(type) {
	case *ast.RefErrInvalidDetail:
		ref = &detail.Ref
	case *ast.RefErrUnsupportedDetail:
		ref = &detail.Ref
	default:
		return err
	}
	*ref = ref.Copy()
	for i, term := range *ref {
		if name, isVar := term.Value.(ast.Var); isVar {
			(*ref)[i] = ast.NewTerm(f.written(name))
		}
	}
	err.Message = "undefined ref: " + ref.String()
	return err
}

func (f *flattener) written(name ast.Var) ast.Var {
	if original, known := f.names[name]; known {
		name = original
	}
	if original, known := f.compiler.RewrittenVars[name]; known {
		name = original
	}
	if strings.HasPrefix(string(name), "__local") {
		return ast.Var("_")
	}
	return name
}

// expand flattens a body that stands after the steps of prefix.
func (f *flattener) expand(prefix []step, body ast.Body, depth int) []step {
	var own []step
	before := func() []step { return append(append([]step{}, prefix...), own...) }
	for _, expr := range body {
		f.closures(before, expr, depth)
		own = append(own, f.expandExpr(before(), expr, depth)...)
	}
	return own
}

func (f *flattener) expandExpr(before []step, expr *ast.Expr, depth int) []step {
	if !expr.IsCall() {
		return []step{{expr, true}}
	}
	if definitions := f.functions[expr.Operator().String()]; len(definitions) > 0 {
		return f.expandCall(before, expr, definitions, depth)
	}
	made := []step{{expr, true}}
	for _, probe := range f.probesOf(expr, before) {
		probe.Location = expr.Location
		made = append(made, step{probe, true})
	}
	return made
}

// expandCall puts the body of a function that is defined once in the place of its call. Other definitions are looked at one by one.
func (f *flattener) expandCall(before []step, call *ast.Expr, definitions []*ast.Rule, depth int) []step {
	opaque := []step{{call, true}}
	if depth >= maxInlineDepth || f.inlined >= maxInlined || len(before) > maxPrefix || len(call.With) > 0 {
		return opaque
	}
	f.inlined++
	if len(definitions) == 1 && definitions[0].Else == nil {
		return f.inline(before, call, definitions[0], depth)
	}
	for _, definition := range definitions {
		for rule := definition; rule != nil; rule = rule.Else {
			steps := f.inline(before, call, rule, depth)
			f.alternatives[len(f.bodies)] = true
			f.emit(before, steps, definition.Module)
		}
	}
	return opaque
}

// inline gives the steps of one definition, under variables of its own.
func (f *flattener) inline(before []step, call *ast.Expr, rule *ast.Rule, depth int) []step {
	rename := f.renaming(rule)
	arguments := call.Operands()
	equal := func(own, given *ast.Term) step {
		return step{rename(ast.NewBody(ast.NewExpr(own)))[0], false}.equalTo(given)
	}
	var steps []step
	for i, parameter := range rule.Head.Args {
		if i < len(arguments) {
			steps = append(steps, equal(parameter, arguments[i]))
		}
	}
	steps = append(steps, f.expand(append(append([]step{}, before...), steps...), rename(rule.Body), depth+1)...)
	if len(arguments) > len(rule.Head.Args) {
		steps = append(steps, equal(rule.Head.Value, arguments[len(arguments)-1]))
	}
	return steps
}

// equalTo says that the one term of a step equals another.
func (one step) equalTo(given *ast.Term) step {
	return step{ast.Equality.Expr(one.expr.Terms.(*ast.Term), given), one.owned}
}

// renaming gives the variables of a rule names that no other use of it has.
func (f *flattener) renaming(rule *ast.Rule) func(ast.Body) ast.Body {
	f.fresh++
	suffix := fmt.Sprintf("i%d", f.fresh)
	local := map[ast.Var]ast.Var{}
	visitor := ast.NewVarVisitor().WithParams(ast.VarVisitorParams{SkipRefCallHead: true})
	visitor.Walk(rule.Head.Args)
	visitor.Walk(rule.Body)
	if rule.Head.Value != nil {
		visitor.Walk(rule.Head.Value)
	}
	for name := range visitor.Vars() {
		if !ast.RootDocumentNames.Contains(ast.NewTerm(name)) {
			local[name] = name + ast.Var(suffix)
			f.names[local[name]] = f.written(name)
		}
	}
	return func(body ast.Body) ast.Body {
		renamed, err := ast.TransformVars(body.Copy(), func(name ast.Var) (ast.Value, error) {
			if to, known := local[name]; known {
				return to, nil
			}
			return name, nil
		})
		if result, isBody := renamed.(ast.Body); err == nil && isBody {
			return result
		}
		return body
	}
}

// closures flattens the bodies inside an expression, each into a body of its own that knows what stands before it.
func (f *flattener) closures(before func() []step, expr *ast.Expr, depth int) {
	look := func(body ast.Body, known ...step) {
		prefix := append(before(), known...)
		f.emit(prefix, f.expand(prefix, body, depth), nil)
	}
	ast.WalkClosures(expr, func(node any) bool {
		switch node := node.(type) {
		case *ast.ArrayComprehension:
			look(node.Body)
		case *ast.SetComprehension:
			look(node.Body)
		case *ast.ObjectComprehension:
			look(node.Body)
		case *ast.Not:
			look(node.Body)
		case *ast.Every:
			look(node.Body, iteration(node)...)
		case *ast.LogicalAnd:
			look(append(node.Lhs.Copy(), node.Rhs.Copy()...))
		case *ast.LogicalOr:
			look(node.Lhs)
			look(node.Rhs)
		}
		return true
	})
}

// iteration gives the variables of `every` the types of what it goes through.
func iteration(every *ast.Every) []step {
	key := every.Key
	if key == nil {
		key = ast.VarTerm("every_key" + string(every.Value.Value.(ast.Var)))
	}
	var of ast.Ref
	var steps []step
	switch domain := every.Domain.Value.(type) {
	case ast.Ref:
		of = domain.Copy()
	case ast.Var:
		of = ast.Ref{every.Domain}
	default:
		name := ast.VarTerm("every_domain" + string(every.Value.Value.(ast.Var)))
		steps = append(steps, step{ast.Equality.Expr(name, every.Domain), false})
		of = ast.Ref{name}
	}
	return append(steps, step{ast.Equality.Expr(every.Value, ast.NewTerm(of.Append(key))), false})
}

// compared are operators that take any two values, though only values of one type can be told apart by them.
var compared = map[string]bool{"neq": true, "lt": true, "lte": true, "gt": true, "gte": true}

// probesOf says the same as a call in a form that OPA's checker types.
func (f *flattener) probesOf(expr *ast.Expr, before []step) []*ast.Expr {
	operands := expr.Operands()
	switch name := expr.Operator().String(); {
	case compared[name] && len(operands) >= 2:
		return []*ast.Expr{ast.Equality.Expr(operands[0], operands[1])}
	case name == "object.get" && len(operands) >= 2:
		key := operands[1]
		if name, isVar := key.Value.(ast.Var); isVar {
			if text := f.constantsIn(before)[name]; text != nil {
				key = &ast.Term{Value: text, Location: key.Location}
			}
		}
		return lookUp(resolve(operands[0], before), key)
	case name == "object.filter" && len(operands) >= 2:
		var probes []*ast.Expr
		if keys, isArray := operands[1].Value.(*ast.Array); isArray {
			keys.Foreach(func(key *ast.Term) { probes = append(probes, lookUp(resolve(operands[0], before), key)...) })
		}
		return probes
	}
	return nil
}

// resolve gives the reference that the compiler put a variable of its own in the place of.
func resolve(term *ast.Term, before []step) *ast.Term {
	name, isVar := term.Value.(ast.Var)
	if !isVar || !strings.HasPrefix(string(name), "__local") {
		return term
	}
	for _, one := range before {
		if !one.expr.IsEquality() {
			continue
		}
		if _, isRef := one.expr.Operand(1).Value.(ast.Ref); isRef && one.expr.Operand(0).Equal(term) {
			return one.expr.Operand(1)
		}
	}
	return term
}

// lookUp writes object.get(of, key, …) as a reference.
func lookUp(of, key *ast.Term) []*ast.Expr {
	var reference ast.Ref
	switch value := of.Value.(type) {
	case ast.Ref:
		reference = value.Copy()
	case ast.Var:
		reference = ast.Ref{of.Copy()}
	default:
		return nil
	}
	path := []*ast.Term{key}
	if keys, isArray := key.Value.(*ast.Array); isArray {
		path = nil
		keys.Foreach(func(one *ast.Term) { path = append(path, one) })
	}
	for _, one := range path {
		if _, isText := one.Value.(ast.String); !isText {
			if _, isNumber := one.Value.(ast.Number); !isNumber {
				break
			}
		}
		reference = append(reference, one.Copy())
	}
	if len(reference) == 1 {
		return nil
	}
	return []*ast.Expr{ast.NewExpr(ast.NewTerm(reference))}
}

// emit adds a body to what is checked.
func (f *flattener) emit(prefix, own []step, module *ast.Module) {
	steps := append(append([]step{}, prefix...), own...)
	if module == nil {
		module = f.anyModule()
	}
	f.steps += len(steps)
	if len(own) == 0 || f.steps > maxInlineSteps {
		return
	}
	known := f.constantsIn(steps)
	number := len(f.bodies)
	body := make(ast.Body, 0, len(steps))
	for i, one := range steps {
		expr := withConstants(one.expr.Copy(), known)
		expr.Index = i
		if one.owned && i >= len(prefix) {
			f.own(expr, number)
		}
		body = append(body, expr)
	}
	f.bodies = append(f.bodies, &ast.Rule{
		Head:   &ast.Head{Name: "flattened", Reference: ast.Ref{ast.VarTerm("flattened")}, Value: ast.BooleanTerm(true)},
		Body:   body,
		Module: module,
	})
}

func (f *flattener) anyModule() *ast.Module {
	for _, module := range f.compiler.Modules {
		return module
	}
	return nil
}

// constantsIn are the texts that variables of these steps must have.
func (f *flattener) constantsIn(steps []step) map[ast.Var]ast.Value {
	known := map[ast.Var]ast.Value{}
	for _, one := range steps {
		if !one.expr.IsEquality() || one.expr.Negated {
			continue
		}
		operands := one.expr.Operands()
		for _, sides := range [][2]*ast.Term{{operands[0], operands[1]}, {operands[1], operands[0]}} {
			name, isVar := sides[0].Value.(ast.Var)
			if !isVar {
				continue
			}
			switch value := sides[1].Value.(type) {
			case ast.String:
				known[name] = value
			case ast.Var:
				if text := known[value]; text != nil {
					known[name] = text
				}
			case ast.Ref:
				if text := f.constants[value.String()]; text != nil {
					known[name] = text
				}
			}
		}
	}
	return known
}

// withConstants writes them into references, where OPA's checker wants to see them.
func withConstants(expr *ast.Expr, known map[ast.Var]ast.Value) *ast.Expr {
	if len(known) == 0 {
		return expr
	}
	ast.WalkRefs(expr, func(reference ast.Ref) bool {
		for i := 1; i < len(reference); i++ {
			if name, isVar := reference[i].Value.(ast.Var); isVar && known[name] != nil {
				reference[i] = &ast.Term{Value: known[name], Location: reference[i].Location}
			}
		}
		return false
	})
	return expr
}

// own gives every part of an expression a location of its own, by which an error in it is known; closures are bodies of their own.
func (f *flattener) own(expr *ast.Expr, body int) {
	visit := func(node any) bool {
		located, isNode := node.(interface {
			Loc() *ast.Location
			SetLoc(*ast.Location)
		})
		if isNode {
			if at := located.Loc(); at != nil {
				copied := *at
				located.SetLoc(&copied)
				f.owners[&copied] = body
			}
		}
		switch node.(type) {
		case *ast.ArrayComprehension, *ast.SetComprehension, *ast.ObjectComprehension, *ast.Every, *ast.Not, *ast.LogicalAnd, *ast.LogicalOr:
			return true
		}
		return false
	}
	ast.NewGenericVisitor(visit).Walk(expr)
}
