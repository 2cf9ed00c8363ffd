import type { NextFunction, Request, Response } from 'express';
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
export function polledGauge<L extends string>(
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

const duration = histogram({
  name: 'mailroom_http_request_duration_seconds',
  help: 'Time to answer HTTP requests, by route pattern; event streams are left out',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});

/** Times every request under its route pattern (never the path: ids would be one series each). */
export function httpMetrics(request: Request, response: Response, next: NextFunction): void {
  const stop = duration.startTimer();
  response.once('close', () => {
    if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return;
    const route = (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
    stop({ method: request.method, route, status: String(response.statusCode) });
  });
  next();
}
