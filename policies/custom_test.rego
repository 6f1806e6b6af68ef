package modes_test

test_without_custom_policies_nothing_is_decided if {
	count(data.modes.custom.decisions) == 0
	answer(reading(path("a.ts")), rules([])).policies == set()
}
