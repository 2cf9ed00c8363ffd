import { Injectable } from '@nestjs/common';
import type { CallOptions, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { MessageIndexService } from '../index/message-index.service';
import { targetOf } from './bulk-action';
import { BeforeFlag, type ChangedMessage, type JournalChunk } from './change-journal';
import { ChangeJournalRepository } from './change-journal.repository';
import { HistoryOutcomes } from './history-outcomes';
import { OutcomeCheck } from './outcome-check';

const isDoubtful = ({ before }: ChangedMessage): boolean => (before & BeforeFlag.Doubtful) !== 0;

/** Determines which changes were made of those that a run had requested when it was interrupted. */
@Injectable()
export class DoubtfulChanges {
  constructor(
    private readonly index: MessageIndexService,
    private readonly outcomes: OutcomeCheck,
    private readonly journal: ChangeJournalRepository,
  ) {}

  /**
   * Replaces doubtful changes in the journal by those that were made.
   * @param id id of the record of the job that made the changes
   * @returns the journal without doubtful changes
   */
  async resolve(
    account: ProviderAccount,
    id: string,
    chunks: readonly JournalChunk[],
    options: CallOptions,
  ): Promise<JournalChunk[]> {
    const settled: JournalChunk[] = [];
    for (const chunk of chunks) {
      if (!chunk.messages.some(isDoubtful)) {
        settled.push(chunk);
        continue;
      }
      const known = await this.resolveChunk(account, chunk, options);
      await this.journal.replaceChunk(account.userId, id, known);
      settled.push(known);
    }
    return settled;
  }

  private async resolveChunk(
    account: ProviderAccount,
    chunk: JournalChunk,
    options: CallOptions,
  ): Promise<JournalChunk> {
    const target = targetOf(chunk.action, chunk.labelId);
    const ids = chunk.messages.map((message) => message.id);
    const history = new HistoryOutcomes(target, ids);
    const followed = await this.index.followFrom(
      account,
      chunk.cursor,
      (changes) => history.add(changes),
      options,
    );
    const messages = ids.flatMap((id): ChangedMessage[] =>
      history.verdictOf(id) === 'changed' ? [{ id, before: history.beforeOf(id) }] : [],
    );
    if (!followed.complete) {
      // The history is lost, so messages in the target state may have been changed by the run.
      const open = ids.filter((id) => history.verdictOf(id) === 'open');
      const { met } = await this.outcomes.fetchActualState(account, open, target, options);
      for (const id of met) messages.push({ id, before: BeforeFlag.Unknown });
    }
    return { ...chunk, messages, cursor: history.cursor ?? followed.cursor };
  }
}
