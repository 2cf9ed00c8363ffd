import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IntegrityChecksService } from '../../../src/keep/integrity/integrity-checks.service';
import { IntegrityTimings } from '../../../src/keep/integrity/integrity-timings';
import { ArchiveFixture } from '../archive/archive-fixture';
import type { ServiceUser, TestedService } from '../tested-service';

const FIRST_NIGHT = Date.UTC(2027, 0, 1, 2, 37);
const DAY = 86_400_000;

/** Waits of tests: none that can be done without. */
export function hurry(
  app: TestedService,
  timings: Partial<Record<keyof IntegrityTimings, unknown>> = {},
): void {
  Object.assign(app.get(IntegrityTimings), {
    recheckAfterMs: 10,
    storeRetriesMs: [10, 10],
    nightlyRest: 0,
    requestedRest: 0,
    ...timings,
  });
}

/** Makes a user of a feature an administrator; in the whole service the first user is one. */
export async function makeAdministrator(app: TestedService, { id }: ServiceUser): Promise<void> {
  await app.dataSource.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [id]);
}

/** Nights that have been, per application: each is one only once. */
const nights = new WeakMap<TestedService, number>();

/** The instant of the next night's check. */
export function nextNight(app: TestedService): Date {
  const night = nights.get(app) ?? 0;
  nights.set(app, night + 1);
  return new Date(FIRST_NIGHT + night * DAY);
}

/** The user's newest check once it has ended. */
export async function checkEnd(user: ServiceUser, timeoutMs?: number): Promise<any> {
  const { body } = await user.api.get('/api/jobs');
  const job = body.find(({ type }: { type: string }) => type === 'check_integrity');
  if (!job) throw new Error('There is no check');
  return user.jobEnd(job.queue_id as string, timeoutMs);
}

/** The check of one night, for everybody. @returns that of the user */
export async function checkTonight(
  app: TestedService,
  user: ServiceUser,
  now = nextNight(app),
): Promise<any> {
  await app.get(IntegrityChecksService).startNight(now);
  return checkEnd(user);
}

/** The check of everything, by an administrator. */
export async function checkEverything(admin: ServiceUser): Promise<any> {
  const { status, body } = await admin.api.post('/api/admin/integrity/check');
  if (status !== 202) throw new Error(`check answered ${status}`);
  return admin.jobEnd(body.jobId as string);
}

/** The user's notifications of damage, newest first. */
export async function alerts(app: TestedService, user: ServiceUser): Promise<any[]> {
  return app.dataSource.query(
    `SELECT title, body, data FROM notifications WHERE user_id = $1 AND type = 'integrity_alert'
     ORDER BY created_at DESC, id DESC`,
    [user.id],
  );
}

/** An archived mail's file, to be damaged. */
export class StoredFile {
  private constructor(
    readonly path: string,
    readonly mailId: string,
    readonly bytes: Buffer,
  ) {}

  static async of(archive: ArchiveFixture, mailId: string): Promise<StoredFile> {
    const row = [...(await archive.rows()).values()].find(({ id }) => id === mailId);
    const path = join(archive.app.archiveDir, row.storage_key as string);
    return new StoredFile(path, mailId, await readFile(path));
  }

  remove(): Promise<void> {
    return rm(this.path);
  }

  async alter(): Promise<void> {
    const altered = Buffer.from(this.bytes);
    altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1);
    await writeFile(this.path, altered);
  }

  truncate(): Promise<void> {
    return truncate(this.path, this.bytes.length - 1);
  }

  extend(): Promise<void> {
    return appendFile(this.path, 'more');
  }

  repair(): Promise<void> {
    return writeFile(this.path, this.bytes);
  }
}
