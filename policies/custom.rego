# METADATA
# title: Decisions of custom policies
# description: None. The compiler puts a generated module in this one's place when there are custom policies.
package modes.custom

# METADATA
# description: Every decision of a custom policy, as {"name", "effect", "value", "file", "line"}.
decisions := set()
