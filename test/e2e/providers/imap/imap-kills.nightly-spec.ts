import { createHash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestImapServer } from '../../../support/imap/imap-server';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { fingerprintOf } from '../../../support/imap/test-certificate';
import { KillableService } from '../../../support/killable-service';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 1_500;
const TRASHED = 1_000;
const KILLS = 6;
/** A little larger than a line, so that an archive job lasts for several kills. */
const PADDING = 'x'.repeat(4_000);

const raw = (number: number): Buffer => plainMail(number, { body: `${number} ${PADDING}` });
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The service is killed at any instant of its work on a mailbox of a real IMAP server. */
describe('Jobs on an IMAP mailbox of a service that is killed', () => {
  let service: KillableService;
  let server: TestImapServer;
  let user: TestUser;
  let accountId: string;

  beforeAll(async () => {
    [service, server] = await Promise.all([KillableService.start(), TestImapServer.start()]);
    server.seed('INBOX', MESSAGES, (number) => ({ raw: raw(number), receivedAt: arrivalOf(number) }));
    user = await service.user('imap');
    const connected = await user.api.post('/api/auth/mailbox/imap', {
      email: server.user,
      password: server.pass,
      host: 'localhost',
      port: server.tlsPort,
      security: 'tls',
      certificateSha256: fingerprintOf(readFileSync(server.certificatePath, 'utf8')),
    });
    if (connected.status !== 201) throw new Error(connected.bytes.toString());
    accountId = connected.body.id as string;
  });
  afterAll(async () => {
    await service?.close();
    await server?.stop();
  });

  const allIds = async (query: string): Promise<string[]> => {
    const ids: string[] = [];
    let pageToken: string | undefined;
    do {
      const parameters = new URLSearchParams({
        maxResults: '500',
        q: query,
        ...(pageToken && { pageToken }),
      });
      const { body } = await user.api.get(`/api/mailbox/${accountId}/messages?${parameters.toString()}`);
      ids.push(...body.messages.map(({ id }: { id: string }) => id));
      pageToken = body.nextPageToken;
    } while (pageToken);
    return ids;
  };

  const counted = (folder: string): Promise<number> =>
    server.session(async (client) => (await client.status(folder, { messages: true })).messages ?? 0);

  /** Kills the service again and again while a job runs, and waits for the job's end. */
  async function killed(jobId: string, whileDown: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; round < KILLS; round += 1) {
      await sleep(randomInt(200, 2_500));
      await service.kill();
      await whileDown(round);
      await service.query('UPDATE jobs SET lost_attempts = 0 WHERE completed_at IS NULL');
      await service.begin();
    }
    await waitFor(
      'the job to end',
      async () => {
        const { body } = await user.api.get(`/api/jobs/${jobId}`);
        if (body.status === 'failed') throw new Error(body.error as string);
        return body.status === 'completed';
      },
      180_000,
      500,
    );
  }

  it('should archive each message once, byte for byte, even if UIDs change meanwhile', async () => {
    const before = await allIds('');
    expect(new Set(before).size).toBe(MESSAGES);
    const started = await user.api.post(`/api/archive/${accountId}/archive`, { messageIds: before });
    await killed(started.body.jobId as string, async (round) => {
      if (round !== 2) return;
      await server.halt();
      server.renewUidValidity('INBOX');
      await server.run();
    });
    const rows = await service.query<{ sha256: string }>('SELECT sha256 FROM archived_mails');
    const sent = Array.from({ length: MESSAGES }, (_, index) => sha256(raw(index + 1)));
    expect(rows.map((row) => row.sha256).toSorted()).toEqual(sent.toSorted());
    expect((await allIds('')).toSorted()).toEqual(before.toSorted());
  }, 400_000);

  it('should move only the requested messages to the trash', async () => {
    const before = await allIds('');
    const messageIds = before.slice(0, TRASHED);
    const started = await user.api.post(`/api/mailbox/${accountId}/messages/bulk`, {
      action: 'trash',
      messageIds,
    });
    await killed(started.body.jobId as string, async () => undefined);
    expect(await counted('Trash')).toBe(TRASHED);
    expect(await counted('INBOX')).toBe(MESSAGES - TRASHED);
    expect((await allIds('in:trash')).toSorted()).toEqual(messageIds.toSorted());
    expect((await allIds('')).toSorted()).toEqual(before.slice(TRASHED).toSorted());
  }, 400_000);

  it('should offload proved messages, and restore them, each message once', async () => {
    const kept = (await allIds('in:inbox')).toSorted();
    const planned = await user.api.post(`/api/offload/${accountId}/plans`, {
      select: { query: 'in:inbox' },
      mode: 'strict',
      allow: { starred: true, important: true, unread: true },
    });
    await user.jobEnd(planned.body.jobId as string, 120_000);
    const path = `/api/offload/${accountId}/plans/${planned.body.planId}`;
    const { digest, offloadable: count } = (await user.api.get(path)).body;
    expect(count).toBe(MESSAGES - TRASHED);
    const confirmed = await user.api.post(`${path}/confirm`, { digest, count });
    await killed(confirmed.body.jobId as string, async () => undefined);
    expect((await user.api.get(path)).body).toMatchObject({ status: 'done', trashed: count, blocked: 0 });
    expect(await counted('Trash')).toBe(MESSAGES);
    expect(await counted('INBOX')).toBe(0);

    const restore = await user.api.post(`/api/restore/${accountId}`, {
      select: { planId: planned.body.planId },
      target: { accountId },
    });
    await user.jobEnd(restore.body.jobId as string, 120_000);
    const run = `/api/restore/${accountId}/${restore.body.restoreId}`;
    const started = await user.api.post(`${run}/start`);
    await killed(started.body.jobId as string, async () => undefined);
    const { counts } = (await user.api.get(run)).body;
    expect(counts).toMatchObject({ inserted: 0, failed: 0 });
    // What a process had brought back when it was killed, the next one finds there.
    expect(counts.untrashed + counts.alreadyThere).toBe(count);
    expect(await counted('Trash')).toBe(TRASHED);
    expect(await counted('INBOX')).toBe(count);
    expect((await allIds('in:inbox')).toSorted()).toEqual(kept);
  }, 600_000);
});
