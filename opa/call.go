// Calls of functions and operators, wherever they stand.

package main

import "github.com/open-policy-agent/opa/v1/ast"

// eachCall gives look the terms of every call, the function first, in the order of the text.
func eachCall(within any, look func(terms []*ast.Term)) {
	ast.NewGenericVisitor(func(node any) bool {
		switch node := node.(type) {
		case *ast.Expr:
			if terms, isCall := node.Terms.([]*ast.Term); isCall {
				look(terms)
			}
		case ast.Call:
			look(node)
		}
		return false
	}).Walk(within)
}
