import { Injectable } from '@nestjs/common';
import { ResultCache } from '../../platform/redis/result-cache';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import { INTERACTIVE, keepSecondsFor, SAMPLE_SIZE } from './figures';
import { byClutter, ScoredSender, scoreSender } from './clutter-score';
import { KeptFigure } from './kept-figures';

export const MAX_SCORED_SENDERS = 2_000;

/** Scores senders by how much they clutter a mailbox. */
@Injectable()
export class SenderScoresService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly mailbox: MessageIndexReader,
    private readonly cache: ResultCache,
  ) {}

  /**
   * Scores of senders over all indexed mail, most cluttered first.
   * @param limit at most `MAX_SCORED_SENDERS`
   * @throws the 409s of an account that cannot be used
   */
  async listScores(
    userId: string,
    accountId: string,
    limit: number,
    refresh: boolean,
  ): Promise<ScoredSender[]> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const scored = await this.cache.getOrCompute([KeptFigure.SenderScores, account.id], refresh, async () => {
      const coverage = await this.mailbox.prepare(account, { ...INTERACTIVE, newest: SAMPLE_SIZE, refresh });
      const senders = await this.mailbox.findSenders(account);
      return {
        value: senders.map(scoreSender).sort(byClutter).slice(0, MAX_SCORED_SENDERS),
        keepSeconds: keepSecondsFor(coverage),
      };
    });
    return scored.slice(0, limit);
  }
}
