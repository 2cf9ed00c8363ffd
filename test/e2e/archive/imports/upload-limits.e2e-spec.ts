import { existsSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { ImportUploadsService } from '../../../../src/archive/imports/import-uploads.service';
import type { ApiAnswer } from '../../../support/api-client';
import { type Served, startTestApp, TestApp } from '../../../support/app';
import { inMbox, upload } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MIB = 1024 * 1024;
const QUOTA = 10 * MIB;
const HEAD =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.mbox"\r\n\r\nFrom the beginning';
const FILE = inMbox('Subject: small\n\nx\n');

interface OpenUpload {
  readonly request: ClientRequest;
  /** Settles when it has been refused. */
  readonly refused: Promise<[status: number, code: string]>;
}

describe('Limits of uploads', () => {
  let app: TestApp;
  let other: Served;
  const open: ClientRequest[] = [];

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, own: true });
    other = await app.another();
  });

  afterEach(async () => {
    for (const request of open.splice(0)) request.destroy();
    await waitFor('uploads to be over', async () => (await rows()).length === 0);
    await waitFor('their files to go', () => files().length === 0);
  });

  afterAll(async () => {
    await other?.app.close();
    await app?.close();
  });

  const rows = (): Promise<any[]> => app.dataSource.query('SELECT * FROM import_uploads');
  const files = (): string[] => {
    const directory = join(app.env['DATA_DIR']!, 'uploads');
    return existsSync(directory) ? readdirSync(directory) : [];
  };
  const gist = ({ status, body }: ApiAnswer): unknown[] => [status, body.code];

  async function owner(): Promise<{ user: TestUser; accountId: string }> {
    const user = await app.user();
    const accountId = await user.connect(`${user.email.split('@')[0]!}-0@sandbox.mailroom.test`);
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = $2 WHERE id = $1', [user.id, QUOTA]);
    return { user, accountId };
  }

  /** An upload that sends its head and no more, at another process than the others. */
  function begin(user: TestUser, accountId: string, announced?: number): OpenUpload {
    const request = httpRequest(new URL(`/api/import/${accountId}/mbox`, other.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.api.token}`,
        'content-type': 'multipart/form-data; boundary=cut',
        ...(announced === undefined ? {} : { 'content-length': String(announced) }),
      },
    });
    request.on('error', () => undefined);
    request.write(HEAD);
    open.push(request);
    const refused = (async (): Promise<[number, string]> => {
      const [response] = await once(request, 'response');
      let text = '';
      for await (const chunk of response) text += String(chunk);
      return [response.statusCode, JSON.parse(text).code];
    })();
    refused.catch(() => undefined);
    return { request, refused };
  }

  const begun = (count: number): Promise<unknown> =>
    waitFor('uploads to have begun', async () => (await rows()).length === count && files().length === count);

  it('should refuse a third upload until one of two has ended, in any process', async () => {
    const { user, accountId } = await owner();
    const first = begin(user, accountId, MIB);
    begin(user, accountId);
    await begun(2);
    const third = await upload(user, accountId, FILE);
    expect(gist(third)).toEqual([429, 'too-many-uploads']);
    expect(third.headers.get('retry-after')).toBe('60');
    expect(await begin(user, accountId, MIB).refused).toEqual([429, 'too-many-uploads']);
    expect(files()).toHaveLength(2);

    const another = await owner();
    const { body } = await upload(another.user, another.accountId, FILE);
    await another.user.jobEnd(body.jobId as string);

    first.request.destroy();
    await begun(1);
    const started = await upload(user, accountId, FILE);
    expect(started.status).toBe(202);
    await user.jobEnd(started.body.jobId as string);
  });

  it('should count an upload until its import has ended', async () => {
    const { user, accountId } = await owner();
    const { body } = await upload(user, accountId, FILE);
    await user.jobEnd(body.jobId as string);
    await app.dataSource.query(
      `INSERT INTO import_uploads (id, user_id, account_id, job_id, filename, size_bytes)
       SELECT gen_random_uuid(), $1, $2, jobs.id, 'a.mbox', 1 FROM jobs, generate_series(1, 2) WHERE user_id = $1`,
      [user.id, accountId],
    );
    await app.dataSource.query('UPDATE jobs SET completed_at = NULL WHERE user_id = $1', [user.id]);
    expect(gist(await upload(user, accountId, FILE))).toEqual([429, 'too-many-uploads']);
    await app.dataSource.query('UPDATE jobs SET completed_at = now() WHERE user_id = $1', [user.id]);
    const again = await upload(user, accountId, FILE);
    expect(again.status).toBe(202);
    await user.jobEnd(again.body.jobId as string);
    await app.app.get(ImportUploadsService).deleteFinished();
  });

  it('should refuse an upload at once beyond one and a half times the free space, including waiting uploads', async () => {
    const { user, accountId } = await owner();
    expect(await begin(user, accountId, 1.6 * QUOTA).refused).toEqual([413, 'quota-exceeded']);
    begin(user, accountId, QUOTA);
    await begun(1);
    expect(await begin(user, accountId, 0.6 * QUOTA).refused).toEqual([413, 'quota-exceeded']);
    begin(user, accountId, 0.4 * QUOTA);
    await begun(2);
  });

  it('should end an upload of unknown length at the quota', async () => {
    const { user, accountId } = await owner();
    const { request, refused } = begin(user, accountId);
    for (let sent = 0; sent < 2 * QUOTA; sent += MIB) request.write(Buffer.alloc(MIB, 'x'));
    expect(await refused).toEqual([413, 'quota-exceeded']);
  });

  it('should refuse an upload of any size when the quota is used up', async () => {
    const { user, accountId } = await owner();
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = 0 WHERE id = $1', [user.id]);
    expect(gist(await upload(user, accountId, FILE))).toEqual([413, 'quota-exceeded']);
    expect(await begin(user, accountId).refused).toEqual([413, 'quota-exceeded']);
  });

  it('should delete files that only wait for a retry of their failed import', async () => {
    const { user, accountId } = await owner();
    const { body } = await upload(user, accountId, FILE);
    await user.jobEnd(body.jobId as string);
    await app.dataSource.query(
      `WITH failed AS (UPDATE jobs SET status = 'failed', error_code = 'quota-exceeded', completed_at = now()
                        WHERE user_id = $1 RETURNING id)
       INSERT INTO import_uploads (id, user_id, account_id, job_id, filename, size_bytes)
       SELECT gen_random_uuid(), $1, $2, id, 'a.mbox', $3 FROM failed, generate_series(1, 3)`,
      [user.id, accountId, QUOTA / 4],
    );
    await app.app.get(ImportUploadsService).deleteFinished();
    expect(await rows()).toHaveLength(3);
    const refused = await begin(user, accountId, 2 * QUOTA).refused;
    expect([refused, (await rows()).length]).toEqual([[413, 'quota-exceeded'], 3]);
    const again = await upload(user, accountId, FILE);
    expect(again.status).toBe(202);
    await user.jobEnd(again.body.jobId as string);
    expect(await rows()).toEqual([]);
  });

  it('should refuse an upload before it is sent when the user may open no further job, unless it is repeated', async () => {
    const { user, accountId } = await owner();
    const headers = { 'idempotency-key': 'the same' };
    const first = await upload(user, accountId, FILE, { headers });
    await user.jobEnd(first.body.jobId as string);
    const limits = [app.app, other.app].map((process) =>
      jest.replaceProperty(process.get(AppConfig).jobs, 'maxOpenPerUser', 0),
    );
    try {
      expect(await begin(user, accountId, QUOTA).refused).toEqual([429, 'too-many-jobs']);
      const repeated = await upload(user, accountId, FILE, { headers });
      expect([repeated.status, repeated.body.jobId]).toEqual([202, first.body.jobId]);
    } finally {
      for (const limit of limits) limit.restore();
      await app.app.get(ImportUploadsService).deleteFinished();
    }
  });

  it('should forget an upload when its process has died', async () => {
    const { user, accountId } = await owner();
    const lost = (minutes: number): Promise<unknown> =>
      app.dataSource.query(
        `INSERT INTO import_uploads (id, user_id, account_id, filename, size_bytes, touched_at)
         VALUES (gen_random_uuid(), $1, $2, '', 1, now() - make_interval(mins => $3))`,
        [user.id, accountId, minutes],
      );
    await lost(20);
    await lost(10);
    await app.app.get(ImportUploadsService).deleteFinished();
    expect(await rows()).toHaveLength(1);
    await app.dataSource.query('DELETE FROM import_uploads');
    // An upload of the same user does not wait for the cron.
    await lost(20);
    await lost(20);
    const { status, body } = await upload(user, accountId, FILE);
    expect(status).toBe(202);
    await user.jobEnd(body.jobId as string);
  });
});
