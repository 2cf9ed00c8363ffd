import type { SandboxStats, SandboxStatsSnapshot } from '../types';

/** Counts of the clients' calls and of the answers to them, since the start or the last reset. */
export class UsageStats implements SandboxStats {
  calls: Record<string, number> = {};
  units: Record<string, number> = {};
  statuses: Record<string, number> = {};
  totalCalls = 0;
  totalUnits = 0;
  refused = 0;
  httpRequests = 0;
  maxInFlight = 0;
  tokenRefreshes = 0;
  byMailbox: Record<string, Record<string, number>> = {};
  private inFlight = 0;

  /** A call that arrived; OAuth calls count under their names but not in the totals. */
  count(endpoint: string, units: number): void {
    this.calls[endpoint] = (this.calls[endpoint] ?? 0) + 1;
    if (endpoint.startsWith('oauth.') || endpoint === 'batch') return;
    this.totalCalls++;
    this.charge(endpoint, units);
  }

  /** The same call, once it is known whose mailbox it concerns. */
  attribute(email: string, endpoint: string): void {
    const calls = (this.byMailbox[email] ??= {});
    calls[endpoint] = (calls[endpoint] ?? 0) + 1;
  }

  charge(endpoint: string, units: number): void {
    if (units === 0) return;
    this.units[endpoint] = (this.units[endpoint] ?? 0) + units;
    this.totalUnits += units;
  }

  recordAnswer(status: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }

  enter(): void {
    this.inFlight++;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
  }

  leave(): void {
    this.inFlight--;
  }

  snapshot(): SandboxStatsSnapshot {
    const {
      calls,
      units,
      statuses,
      totalCalls,
      totalUnits,
      refused,
      httpRequests,
      maxInFlight,
      tokenRefreshes,
      byMailbox,
    } = this;
    return {
      calls,
      units,
      statuses,
      totalCalls,
      totalUnits,
      refused,
      httpRequests,
      maxInFlight,
      tokenRefreshes,
      byMailbox,
    };
  }

  reset(): void {
    this.calls = {};
    this.units = {};
    this.statuses = {};
    this.totalCalls = 0;
    this.totalUnits = 0;
    this.refused = 0;
    this.httpRequests = 0;
    this.maxInFlight = this.inFlight;
    this.tokenRefreshes = 0;
    this.byMailbox = {};
  }
}
