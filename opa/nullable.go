// Comparisons with null. OPA has no type for "text or null", so its checker refuses a comparison of a nullable field with null.

package main

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
)

// withoutPossibleNulls leaves out the errors about comparisons with null that can hold. Certain is only a field of the input that the
// schema never lets be null.
func withoutPossibleNulls(errors ast.Errors, schema any) ast.Errors {
	return slices.DeleteFunc(errors, func(err *ast.Error) bool {
		detail, isMatch := err.Details.(*ast.UnificationErrDetail)
		if !isMatch || (!isNull(detail.Left) && !isNull(detail.Right)) {
			return false
		}
		return err.Location == nil || !isNeverNull(string(err.Location.Text), schema)
	})
}

func isNull(found types.Type) bool {
	_, is := found.(types.Null)
	return is
}

// isNeverNull says whether the text of an expression compares such a field.
func isNeverNull(text string, schema any) bool {
	body, err := ast.ParseBodyWithOpts(text, ast.ParserOptions{RegoVersion: ast.RegoV1})
	if err != nil || len(body) != 1 || !body[0].IsCall() {
		return false
	}
	return slices.ContainsFunc(body[0].Operands(), func(operand *ast.Term) bool {
		reference, isRef := operand.Value.(ast.Ref)
		return isRef && reference.HasPrefix(ast.InputRootRef) && schemaNever(schema, reference[1:])
	})
}

// schemaNever follows a reference through a schema and says whether what is there cannot be null.
func schemaNever(schema any, reference ast.Ref) bool {
	at, _ := schema.(map[string]any)
	for _, part := range reference {
		next := at["items"]
		if name, isText := part.Value.(ast.String); isText {
			properties, _ := at["properties"].(map[string]any)
			next = properties[string(name)]
		}
		at, _ = next.(map[string]any)
	}
	_, isOneType := at["type"].(string)
	return isOneType
}
