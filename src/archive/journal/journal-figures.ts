import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../platform/logging/describe-error';
import { counter } from '../../platform/logging/metrics';
import type { ImportBatchResult } from '../imports/import-writer';
import type { ArchiveOwner } from '../mails/writing/mail-to-archive';
import { JournalAddressesRepository } from './journal-addresses.repository';
import type { Refusal } from './refusal';

const messages = counter({
  name: 'mailroom_journal_messages_total',
  help: 'Messages that came by SMTP, by outcome: archived, duplicate, or why they were refused',
  labelNames: ['outcome'],
});

/** Counts copied messages, in the account's figures and in the metrics. */
@Injectable()
export class JournalFigures {
  private readonly logger = new Logger(JournalFigures.name);

  constructor(private readonly addresses: JournalAddressesRepository) {}

  async recordReceived(
    owner: ArchiveOwner,
    { imported, bytes, duplicates }: ImportBatchResult,
  ): Promise<void> {
    await this.addresses.recordReceived(owner, { received: imported, bytes, duplicates });
    messages.inc({ outcome: 'archived' }, imported);
    messages.inc({ outcome: 'duplicate' }, duplicates);
  }

  /** Counts a refusal. A failure to count is logged only: the sender must have its answer. */
  async recordRefusal(owners: readonly ArchiveOwner[], refusal: Refusal): Promise<void> {
    messages.inc({ outcome: refusal });
    for (const owner of owners) {
      try {
        await this.addresses.recordRefusal(owner, refusal);
      } catch (error) {
        this.logger.warn(`A refused message could not be counted: ${describeError(error).message}`);
      }
    }
  }

  /** Counts a recipient that no account has. */
  recordUnknownRecipient(): void {
    messages.inc({ outcome: 'unknown-recipient' });
  }
}
