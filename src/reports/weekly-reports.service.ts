import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../common/concurrency/for-each-concurrently';
import { Transactions } from '../common/database/transactions';
import { EventDispatcher } from '../events/event-dispatcher';
import { definedJobs } from '../jobs/job-definition';
import { Week, weekToReport } from './week';
import { ReportedUsersRepository, WeeklyFiguresRepository } from './weekly-reports.repository';

const BATCH = 100;
/** Users reported to at a time, so that one with a large archive does not hold up the others. */
const AT_A_TIME = 2;

/** Tells every user once a week what the past week has brought. */
@Injectable()
export class WeeklyReportsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(WeeklyReportsService.name);
  private stopping = false;

  constructor(
    private readonly users: ReportedUsersRepository,
    private readonly figures: WeeklyFiguresRepository,
    private readonly events: EventDispatcher,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Reports to everybody who has not had the report of the past week. Any number of processes may, at any time: a
   * report and the note that it was made are one transaction. Users it fails for are tried again the next time.
   * @returns how many were reported to
   */
  async send(now = new Date()): Promise<number> {
    const week = weekToReport(now);
    if (!week) return 0;
    let sent = 0;
    await forEachConcurrently(this.dueUsers(week), AT_A_TIME, async (userId) => {
      if (await this.sendOrLog(userId, week)) sent += 1;
    });
    return sent;
  }

  /** What is under way is carried out; the rest is for another process, or later. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  private async *dueUsers(week: Week): AsyncGenerator<string> {
    let last: string | null = null;
    for (;;) {
      const batch: readonly string[] = await this.users.due(week, last, BATCH);
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

  /** @returns false when the user has had it, or is no more to have it */
  private sendTo(userId: string, week: Week): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.users.take(userId, week, transaction))) return false;
      const figures = await this.figures.of(userId, week, unknownKinds(), transaction);
      if (!(await this.users.markReported(userId, week, transaction))) return false;
      const data = { from: week.from.toISOString(), to: week.to.toISOString(), ...figures };
      const key = `weekly.report:${week.monday}`;
      await this.events.dispatch({ type: 'weekly.report', key, userId, data }, transaction);
      return true;
    });
  }
}

/** Jobs that people have not asked for and hear nothing of. */
function unknownKinds(): string[] {
  return definedJobs()
    .filter(({ notifies }) => notifies === 'never')
    .map(({ kind }) => kind);
}
