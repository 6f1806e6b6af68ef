# METADATA
# title: Decisions of custom policies
# description: >-
#   Custom policies are evaluated separately, and their decisions are part of the input. In a bundle for OPA, a generated module
#   replaces this one and evaluates them.
package modes.custom

# METADATA
# description: Every decision of a custom policy, as {"name", "effect", "value", "file", "line"}.
decisions contains decision if some decision in input.custom
