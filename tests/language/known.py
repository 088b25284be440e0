"""Programs that an adversary found to be wrong and that still are, and why. The list is to shrink.

Each is an expected failure, strictly: one that is mended has to leave the list.
"""

WRONG: dict[str, str] = {}

REFUSED_PROGRAMS = frozenset(
    """
    adversary_dtypes_2.resize_ adversary_dtypes_2.shape_set adversary_dtypes_2.shape_set_inactive
    adversary_handed.gen_next adversary_holders.rule_identity
    adversary_holders.rule_identity_inactive adversary_holders.rule_view
    adversary_holders_2.masked_array adversary_holders_2.object_array
    adversary_holders_2.structured_active adversary_lent.setstate
    adversary_loops_2.raises_in_helper adversary_parts.namedtuple_store adversary_views.imag_store
    aliased.recursion_changes_object aliased.subclass_of_dict aliased.subclass_of_dict_argument
    broken.iterator_read_twice changed_by_another_name.in_a_checkpointed_call
    complex_results.lists_of_parts_by_recursion dicts_that_change.number_as_a_key
    edges.early_binding_by_default edges.evaluated_text edges.function_attribute
    edges.iterated_by_nditer edges.mutable_default edges.names_from_locals edges.set_of_values
    edges.shuffled edges.through_text functions_made.kept_on_a_heap
    keys_of_dicts.keys_of_several_types merged.made_for_a_missing_key merged.memory_of_a_view
    merged.numbers_joined_to_few_digits merged.read_back_from_keys
    nested_recursion.axes_added_by_recursion rules_of_numpy.polynomial_that_is_made_inside
    writers.options_that_say_nothing
""".split()
)
"""Of the programs that may be refused, those that are, with some Python or NumPy: the list is to
shrink, too.
"""
