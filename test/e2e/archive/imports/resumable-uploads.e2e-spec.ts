import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { ImportUploadsService } from '../../../../src/archive/imports/import-uploads.service';
import type { ApiAnswer } from '../../../support/api-client';
import { type Served, startTestApp, TestApp } from '../../../support/app';
import { inMbox } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MIB = 1024 * 1024;
const CHUNK = 16 * MIB;
const FILE = Buffer.from(
  [1, 2, 3].map((number) => inMbox(`Message-ID: <${number}@x>\nSubject: s${number}\n\nText\n`)).join(''),
);

describe('Uploads in chunks', () => {
  let app: TestApp;
  let other: Served;
  let user: TestUser;
  let accountId: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, own: true });
    other = await app.another();
  });

  beforeEach(async () => {
    user = await app.user();
    accountId = await user.connect(`${user.email.split('@')[0]!}-0@sandbox.mailroom.test`);
  });

  afterAll(async () => {
    await other?.app.close();
    await app?.close();
  });

  const path = (id?: string): string => `/api/import/${accountId}/uploads${id === undefined ? '' : `/${id}`}`;
  const begin = async (size = FILE.length): Promise<string> => {
    const { status, body } = await user.api.post(path(), { filename: '../mail.mbox', size });
    expect(status).toBe(201);
    return body.id as string;
  };
  const directory = (): string => join(app.env['DATA_DIR']!, 'uploads');
  const files = (): string[] => (existsSync(directory()) ? readdirSync(directory()) : []);
  const gist = ({ status, body }: ApiAnswer): unknown[] => [status, body?.code ?? body?.offset];

  async function send(
    id: string,
    offset: number | string,
    bytes: Buffer,
    { url = app.url, token = user.api.token, type = 'application/octet-stream' } = {},
  ): Promise<ApiAnswer> {
    const response = await fetch(new URL(path(id), url), {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': type, 'upload-offset': String(offset) },
      body: bytes,
    });
    const answer = Buffer.from(await response.arrayBuffer());
    const body = JSON.parse(answer.toString());
    return { status: response.status, headers: response.headers, bytes: answer, body };
  }

  /** A chunk that begins to arrive and goes no further. */
  async function stuck(id: string, offset: number, bytes: Buffer, length: number): Promise<ClientRequest> {
    const request = httpRequest(new URL(path(id), app.url), {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${user.api.token}`,
        'content-type': 'application/octet-stream',
        'content-length': String(length),
        'upload-offset': String(offset),
      },
    });
    request.on('error', () => undefined);
    request.write(bytes);
    const end = offset + bytes.length;
    await waitFor('the bytes to be written', () => files().some((name) => sizeOf(name) === end));
    return request;
  }

  const sizeOf = (name: string): number => statSync(join(directory(), name)).size;
  const offsetOf = async (id: string): Promise<number> =>
    (await user.api.get(path(id))).body.offset as number;

  it('should import a file that arrived in chunks, through several processes', async () => {
    const { status, body } = await user.api.post(path(), { filename: 'a/mail.mbox', size: FILE.length });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String) as string,
      filename: 'mail.mbox',
      size: FILE.length,
      offset: 0,
      chunkBytes: CHUNK,
      expires_at: expect.any(String) as string,
    });
    const id = body.id as string;
    expect(new Date(body.expires_at as string).getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(gist(await send(id, 0, FILE.subarray(0, 100)))).toEqual([200, 100]);
    expect(gist(await send(id, 100, FILE.subarray(100, 150), { url: other.url }))).toEqual([200, 150]);
    expect((await user.api.get(path())).body).toMatchObject([{ id, offset: 150 }]);
    expect(gist(await user.api.post(`${path(id)}/complete`))).toEqual([409, 'upload-incomplete']);
    expect(gist(await send(id, 150, FILE.subarray(150)))).toEqual([200, FILE.length]);

    const completed = await user.api.post(`${path(id)}/complete`);
    expect(completed.status).toBe(202);
    const job = await user.jobEnd(completed.body.jobId as string);
    expect(job).toMatchObject({ status: 'completed', result: { imported: 3, failed: 0 } });
    // The answer may have been lost.
    expect((await user.api.post(`${path(id)}/complete`)).body).toEqual(completed.body);
    expect(gist(await user.api.get(path(id)))).toEqual([404, 'upload-not-found']);
    expect(files()).toEqual([]);
  });

  it('should start one job when it is completed twice at once', async () => {
    const id = await begin();
    await send(id, 0, FILE);
    const answers = await Promise.all([1, 2, 3].map(() => user.api.post(`${path(id)}/complete`)));
    const jobs = new Set(answers.map(({ body }) => body.jobId as string));
    expect([...jobs]).toEqual([expect.stringMatching(/^import_mbox-\d+$/)]);
    await user.jobEnd([...jobs][0]!);
  });

  it('should return the right offset when a chunk starts elsewhere', async () => {
    const id = await begin();
    await send(id, 0, FILE.subarray(0, 40));
    for (const wrong of [0, 39, 41]) {
      const refused = await send(id, wrong, FILE.subarray(wrong));
      expect(gist(refused)).toEqual([409, 'upload-offset-wrong']);
      expect(refused.headers.get('upload-offset')).toBe('40');
    }
    expect(await offsetOf(id)).toBe(40);
  });

  it('should refuse a second chunk while one is in progress, and keep what arrives of an interrupted one', async () => {
    const id = await begin();
    const request = await stuck(id, 0, FILE.subarray(0, 60), FILE.length);
    expect(gist(await send(id, 0, FILE, { url: other.url }))).toEqual([409, 'upload-busy']);
    request.destroy();
    await waitFor('the chunk to be over', async () => (await offsetOf(id)) === 60);
    expect(gist(await send(id, 60, FILE.subarray(60)))).toEqual([200, FILE.length]);
  });

  it('should continue after its process was killed during a chunk', async () => {
    const id = await begin();
    await send(id, 0, FILE.subarray(0, 50));
    // Bytes that were never confirmed, and the lease of a process that is gone.
    writeFileSync(join(directory(), `${id}.part`), 'x'.repeat(20), { flag: 'a' });
    await app.dataSource.query(
      `UPDATE import_uploads SET lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect(gist(await send(id, 50, FILE.subarray(50)))).toEqual([409, 'upload-busy']);
    await app.dataSource.query(
      `UPDATE import_uploads SET lease_until = now() - interval '6 seconds' WHERE id = $1`,
      [id],
    );
    expect(gist(await send(id, 50, FILE.subarray(50)))).toEqual([200, FILE.length]);
    const { body } = await user.api.post(`${path(id)}/complete`);
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ result: { imported: 3, failed: 0 } });
  });

  it('should stop a chunk whose upload is cancelled', async () => {
    const id = await begin();
    const request = await stuck(id, 0, FILE.subarray(0, 60), FILE.length);
    const refused = once(request, 'response');
    expect((await user.api.delete(path(id))).status).toBe(204);
    request.end(FILE.subarray(60));
    expect((await refused)[0].statusCode).toBe(409);
    expect(gist(await user.api.get(path(id)))).toEqual([404, 'upload-not-found']);
    expect(gist(await user.api.delete(path(id)))).toEqual([404, 'upload-not-found']);
    expect(files().filter((name) => name.startsWith(id))).toEqual([]);
  });

  it('should refuse chunks beyond the file or the maximum size, and invalid chunks', async () => {
    const id = await begin(CHUNK + 10);
    expect(gist(await send(id, 0, Buffer.alloc(CHUNK + 1)))).toEqual([413, 'upload-chunk-too-large']);
    expect(gist(await send(id, 0, Buffer.alloc(CHUNK)))).toEqual([200, CHUNK]);
    expect(gist(await send(id, CHUNK, Buffer.alloc(11)))).toEqual([413, 'upload-chunk-too-large']);
    expect(gist(await send(id, CHUNK, FILE, { type: 'application/json' }))).toEqual([
      415,
      'unsupported-media-type',
    ]);
    for (const wrong of ['', '-1', '1.5', '0x10']) {
      const { status, body } = await send(id, wrong, FILE);
      expect([status, body.errors]).toMatchObject([400, [{ field: 'Upload-Offset' }]]);
    }
    expect(gist(await user.api.delete(path(id)))).toEqual([204, undefined]);
  });

  it.each([
    [{ filename: '', size: 1 }, 'filename'],
    [{ filename: 'x'.repeat(256), size: 1 }, 'filename'],
    [{ filename: 'mail.mbox', size: 0 }, 'size'],
    [{ filename: 'mail.mbox', size: 1.5 }, 'size'],
    [{ filename: 'mail.mbox' }, 'size'],
  ])('should refuse to start %j', async (request, field) => {
    const { status, body } = await user.api.post(path(), request);
    expect([status, body.errors]).toMatchObject([400, [{ field }]]);
  });

  it('should count like other uploads, towards their number and the quota', async () => {
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = $2 WHERE id = $1', [
      user.id,
      10 * MIB,
    ]);
    const create = (size: number): Promise<ApiAnswer> => user.api.post(path(), { filename: 'a.mbox', size });
    expect(gist(await create(16 * MIB))).toEqual([413, 'quota-exceeded']);
    expect(gist(await create(60 * 1024 ** 3))).toEqual([413, 'upload-too-large']);
    const first = await begin(10 * MIB);
    expect(gist(await create(6 * MIB))).toEqual([413, 'quota-exceeded']);
    await begin(4 * MIB);
    expect(gist(await create(1))).toEqual([429, 'too-many-uploads']);
    // Nothing has arrived of it for a while, and another needs its place.
    await app.dataSource.query(
      `UPDATE import_uploads SET touched_at = now() - interval '16 minutes' WHERE id = $1`,
      [first],
    );
    expect((await create(1)).status).toBe(201);
    expect(gist(await user.api.get(path(first)))).toEqual([404, 'upload-not-found']);
  });

  it('should wait a day for the next chunk, and no longer', async () => {
    const sweep = (): Promise<number> => app.app.get(ImportUploadsService).deleteFinished();
    const id = await begin();
    await send(id, 0, FILE.subarray(0, 10));
    const heard = (hours: number, lease = 'NULL'): Promise<unknown> =>
      app.dataSource.query(
        `UPDATE import_uploads SET touched_at = now() - make_interval(hours => $2), lease_until = ${lease} WHERE id = $1`,
        [id, hours],
      );
    await heard(23);
    expect(await sweep()).toBe(0);
    await heard(25, `now() + interval '1 minute'`);
    expect(await sweep()).toBe(0);
    await heard(25);
    expect(await sweep()).toBe(1);
    expect(gist(await user.api.get(path(id)))).toEqual([404, 'upload-not-found']);
    expect(files().filter((name) => name.startsWith(id))).toEqual([]);
  });

  it('should be private to their user', async () => {
    const id = await begin();
    const stranger = await app.user();
    const foreign = await send(id, 0, FILE, { token: stranger.api.token });
    expect(gist(foreign)).toEqual([403, 'account-not-owned']);
    const spare = await user.connect(`${user.email.split('@')[0]!}-spare-0@sandbox.mailroom.test`);
    expect(gist(await user.api.get(`/api/import/${spare}/uploads/${id}`))).toEqual([404, 'upload-not-found']);
    expect((await user.api.get(`/api/import/${spare}/uploads`)).body).toEqual([]);
    expect(await offsetOf(id)).toBe(0);

    // Also once a job imports it.
    await send(id, 0, FILE);
    expect((await user.api.post(`${path(id)}/complete`)).status).toBe(202);
    expect(gist(await user.api.post(`/api/import/${spare}/uploads/${id}/complete`))).toEqual([
      404,
      'upload-not-found',
    ]);
    const theirs = await stranger.connect(`${stranger.email.split('@')[0]!}-0@sandbox.mailroom.test`);
    expect(gist(await stranger.api.post(`/api/import/${theirs}/uploads/${id}/complete`))).toEqual([
      404,
      'upload-not-found',
    ]);
  });
});
