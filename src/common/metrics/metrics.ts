import {
  Counter,
  CounterConfiguration,
  Gauge,
  GaugeConfiguration,
  Histogram,
  HistogramConfiguration,
  register,
} from 'prom-client';

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

/**
 * A gauge that asks on every scrape. With several applications in a process it follows the newest, whose database is
 * there; without an answer its series end, and everything else is scraped as usual.
 */
export function askingGauge<L extends string>(
  options: GaugeConfiguration<L>,
  ask: () => Promise<(gauge: Gauge<L>) => void>,
  onFailure: (error: unknown) => void,
): void {
  register.removeSingleMetric(options.name);
  const gauge: Gauge<L> = new Gauge({
    ...options,
    collect: async () => {
      const answer = await ask().catch(onFailure);
      gauge.reset();
      answer?.(gauge);
    },
  });
}
