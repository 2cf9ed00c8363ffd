import { Injectable } from '@nestjs/common';
import { MessageArchiver } from '../../archive/mails/archiving/message-archiver';
import type { JobContext } from '../../platform/jobs/job-definition';
import { BulkAction } from '../../mailbox/bulk/bulk-action';
import { BulkChanger } from '../../mailbox/bulk/bulk-changer';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import type { RuleAction, RuleActionType } from './rule';

/** Outcome of an action; the counts and the messages reported as failed add up to all messages. */
export interface ActionOutcome {
  /** Number of messages that the action changed. */
  readonly changed: number;
  /** Number of messages that needed no change. */
  readonly alreadyDone: number;
}

const CHANGES: Readonly<Record<Exclude<RuleActionType, 'archive_nas'>, BulkAction>> = {
  trash: BulkAction.Trash,
  delete: BulkAction.Delete,
  label: BulkAction.Label,
  unlabel: BulkAction.Unlabel,
  archive: BulkAction.Archive,
  mark_read: BulkAction.MarkRead,
  mark_unread: BulkAction.MarkUnread,
};

/** Applies the actions of rules to messages of a mailbox. */
@Injectable()
export class RuleActions {
  constructor(
    private readonly bulk: BulkChanger,
    private readonly archiver: MessageArchiver,
  ) {}

  /**
   * Applies an action, from the job's checkpoint on; failed messages are reported to the job.
   * @param messageIds without duplicates, the same in every attempt
   * @param firstPlace of the messages among all of the run
   */
  async perform(
    account: ProviderAccount,
    action: RuleAction,
    messageIds: readonly string[],
    firstPlace: number,
    job: JobContext,
  ): Promise<ActionOutcome> {
    if (action.type === 'archive_nas') return this.archive(account, messageIds, job);
    // A batch writes fewer journal chunks than it has places, and only the last one may have few.
    const change = {
      action: CHANGES[action.type],
      labelId: action.labelId,
      messageIds,
      firstChunk: firstPlace,
    };
    const { changed, alreadyDone } = await this.bulk.change(account, change, job);
    return { changed, alreadyDone };
  }

  private async archive(
    account: ProviderAccount,
    messageIds: readonly string[],
    job: JobContext,
  ): Promise<ActionOutcome> {
    const request = { messageIds: [...messageIds], differential: true };
    const { archived, skipped } = await this.archiver.archive(account, request, job);
    // Messages that are already archived are done, whether or not this run archived them.
    job.progress({ processed: skipped });
    return { changed: archived, alreadyDone: skipped };
  }
}
