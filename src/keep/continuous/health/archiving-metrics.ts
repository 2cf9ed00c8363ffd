import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../../platform/logging/describe-error';
import { polledGauge } from '../../../platform/logging/metrics';
import { ARCHIVING_STATES } from './archiving-state';
import { type ArchivingFigures, ArchivingHealthService } from './archiving-health.service';

/** A scrape asks for all gauges at once; one look answers them. */
const SHARED_MS = 1_000;

/** States and delays of continuous archiving, for Prometheus. */
@Injectable()
export class ArchivingMetrics {
  private readonly logger = new Logger(ArchivingMetrics.name);
  private shared: { readonly at: number; readonly figures: Promise<ArchivingFigures> } | undefined;

  constructor(private readonly health: ArchivingHealthService) {
    polledGauge<'state'>(
      {
        name: 'mailroom_archiving_accounts',
        help: 'Mailboxes with continuous archiving, by state',
        labelNames: ['state'],
      },
      async () => {
        const { accounts } = await this.readFigures();
        return (gauge) => {
          for (const state of ARCHIVING_STATES) gauge.set({ state }, accounts[state]);
        };
      },
      this.onFailure,
    );
    this.registerSeconds(
      'mailroom_archiving_oldest_pending_seconds',
      'For how long the oldest message of all mailboxes has waited to be copied',
      ({ oldestPendingSeconds }) => oldestPendingSeconds,
    );
    this.registerSeconds(
      'mailroom_archiving_last_look_seconds',
      'How long ago the mailbox that was last asked for changes longest ago was asked',
      ({ lastLookSeconds }) => lastLookSeconds,
    );
  }

  private readonly onFailure = (error: unknown): void =>
    this.logger.warn(`The state of continuous archiving is unknown: ${describeError(error).message}`);

  private registerSeconds(name: string, help: string, valueOf: (figures: ArchivingFigures) => number): void {
    polledGauge<never>(
      { name, help },
      async () => {
        const value = valueOf(await this.readFigures());
        return (gauge) => gauge.set(value);
      },
      this.onFailure,
    );
  }

  private readFigures(): Promise<ArchivingFigures> {
    const now = performance.now();
    if (!this.shared || now - this.shared.at > SHARED_MS) {
      this.shared = { at: now, figures: this.health.countAccounts() };
    }
    return this.shared.figures;
  }
}
