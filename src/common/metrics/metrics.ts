import { Counter, CounterConfiguration, Histogram, HistogramConfiguration, register } from 'prom-client';

/**
 * Metrics live in the process-wide default registry. Asking for one that exists returns it, so that modules can
 * be instantiated more than once in a process (tests, several applications).
 */
export function counter<L extends string>(options: CounterConfiguration<L>): Counter<L> {
  return (register.getSingleMetric(options.name) as Counter<L> | undefined) ?? new Counter(options);
}

export function histogram<L extends string>(options: HistogramConfiguration<L>): Histogram<L> {
  return (register.getSingleMetric(options.name) as Histogram<L> | undefined) ?? new Histogram(options);
}
