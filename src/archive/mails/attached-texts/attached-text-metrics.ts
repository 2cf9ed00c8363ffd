import { Injectable, Logger } from '@nestjs/common';
import { counter, polledGauge } from '../../../platform/logging/metrics';
import type { AttachedTextState } from '../archived-mail.entity';
import { AttachedTextsRepository } from './attached-texts.repository';

const attachments = counter({
  name: 'mailroom_archive_attachment_texts_total',
  help: 'Archived attachments whose text was read, by what was found',
  labelNames: ['state'],
});

/** Counts a recorded attachment in the metrics. */
export function countAttachedText(state: AttachedTextState): void {
  attachments.inc({ state });
}

/** Attachments that are still to be read, for Prometheus. */
@Injectable()
export class AttachedTextMetrics {
  private readonly logger = new Logger(AttachedTextMetrics.name);

  constructor(texts: AttachedTextsRepository) {
    polledGauge(
      {
        name: 'mailroom_archive_waiting_attachments',
        help: 'Archived attachments whose text is to be read',
      },
      async () => {
        const left = await texts.countWaiting(null);
        return (gauge) => gauge.set(left);
      },
      (error) => this.logger.warn(`Waiting attachments could not be counted: ${String(error)}`),
    );
  }
}
