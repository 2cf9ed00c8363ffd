import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDependencyUnavailable } from '../../../src/platform/logging/system-errors';
import { waitFor } from '../wait';
import { WebhookReceiver } from '../webhooks/receiver';
import { BusyUser, RoundSize, StartedWork } from './busy-user';
import type { Cluster } from './cluster';
import { Answers, PatientClient } from './spread-client';

const READ_PAUSE_MS = 200;
const SETTLED_MS = 60_000;
/** Tables in which finished work must leave no rows. */
const LEFT_ROWS = [
  'rule_matches',
  'import_uploads',
  'retention_counts',
  'file_deletions',
  `webhook_deliveries WHERE status = 'pending'`,
  'jobs WHERE completed_at IS NULL',
];
const HOOK = '/ends';
/** Kinds that end without a word when they succeed. */
const SILENT = ['check_integrity', 'run_retention', 'index_mailbox'];

/** Several users with everything under way at once, and an account of what has to come of it, whatever breaks. */
export class Workload {
  private readonly stopped = new AbortController();
  private readonly started: StartedWork[] = [];
  private rounds = 0;
  private readonly reading: readonly Promise<void>[];

  private constructor(
    private readonly cluster: Cluster,
    private readonly receiver: WebhookReceiver,
    private readonly users: readonly BusyUser[],
    readonly answers: Answers,
  ) {
    this.reading = users.map((user) => this.keepReading(user));
  }

  static async create(cluster: Cluster, users: number): Promise<Workload> {
    const receiver = await WebhookReceiver.start();
    const answers = new Answers();
    const busy: BusyUser[] = [];
    for (let n = 0; n < users; n += 1) {
      // The first one is the administrator.
      const user = await cluster.user('busy', (token) => new PatientClient(cluster.apiUrls, token, answers));
      busy.push(await BusyUser.create(cluster, user, receiver.url(HOOK)));
    }
    return new Workload(cluster, receiver, busy, answers);
  }

  /** Starts all jobs of a round; resolves when they have been accepted. @returns their ids */
  async begin(size: RoundSize): Promise<string[]> {
    this.rounds += 1;
    const works = await Promise.all(this.users.map((user) => user.start(this.rounds, size)));
    const check = await this.users[0]!.user.api.post('/api/admin/integrity/check');
    const round = [...works.flat(), { jobId: check.body.jobId as string, processed: null }];
    this.started.push(...round);
    return round.map(({ jobId }) => jobId);
  }

  /** Waits until some jobs have done something and many have not ended. */
  async underWay(): Promise<void> {
    await waitFor('jobs to be under way', async () => {
      const [row] = await this.cluster.query(
        `SELECT count(*) FILTER (WHERE status = 'active')::int AS active,
                count(*) FILTER (WHERE status = 'active' AND processed > 0)::int AS moving FROM jobs`,
      );
      return row.active >= 3 && row.moving > 0;
    });
  }

  /** Waits until no job is left to be done. */
  async ended(): Promise<void> {
    await waitFor(
      'all jobs to end',
      async () => {
        const [row] = await this.cluster.query(
          'SELECT count(*)::int AS left FROM jobs WHERE completed_at IS NULL',
        );
        return row.left === 0;
      },
      120_000,
      200,
    );
  }

  /** Attempts that were lost so far. */
  async lostAttempts(): Promise<number> {
    const [row] = await this.cluster.query('SELECT coalesce(sum(lost_attempts), 0)::int AS lost FROM jobs');
    return row.lost as number;
  }

  /** Finishes the remaining work after the last round, and returns the deviations from the expected results. */
  async problems(): Promise<string[]> {
    const { cluster } = this;
    this.stopped.abort();
    await Promise.all(this.reading);
    this.started.push(...(await Promise.all(this.users.map((user) => user.finish()))).flat());
    await this.ended();
    // Files whose removal is registered.
    cluster.strikeCrons();
    await cluster.ready();
    const left = await this.leftBehindForGood();
    return [
      ...left,
      ...this.answers.wrong,
      ...(await this.jobProblems()),
      ...(await Promise.all(this.users.map((user) => user.problems()))).flat(),
      ...(await this.eventProblems()),
      ...this.logProblems(),
    ];
  }

  async close(): Promise<void> {
    this.stopped.abort();
    await Promise.allSettled(this.reading);
    await this.receiver.close();
  }

