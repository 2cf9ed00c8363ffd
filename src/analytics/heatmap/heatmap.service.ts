import { Injectable } from '@nestjs/common';
import { ResultCache } from '../../common/cache/result-cache';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { IndexedMailbox } from '../../mailbox/message-index/reads/indexed-mailbox.service';
import { INTERACTIVE, KEEP_SECONDS, SAMPLE_SIZE } from '../figures';
import { HeatmapCell, heatmapOf } from './heatmap';

/** When mail arrives. */
@Injectable()
export class HeatmapService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly mailbox: IndexedMailbox,
    private readonly cache: ResultCache,
  ) {}

  /** Of the newest messages. @throws the 409s of an account that cannot be used */
  async heatmap(
    userId: string,
    accountId: string,
    timeZone: string,
    refresh: boolean,
  ): Promise<HeatmapCell[]> {
    const account = await this.accounts.usable(userId, accountId);
    // The instants are kept, not the cells: one entry serves every time zone.
    const instants = await this.cache.through(['heatmap', account.id], refresh, async () => {
      await this.mailbox.ready(account, { ...INTERACTIVE, newest: SAMPLE_SIZE });
      const sample = await this.mailbox.newest(account, SAMPLE_SIZE);
      return {
        value: sample.map(({ internalDate }) => internalDate.getTime()),
        keepSeconds: KEEP_SECONDS,
      };
    });
    return heatmapOf(instants, timeZone);
  }
}
