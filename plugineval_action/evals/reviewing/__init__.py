"""Reviews of recorded work by a model, or by a grader outside: read only, by a rubric."""
