import { Injectable, Logger } from '@nestjs/common';
import { runWithoutClient } from '../../../platform/database/database-use';
import { Transactions } from '../../../platform/database/transactions';
import { setTimeout } from '../../../platform/concurrency/timers';
import { polledGauge } from '../../../platform/logging/metrics';
import { SearchCanaryRepository } from './search-canary.repository';

/** Time for which an answer is kept, in milliseconds: probes come every few seconds. */
const KEPT_MS = 60_000;
/** Time that a probe waits for a new answer, in milliseconds. */
const PATIENCE_MS = 250;

/** States of the search index. `unknown`: there is no mail to search for, or the database did not answer in time. */
export const SEARCH_STATES = ['ok', 'degraded', 'unknown'] as const;
export type SearchState = (typeof SEARCH_STATES)[number];

/** Searches for a mail that is known to be there, to notice when the search index is broken. */
@Injectable()
export class SearchCanary {
  private readonly logger = new Logger(SearchCanary.name);
  private state: SearchState = 'unknown';
  private askedAt = -Infinity;
  private asking: Promise<void> | undefined;

  constructor(
    private readonly canary: SearchCanaryRepository,
    private readonly transactions: Transactions,
  ) {
    polledGauge(
      { name: 'mailroom_archive_search_works', help: 'Whether the search index finds a mail that is there' },
      async () => {
        const state = await this.look();
        return (gauge) => {
          if (state !== 'unknown') gauge.set(state === 'ok' ? 1 : 0);
        };
      },
      (error) => this.logger.warn(`The search index could not be asked: ${String(error)}`),
    );
  }

  /** The state of the search index, at most a minute old. When the database is slow it is the state of before. */
  async look(): Promise<SearchState> {
    if (performance.now() - this.askedAt > KEPT_MS)
      this.asking ??= runWithoutClient(() => this.ask()).finally(() => (this.asking = undefined));
    if (this.asking) await Promise.race([this.asking, patience()]);
    return this.state;
  }

  private async ask(): Promise<void> {
    try {
      const state = await this.search();
      if (state === 'degraded' && this.state !== 'degraded')
        this.logger.error(
          'The search index is not there or does not find a mail by its words; docs/operations.md says how it is rebuilt',
        );
      this.state = state;
    } catch (error) {
      this.state = 'unknown';
      this.logger.warn(`The search index could not be asked: ${String(error)}`);
    }
    this.askedAt = performance.now();
  }

  private search(): Promise<SearchState> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.canary.isUsable(transaction))) return 'degraded';
      const known = await this.canary.findKnown(transaction);
      if (!known) return 'unknown';
      if (await this.canary.isFound(known, transaction)) return 'ok';
      // Its words may have changed in between.
      const again = await this.canary.findKnown(transaction);
      if (!again) return 'unknown';
      return (await this.canary.isFound(again, transaction)) ? 'ok' : 'degraded';
    });
  }
}

const patience = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS).unref();
  });
