import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../../test/support/api-client';
import { EventStream } from '../../../test/support/event-stream';
import { abandonedUpload } from '../../../test/support/imports';
import type { TestUser } from '../../../test/support/test-user';
import { registerUser } from '../../bench-environment';
import type { Random } from '../../load/reads';
import { expectStatus, type SoakAccount, type SoakWorld } from '../soak-world';

const STREAM_MS = 12_000;
const ABANDONED_BYTES = 512 * 1024;
const GUEST_MESSAGES = 60;
const JOB_PATIENCE_MS = 300_000;

/** Watches jobs or notifications for a while and leaves without a word, as a closed tab does. */
export async function watchEvents(user: TestUser, random: Random): Promise<void> {
  const [path, event] = random.of([
    ['/api/jobs/events', 'job'],
    ['/api/notifications/events', 'notification'],
  ] as const)!;
  const stream = await EventStream.open(user.api, path, { event });
  if (stream.status !== 200) throw new Error(`${path} answered ${stream.status}`);
  await delay(random.next() * STREAM_MS);
  stream.close();
}

/** Signs in, looks, refreshes, looks with the new token, signs out; the token is of no use then. */
export async function signInAndOut(user: TestUser): Promise<void> {
  const { baseUrl } = user.api;
  const anonymous = new ApiClient(baseUrl, null);
  const { email, password } = user;
  const opened = await expectStatus(200, anonymous.post('/api/auth/login', { email, password }));
  await expectStatus(200, new ApiClient(baseUrl, opened.body.access_token as string).get('/api/auth/me'));
  const { refresh_token } = opened.body as { refresh_token: string };
  const refreshed = await expectStatus(200, anonymous.post('/api/auth/refresh', { refresh_token }));
  const session = new ApiClient(baseUrl, refreshed.body.access_token as string);
  await expectStatus(200, session.get('/api/jobs?limit=5'));
  await expectStatus(204, session.post('/api/auth/logout'));
  await expectStatus(401, session.get('/api/auth/me'));
}

/** What everybody's requests carry from here on: access tokens last for minutes. */
export async function renewSession(user: TestUser): Promise<void> {
  const { email, password } = user;
  const anonymous = new ApiClient(user.api.baseUrl, null);
  const { body } = await expectStatus(200, anonymous.post('/api/auth/login', { email, password }));
  user.api.token = body.access_token as string;
}

/** A program's key: made, used, taken back. */
export async function useApiKey(user: TestUser): Promise<void> {
  const { body } = await expectStatus(201, user.api.post('/api/auth/api-keys', { name: 'Soak' }));
  const program = new ApiClient(user.api.baseUrl, body.key as string);
  await expectStatus(200, program.get('/api/jobs'));
  await expectStatus(204, user.api.delete(`/api/auth/api-keys/${body.id as string}`));
  await expectStatus(401, program.get('/api/jobs'));
}

/** Begins to download an archive, or to upload one, and goes away. */
export async function leaveInTheMiddle({ user, accountId }: SoakAccount): Promise<void> {
  const leaving = new AbortController();
  const response = await user.api.fetch('POST', `/api/import/${accountId}/export-mbox`, {
    body: {},
    signal: leaving.signal,
  });
  // Encrypted archives are exported with a passphrase only, which is not given here.
  if (response.status !== 200 && response.status !== 403 && response.status !== 409)
    throw new Error(`an export answered ${response.status}`);
  await response.body?.getReader().read();
  leaving.abort();
  await abandonedUpload(user, accountId, ABANDONED_BYTES, async () => undefined);
}

/** What people do between the large things. */
export async function changeSettings({ user, accountId }: SoakAccount): Promise<void> {
  const search = await expectStatus(
    201,
    user.api.post('/api/saved-searches', { name: 'Soak', query: 'in:inbox' }),
  );
  const path = `/api/saved-searches/${search.body.id as string}`;
  await expectStatus(200, user.api.put(path, { name: 'Soak, changed' }));
  await expectStatus(200, user.api.delete(path));
  await expectStatus(200, user.api.put('/api/notifications/preferences', { rule_executed: true }));
  await expectStatus(200, user.api.post('/api/notifications/read-all'));
  await expectStatus(200, user.api.delete('/api/notifications'));
  const conditions = [{ field: 'older_than', operator: 'equals', value: '1y' }];
  await expectStatus(200, user.api.post(`/api/rules/${accountId}/preview`, { conditions }));
}

/** Starts a change of many messages and thinks better of it. */
export async function cancelJob({ user, accountId, messageIds }: SoakAccount): Promise<void> {
  const { body } = await expectStatus(
    202,
    user.api.post(`/api/mailbox/${accountId}/messages/bulk`, { action: 'mark_read', messageIds }),
  );
  // A job that has ended already is not to be cancelled: 409.
  const { status } = await user.api.delete(`/api/jobs/${body.jobId as string}`);
  if (status !== 204 && status !== 409) throw new Error(`cancelling answered ${status}`);
  const job = await user.jobEnd(body.jobId as string, JOB_PATIENCE_MS);
  if (!['completed', 'cancelled'].includes(job.status as string))
    throw new Error(`a cancelled job ended as ${job.status}: ${job.error}`);
}

/** Somebody registers, connects a mailbox, archives all of it, and is removed with everything by the administrator. */
export async function beAGuest({ service, administrator }: SoakWorld, number: number): Promise<void> {
  const guest = await registerUser(service.url);
  const accountId = await guest.connect(`guest-${number % 4}-${GUEST_MESSAGES}@sandbox.mailroom.test`);
  const started = await expectStatus(
    202,
    guest.api.post(`/api/archive/${accountId}/archive`, { query: 'in:anywhere' }),
  );
  const archived = await guest.jobEnd(started.body.jobId as string, JOB_PATIENCE_MS);
  if (archived.status !== 'completed')
    throw new Error(`a guest's mail: ${archived.status}: ${archived.error}`);
  const { body } = await expectStatus(202, administrator.api.delete(`/api/admin/users/${guest.id}`));
  const job = await administrator.jobEnd(body.jobId as string, JOB_PATIENCE_MS);
  if (job.status !== 'completed') throw new Error(`removing a guest: ${job.status}: ${job.error}`);
}

/** Compares all archives with their files; nothing is to be wrong. */
export async function checkIntegrity({ administrator, database }: SoakWorld): Promise<void> {
  const { body } = await expectStatus(202, administrator.api.post('/api/admin/integrity/check'));
  const job = await administrator.jobEnd(body.jobId as string, JOB_PATIENCE_MS);
  if (job.status !== 'completed') throw new Error(`${job.status}: ${job.error}`);
  const findings: unknown[] = await database.query('SELECT * FROM integrity_findings LIMIT 5');
  if (findings.length > 0) throw new Error(`found ${JSON.stringify(findings)}`);
}
