import { Injectable } from '@nestjs/common';
import { Counter, Histogram, register } from 'prom-client';

export type CallOutcome = 'ok' | 'rate_limited' | 'unavailable' | 'unauthorized' | 'refused' | 'aborted';

/** Several instances of the service may share a process (tests), but never two metrics a name. */
function counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
  const known = register.getSingleMetric(name) as Counter<L> | undefined;
  return known ?? new Counter({ name, help, labelNames: [...labelNames] });
}

function histogram<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  buckets: readonly number[],
): Histogram<L> {
  const known = register.getSingleMetric(name) as Histogram<L> | undefined;
  return known ?? new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets] });
}

/** What operators see of the traffic with mail providers. */
@Injectable()
export class ProviderMetrics {
  private readonly calls = counter('mailroom_provider_calls_total', 'Calls to mail providers', [
    'provider',
    'endpoint',
    'outcome',
  ]);
  private readonly units = counter('mailroom_provider_units_total', 'Provider quota units spent', [
    'provider',
    'endpoint',
  ]);
  private readonly errors = counter('mailroom_provider_errors_total', 'Failed provider calls by reason', [
    'provider',
    'reason',
  ]);
  private readonly waits = histogram(
    'mailroom_provider_wait_seconds',
    'Time calls wait for quota, pauses and a free slot',
    ['provider', 'priority'],
    [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900],
  );

  called(provider: string, endpoint: string, outcome: CallOutcome, calls: number, units: number): void {
    this.calls.inc({ provider, endpoint, outcome }, calls);
    this.units.inc({ provider, endpoint }, units);
  }

  failed(provider: string, reason: string, times = 1): void {
    this.errors.inc({ provider, reason }, times);
  }

  waited(provider: string, priority: string, seconds: number): void {
    this.waits.observe({ provider, priority }, seconds);
  }
}
