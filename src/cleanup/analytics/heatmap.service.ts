import { Injectable } from '@nestjs/common';
import { ResultCache } from '../../platform/redis/result-cache';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import { INTERACTIVE, KEEP_SECONDS, SAMPLE_SIZE } from './figures';
import { KeptFigure } from './kept-figures';

/** Hours at which mail arrives. */
@Injectable()
export class HeatmapService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly mailbox: MessageIndexReader,
    private readonly cache: ResultCache,
  ) {}

  /** Heatmap of the newest messages. @throws the 409s of an account that cannot be used */
  async getHeatmap(
    userId: string,
    accountId: string,
    timeZone: string,
    refresh: boolean,
  ): Promise<HeatmapCell[]> {
    const account = await this.accounts.requireUsable(userId, accountId);
    // The instants are cached, not the cells: one entry serves every time zone.
    const instants = await this.cache.getOrCompute([KeptFigure.Heatmap, account.id], refresh, async () => {
      await this.mailbox.prepare(account, { ...INTERACTIVE, newest: SAMPLE_SIZE, refresh });
      const sample = await this.mailbox.listNewest(account, SAMPLE_SIZE);
      return {
        value: sample.map(({ internalDate }) => internalDate.getTime()),
        keepSeconds: KEEP_SECONDS,
      };
    });
    return heatmapOf(instants, timeZone);
  }
}

export interface HeatmapCell {
  /** Day of the week, 0 = Monday … 6 = Sunday. */
  readonly day: number;
  readonly hour: number;
  readonly count: number;
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS = 24;

/**
 * Counts instants by weekday and hour as the clocks of a place show them, summer time included.
 * @param instants epoch milliseconds
 * @param timeZone an IANA name
 * @returns all 168 cells, Monday 0 h first
 */
export function heatmapOf(instants: readonly number[], timeZone: string): HeatmapCell[] {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const counts = new Array<number>(DAYS.length * HOURS).fill(0);
  for (const instant of instants) {
    const parts = clock.formatToParts(instant);
    const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? '';
    const cell = DAYS.indexOf(part('weekday')) * HOURS + Number(part('hour'));
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return counts.map((count, cell) => ({ day: Math.floor(cell / HOURS), hour: cell % HOURS, count }));
}
