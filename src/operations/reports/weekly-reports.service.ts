import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { Transactions } from '../../platform/database/transactions';
import { EventDispatcher } from '../../platform/events/event-dispatcher';
import { definedJobs } from '../../platform/jobs/job-definition';
import { UsersService } from '../../identity/users/users.service';
import { Week, weekToReport } from './week';
import { WeeklyReportsRepository } from './weekly-reports.repository';

const BATCH = 100;
/** Number of users at a time, so that one with a large archive does not hold up the others. */
const AT_A_TIME = 2;

/** Sends every user a weekly report on the past week. */
@Injectable()
export class WeeklyReportsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(WeeklyReportsService.name);
  private stopping = false;

  constructor(
    private readonly repository: WeeklyReportsRepository,
    private readonly users: UsersService,
    private readonly events: EventDispatcher,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends the report to every user without one of the past week. Several processes may run it at once: a report and its mark
   * are one transaction. Users for whom it fails get theirs the next time.
   * @returns the number of users who got a report
   */
  async send(now = new Date()): Promise<number> {
    const week = weekToReport(now);
    if (!week) return 0;
    let sent = 0;
    await forEachConcurrently(this.listDueUsers(week), AT_A_TIME, async (userId) => {
      if (await this.sendOrLog(userId, week)) sent += 1;
    });
    return sent;
  }

  /** Finishes reports that have begun; another process, or the next start, sends the rest. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  private async *listDueUsers(week: Week): AsyncGenerator<string> {
    let last: string | null = null;
    for (;;) {
      const batch: readonly string[] = await this.repository.listDue(week, last, BATCH);
      for (const userId of batch) {
        if (this.stopping) return;
        yield userId;
      }
      last = batch.at(-1) ?? null;
      if (batch.length < BATCH) return;
    }
  }

  private async sendOrLog(userId: string, week: Week): Promise<boolean> {
    try {
      return await this.sendTo(userId, week);
    } catch (error) {
      this.logger.error(error, `The weekly report of user ${userId} failed`);
      return false;
    }
  }

  /** @returns false when the user has had the report or is no longer due one */
  private sendTo(userId: string, week: Week): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.repository.lockDue(userId, week, transaction))) return false;
      const figures = await this.repository.figuresOf(userId, week, unnotifiedKinds(), transaction);
      if (!(await this.users.markReported(userId, week.monday, transaction))) return false;
      const data = { from: week.from.toISOString(), to: week.to.toISOString(), ...figures };
      const key = `weekly.report:${week.monday}`;
      await this.events.dispatch({ type: 'weekly.report', key, userId, data }, transaction);
      return true;
    });
  }
}

/** Kinds of jobs that users have not asked for and get no notifications of. */
function unnotifiedKinds(): string[] {
  return definedJobs()
    .filter(({ notifies }) => notifies === 'never')
    .map(({ kind }) => kind);
}
