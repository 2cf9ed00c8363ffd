import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { logFailure } from '../../../platform/logging/log-failure';
import { EventDispatcher } from '../../../platform/events/event-dispatcher';
import {
  type ArchivingOverview,
  ArchivingSettingsRepository,
} from '../settings/archiving-settings.repository';
import {
  ARCHIVING_STATES,
  deriveState,
  type ArchivingState,
  type EpisodeChange,
  type JudgedState,
  nextEpisode,
} from './archiving-state';

const PAGE = 500;

export interface ArchivingFigures {
  /** Accounts by state; every state has a number. */
  readonly accounts: Readonly<Record<ArchivingState, number>>;
  /** Age of the oldest message that waits, of accounts that copy; 0 when none waits. */
  readonly oldestPendingSeconds: number;
  /** Time since the last sync at the account that has waited longest; 0 without accounts. */
  readonly lastLookSeconds: number;
}

/** Judges continuous archiving from the tables alone, so that it also finds work that does not run. */
@Injectable()
export class ArchivingHealthService {
  private readonly logger = new Logger(ArchivingHealthService.name);

  constructor(
    private readonly settings: ArchivingSettingsRepository,
    private readonly events: EventDispatcher,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Judges all accounts, and notifies their owners of what has lasted too long, once per episode, and of its end. Any
   * number of processes may judge. An account whose state cannot be recorded keeps no other from it.
   * @returns events dispatched
   */
  async judgeAll(now = new Date()): Promise<number> {
    let dispatched = 0;
    for await (const overview of this.listAll()) {
      const judged = deriveState(overview, now);
      const next = nextEpisode(overview, judged, overview.notifyAfterHours, now);
      if (isSame(overview, next)) continue;
      const failure = `The state of account ${overview.accountId} was not recorded`;
      if (await logFailure(this.logger, failure, () => this.record(overview, judged, next))) dispatched += 1;
    }
    return dispatched;
  }

  /** Counts accounts by state, for metrics. */
  async countAccounts(now = new Date()): Promise<ArchivingFigures> {
    const accounts = Object.fromEntries(ARCHIVING_STATES.map((state) => [state, 0])) as Record<
      ArchivingState,
      number
    >;
    let [oldestPending, lastLook] = [now, now];
    for await (const overview of this.listAll()) {
      const { state } = deriveState(overview, now);
      accounts[state] += 1;
      if (state === 'off' || state === 'paused') continue;
      if (overview.mode === 'keep') oldestPending = earlier(oldestPending, overview.oldestPendingAt);
      lastLook = earlier(lastLook, overview.lookedAt);
    }
    const seconds = (since: Date): number => (now.getTime() - since.getTime()) / 1_000;
    return {
      accounts,
      oldestPendingSeconds: seconds(oldestPending),
      lastLookSeconds: seconds(lastLook),
    };
  }

  private async *listAll(): AsyncGenerator<ArchivingOverview> {
    for (let after: string | null = null; ;) {
      const page: ArchivingOverview[] = await this.settings.listMonitored(after, PAGE);
      yield* page;
      if (page.length < PAGE) return;
      after = page[page.length - 1]?.accountId ?? null;
    }
  }

  /** @returns whether an event was dispatched */
  private record(
    before: ArchivingOverview,
    { state, reason }: JudgedState,
    next: EpisodeChange,
  ): Promise<boolean> {
    const { accountId, userId, pending } = before;
    return this.transactions.run(async (transaction) => {
      if (!(await this.settings.saveEpisode(accountId, before, next, transaction))) return false;
      if (next.event === null) return false;
      const since = (before.unhealthySince ?? next.unhealthySince ?? new Date()).toISOString();
      const key = `archiving.${next.event}:${accountId}:${since}`;
      if (next.event === 'recovered') {
        const data = { accountId, since };
        await this.events.dispatch({ type: 'archiving.recovered', key, userId, data }, transaction);
      } else {
        const watchOnly = before.mode === 'watch' && { watchOnly: true as const };
        const data = { accountId, state, reason, since, pending, ...watchOnly };
        await this.events.dispatch({ type: 'archiving.unhealthy', key, userId, data }, transaction);
      }
      return true;
    });
  }
}

const isSame = (before: ArchivingOverview, next: EpisodeChange): boolean =>
  next.event === null &&
  before.unhealthySince?.getTime() === next.unhealthySince?.getTime() &&
  before.notifiedAt?.getTime() === next.notifiedAt?.getTime();

const earlier = (a: Date, b: Date | null): Date => (b !== null && b < a ? b : a);