  private async keepReading(user: BusyUser): Promise<void> {
    while (!this.stopped.signal.aborted) {
      await user.read();
      await delay(READ_PAUSE_MS);
    }
  }

  /** Waits for schedules that clean up after the last job, and returns what they never remove. */
  private async leftBehindForGood(): Promise<string[]> {
    let left: string[] = [];
    const isGone = async (): Promise<boolean> => (left = await this.leftBehind()).length === 0;
    await waitFor('everything to be gone', isGone, SETTLED_MS, 250).catch(() => undefined);
    return left;
  }

  private async jobProblems(): Promise<string[]> {
    const rows = await this.cluster.query(
      `SELECT type || '-' || number AS id, type AS kind, status, processed, failed, error_code, lost_attempts,
              completed_at IS NOT NULL AND (lease_token IS NOT NULL OR sealed_secrets IS NOT NULL) AS unclean
       FROM jobs`,
    );
    const problems: string[] = [];
    const jobs = new Map(rows.map((row) => [row.id as string, row]));
    for (const { jobId, processed } of this.started) {
      const job = jobs.get(jobId);
      if (
        job?.status !== 'completed' ||
        job.failed > 0 ||
        (processed !== null && job.processed !== processed)
      )
        problems.push(`${jobId}: ${JSON.stringify({ expected: processed, ...job })}`);
    }
    // A request that is made again because its answer was lost makes no second job.
    const asked = new Set(this.started.map(({ jobId }) => jobId));
    const unasked = rows.filter(
      ({ id, kind }) => !asked.has(id as string) && !SILENT.includes(kind as string),
    );
    problems.push(...unasked.map(({ id }) => `${id}: nobody has asked for it`));
    problems.push(...rows.filter(({ unclean }) => unclean).map(({ id }) => `${id}: left unclean`));
    return problems;
  }

  private async eventProblems(): Promise<string[]> {
    const rows = await this.cluster.query(
      `SELECT jobs.id, jobs.type || '-' || jobs.number AS job,
              (SELECT count(*)::int FROM events WHERE key = 'job-end:' || jobs.id) AS events,
              (SELECT count(*)::int FROM notifications WHERE event_key = 'job-end:' || jobs.id) AS notifications,
              (SELECT count(*)::int FROM webhook_deliveries d JOIN events ON events.id = d.event_id
                WHERE events.key = 'job-end:' || jobs.id AND d.status = 'delivered') AS delivered
       FROM jobs WHERE type <> ALL ($1)`,
      [SILENT],
    );
    const problems = rows
      .filter((row) => row.events !== 1 || row.notifications !== 1 || row.delivered !== 1)
      .map((row) => `told ${JSON.stringify(row)}`);
    const told = new Map<string, Set<string>>();
    for (const { headers, body } of this.receiver.at(HOOK)) {
      const { jobId } = JSON.parse(body.toString()).data as { jobId: string };
      told.set(jobId, (told.get(jobId) ?? new Set()).add(String(headers['webhook-id'])));
    }
    for (const { job } of rows)
      if (told.get(job as string)?.size !== 1)
        problems.push(`${job}: told under ${told.get(job as string)?.size} ids`);
    return problems;
  }

  private async leftBehind(): Promise<string[]> {
    const { archiveDir, dataDir } = this.cluster;
    const problems: string[] = [];
    for (const rows of LEFT_ROWS) {
      const [{ count }] = await this.cluster.query(`SELECT count(*)::int AS count FROM ${rows}`);
      if (count > 0) problems.push(`${count} rows in ${rows}`);
    }
    const named = new Set((await Promise.all(this.users.map((user) => user.namedFiles()))).flat());
    const found = [...(await filesIn(archiveDir)), ...(await filesIn(join(dataDir, 'uploads')))];
    problems.push(...found.filter((file) => !named.has(file)).map((file) => `left behind: ${file}`));
    return problems;
  }

  /** A process that was not killed ends with nothing but its log, and what it says of faults of its own is none. */
  private logProblems(): string[] {
    return this.cluster
      .logged('error', 'fatal', 'none')
      .filter(
        ({ err, msg }) => !isDependencyUnavailable({ ...err, name: err?.type, message: err?.message ?? msg }),
      )
      .map(({ by, msg, context, err }) => `${by} logged: ${context} ${msg} ${err?.stack ?? ''}`);
  }
}

/** Half-written files apart, of which those of the dead go after ten minutes. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.tmp/'));
}
