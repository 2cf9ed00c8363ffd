import { Injectable, Logger } from '@nestjs/common';
import { counter, polledGauge } from '../../../platform/logging/metrics';
import { OutdatedMailsRepository } from './outdated-mails.repository';

const mails = counter({
  name: 'mailroom_archive_reread_mails_total',
  help: 'Archived mails of earlier versions that were read again, by outcome',
  labelNames: ['outcome'],
});

/** Counts recorded mails in the metrics. */
export function countReread({ reread, unread }: { readonly reread: number; readonly unread: number }): void {
  mails.inc({ outcome: 'read' }, reread);
  mails.inc({ outcome: 'failed' }, unread);
}

/** Mails that are still to be read again, for Prometheus. */
@Injectable()
export class RereadMetrics {
  private readonly logger = new Logger(RereadMetrics.name);

  constructor(outdated: OutdatedMailsRepository) {
    polledGauge(
      {
        name: 'mailroom_archive_outdated_mails',
        help: 'Archived mails of earlier versions that are to be read again',
      },
      async () => {
        const left = await outdated.countAll();
        return (gauge) => gauge.set(left);
      },
      (error) => this.logger.warn(`Mails of earlier versions could not be counted: ${String(error)}`),
    );
  }
}
