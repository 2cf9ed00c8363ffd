import { Injectable } from '@nestjs/common';
import { counter, histogram } from '../../platform/logging/metrics';

export type CallOutcome = 'ok' | 'rate_limited' | 'unavailable' | 'unauthorized' | 'refused' | 'aborted';

/** Metrics of the traffic with mail providers. */
@Injectable()
export class ProviderMetrics {
  private readonly calls = counter({
    name: 'mailroom_provider_calls_total',
    help: 'Calls to mail providers',
    labelNames: ['provider', 'endpoint', 'outcome'],
  });
  private readonly units = counter({
    name: 'mailroom_provider_units_total',
    help: 'Provider quota units spent',
    labelNames: ['provider', 'endpoint'],
  });
  private readonly errors = counter({
    name: 'mailroom_provider_errors_total',
    help: 'Failed provider calls by reason',
    labelNames: ['provider', 'reason'],
  });
  private readonly waits = histogram({
    name: 'mailroom_provider_wait_seconds',
    help: 'Time calls wait for quota, pauses and a free slot',
    labelNames: ['provider', 'priority'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900],
  });

  countCalls(provider: string, endpoint: string, outcome: CallOutcome, calls: number, units: number): void {
    this.calls.inc({ provider, endpoint, outcome }, calls);
    this.units.inc({ provider, endpoint }, units);
  }

  countFailure(provider: string, reason: string, times = 1): void {
    this.errors.inc({ provider, reason }, times);
  }

  observeWait(provider: string, priority: string, seconds: number): void {
    this.waits.observe({ provider, priority }, seconds);
  }
}
