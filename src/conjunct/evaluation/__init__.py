"""Cross-validation, figures of merit, intervals and progress: arrays and callables, no estimator."""
