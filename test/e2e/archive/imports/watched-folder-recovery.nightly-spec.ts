import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KillableService } from '../../../support/killable-service';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 1_200;

/** Imports from the watched folder whose process is killed, with the service's own crons. */
describe('An interrupted import from the watched folder', () => {
  let service: KillableService;
  let user: TestUser;
  let root: string;

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'mailroom-watched-')));
    service = await KillableService.start({
      environment: { IMPORT_WATCH_DIR: root, IMPORT_WATCH_SETTLE_SECONDS: '1' },
    });
    user = await service.user();
  });
  afterAll(async () => {
    await service?.close();
    rmSync(root, { recursive: true, force: true });
  });

  const mail = (number: number): string =>
    `From: a@example.com\nSubject: ${number}\nMessage-ID: <${number}@example.com>\n` +
    `Date: Tue, 19 Mar 2019 09:13:51 +0000\n\n${`line of ${number}\n`.repeat(500)}`;

  it('should continue after a kill, with every item counted once, and move the folder at the end', async () => {
    const accountId = await user.connect('watched-0@sandbox.mailroom.test');
    const folder = join(root, accountId, 'Mail');
    for (let number = 0; number < MESSAGES; number += 1) {
      mkdirSync(join(folder, String(number % 7)), { recursive: true });
      writeFileSync(join(folder, String(number % 7), `${number}.eml`), mail(number));
    }
    const jobs = async (): Promise<any[]> => (await user.api.get(`/api/jobs?accountId=${accountId}`)).body;
    await waitFor(
      'the job to be midway',
      async () => {
        const [job] = await jobs();
        if (job?.completed_at) throw new Error(`too late: ${JSON.stringify(job)}`);
        return job && job.processed > 0 ? true : undefined;
      },
      90_000,
    );
    await service.kill();
    await service.begin();
    const [job, ...others] = await jobs();
    expect(others).toEqual([]);
    const ended = await user.jobEnd(job.queue_id as string, 90_000);
    expect(ended).toMatchObject({ status: 'completed', processed: MESSAGES, failed: 0 });
    const { items, imported, duplicates } = ended.result as Record<string, number>;
    expect([items, imported! + duplicates!]).toEqual([MESSAGES, MESSAGES]);
    const [{ count }] = await service.query(
      'SELECT count(*)::int AS count, count(DISTINCT sha256)::int AS different FROM archived_mails WHERE account_id = $1',
      [accountId],
    );
    expect(count).toBe(MESSAGES);
    await waitFor(
      'the folder to be moved',
      async () => (readdirSync(join(root, accountId)).join() === 'done' ? true : undefined),
      60_000,
    );
    expect(readdirSync(join(root, accountId, 'done'))).toEqual([job.queue_id]);
    expect(await jobs()).toHaveLength(1);
  }, 300_000);
});
