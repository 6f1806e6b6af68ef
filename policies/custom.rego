# METADATA
# title: Decisions of custom policies
# description: >-
#   They are evaluated by themselves and come with the input. In a bundle for OPA a generated module that asks them takes this one's place.
package modes.custom

# METADATA
# description: Every decision of a custom policy, as {"name", "effect", "value", "file", "line"}.
decisions contains decision if some decision in input.custom
