import { Injectable, Logger } from '@nestjs/common';
import { polledGauge } from '../../../platform/logging/metrics';
import { COVERAGE_CLASSES } from './coverage-figures';
import { CoverageRepository } from './coverage.repository';

/** Messages of all ledgers, for Prometheus. */
@Injectable()
export class LedgerMetrics {
  private readonly logger = new Logger(LedgerMetrics.name);

  constructor(coverage: CoverageRepository) {
    polledGauge(
      {
        name: 'mailroom_ledger_messages',
        help: 'Messages of mailboxes whose mail is kept, by what became of them',
        labelNames: ['class'],
      },
      async () => {
        const counts = new Map((await coverage.countByClass()).map((row) => [row.class, row.messages]));
        return (gauge) => {
          for (const name of COVERAGE_CLASSES) gauge.set({ class: name }, counts.get(name) ?? 0);
        };
      },
      (error) => this.logger.warn(`The ledger could not be counted: ${String(error)}`),
    );
  }
}
