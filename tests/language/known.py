"""Programs that an adversary found to be wrong and that still are, and why. The list is to shrink.

Each is an expected failure, strictly: one that is mended has to leave the list.
"""

WRONG: dict[str, str] = {}

REFUSED_PROGRAMS = frozenset(
    """
    adversary_dtypes_2.resize_ adversary_dtypes_2.shape_set adversary_dtypes_2.shape_set_inactive
    adversary_effects_2.tryexcept adversary_effects_2.tryexcept_loop adversary_handed.gen_next
    adversary_handed.schedule adversary_handed.schedule_enum adversary_holders.rule_identity
    adversary_holders.rule_identity_inactive adversary_holders.rule_view
    adversary_holders_2.masked_array adversary_holders_2.object_array
    adversary_holders_2.structured_active adversary_idioms.breadth_first adversary_idioms.delay_line
    adversary_idioms.full_buffer adversary_idioms.moving_average adversary_idioms.queue
    adversary_idioms.queue_handed_on adversary_lent.cached adversary_lent.setstate
    adversary_lent_2.exitstack adversary_loops.nested_try adversary_loops.partial_store_shape_error
    adversary_loops.suppress_store adversary_loops.try_partial adversary_loops.try_partial_multi
    adversary_loops_2.raises_in_helper adversary_parts.namedtuple_store adversary_pure.set_helper
    adversary_pure.vectorize_mut adversary_special.sorted_objs adversary_views.imag_store
    aliased.recursion_changes_object aliased.subclass_of_dict aliased.subclass_of_dict_argument
    broken.iterator_read_twice calls.function_in_loop_variable
    changed_by_another_name.in_a_checkpointed_call clauses_by_type.list_comprehension
    clauses_by_type.list_comprehension_of_calls clauses_by_type.negated_where_inside
    clauses_by_type.what_comes_before_may_raise complex_results.lists_of_parts_by_recursion
    dicts_that_change.buckets_by_default dicts_that_change.conductances_by_node
    dicts_that_change.items_of_a_defaultdict dicts_that_change.number_as_a_key edges.cached_helper
    edges.early_binding_by_default edges.evaluated_text edges.function_attribute
    edges.half_executed_try edges.iterated_by_nditer edges.mutable_default edges.names_from_locals
    edges.raise_caught_around_loop edges.set_of_values edges.shuffled edges.suppressed
    edges.through_text effects_in_tests.a_callback fields.changed_in_try
    functions_made.kept_on_a_heap keys_of_dicts.keys_of_a_defaultdict
    keys_of_dicts.keys_of_several_types
    lists_that_change.memo_list_of_none merged.made_for_a_missing_key merged.memory_of_a_view
    merged.numbers_joined_to_few_digits merged.read_back_from_keys
    nested_recursion.axes_added_by_recursion reached_twice.deque_summed
    reached_twice.lists_by_parity reached_twice.sums_by_letter
    rules_of_numpy.polynomial_that_is_made_inside views_and_iterators.keys_as_sets
    tuples_as_indices.stores_along_a_path writers.options_that_say_nothing
    """.split()
)
"""Of the programs that the compiler may refuse, those that it does, with some Python or NumPy.
Their runs are followed (`tests/tracing/test_corpus_followed.py`).
"""
