import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions';
import { hasIdempotencyKey } from '../../platform/jobs/idempotency';
import { JobsService, StartedJob } from '../../platform/jobs/jobs.service';
import { logFailure } from '../../platform/logging/log-failure';
import { nightOf } from './rotation';
import { ArchiveUsers } from './archive-users';
import { IntegrityStatesRepository } from './integrity-states.repository';
import { CheckIntegrity } from './check-integrity.job';

/** After this many hours without a visit a night was missed: the machine was off. */
const MISSED_AFTER_HOURS = 36;

/** Starts integrity checks: every night, and when an administrator asks for one. */
@Injectable()
export class IntegrityChecksService {
  private readonly logger = new Logger(IntegrityChecksService.name);

  constructor(
    private readonly repository: IntegrityStatesRepository,
    private readonly archiveUsers: ArchiveUsers,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Starts tonight's check for every user who has an archive. Any number of processes may call it at any time: each user
   * gets one check per night, and none while an earlier one runs. A check that cannot be started keeps no other from it.
   * @returns the number of users due, without those whose check could not be started
   */
  async startNight(now: Date): Promise<number> {
    return this.startFor(await this.archiveUsers.list(), now);
  }

  /** Starts the checks of users whose night was missed. @returns as `startNight` */
  async startMissed(now: Date): Promise<number> {
    const since = new Date(now.getTime() - MISSED_AFTER_HOURS * 3_600_000);
    const userIds = await this.repository.listNotVisitedSince(since);
    return userIds.length === 0 ? 0 : this.startFor(userIds, now);
  }

  /**
   * Starts a check of all archives in the administrator's name. Returns the one of theirs that is running, if there is one,
   * unless the request has another `Idempotency-Key`.
   */
  async startEverything(userId: string, now: Date): Promise<StartedJob> {
    const repeated = await this.jobs.findRepeated(userId);
    if (repeated) return { jobId: repeated.record.jobId };
    const canJoin = !hasIdempotencyKey();
    return this.transactions.run(async (transaction) => {
      await this.repository.lockRequests(userId, transaction);
      const running = canJoin
        ? await this.repository.findRequestedJob(userId, CheckIntegrity.kind, transaction)
        : null;
      if (running) return { jobId: running };
      const payload = { scope: 'everything', night: nightOf(now), strays: true } as const;
      return this.jobs.start(CheckIntegrity, { userId, accountId: null }, payload, { transaction });
    });
  }

  private async startFor(userIds: readonly string[], now: Date): Promise<number> {
    const night = nightOf(now);
    const admin = await this.repository.findFirstAdmin();
    const running = await this.repository.listRunning(CheckIntegrity.kind);
    const due = [...new Set(admin ? [...userIds, admin] : userIds)].filter((id) => !running.has(id));
    let users = 0;
    for (const userId of due) {
      const payload = { scope: 'rotation', night, strays: userId === admin } as const;
      const once = `integrity ${night}`;
      const started = await logFailure(this.logger, `The check of user ${userId} was not started`, () =>
        this.jobs.startIfPossible(CheckIntegrity, { userId, accountId: null }, payload, { once }),
      );
      if (started !== undefined) users += 1;
    }
    return users;
  }
}
