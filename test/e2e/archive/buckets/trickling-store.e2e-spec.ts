import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { TricklingStore } from '../../../support/object-store/trickling-store';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MIB = 1024 * 1024;
const REQUESTS = 20;
/** Size of a slow mail: those that a user may read at a time are larger than all the memory for large mails. */
const SLOW_BYTES = 9 * MIB;

jest.setTimeout(60_000);

const mail = (subject: string, bytes = 2 * MIB): Buffer =>
  Buffer.from(`Subject: ${subject}\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(bytes / 78)}`);

describe('A user whose object store trickles', () => {
  let app: TestApp;
  let trickling: TricklingStore;
  let attackingUser: TestUser;
  let attacker: ArchiveFixture;
  let victim: ArchiveFixture;
  let slow: string;
  let local: string;
  let leave: AbortController;

  const connect = async (user: TestUser, name: string): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `${name}-0@sandbox.mailroom.test`);

  beforeAll(async () => {
    const [started, store] = await Promise.all([
      startTestApp({ sandbox: { messages: 1 } }),
      TestObjectStore.start(),
    ]);
    app = started;
    trickling = await TricklingStore.before(store.endpoint);
    attackingUser = await app.user();
    attacker = await connect(attackingUser, 'attacker');
    victim = await connect(await app.user(), 'victim');
    const configuration = store.configuration('trickling', { objstoreEndpoint: trickling.endpoint });
    expect((await attacker.user.api.put('/api/storage/config', configuration)).status).toBe(200);
    [slow] = (await attacker.insertAndArchive(mail('slow', SLOW_BYTES))) as [string];
    [local] = (await victim.insertAndArchive(mail('local'))) as [string];
  });

  beforeEach(() => {
    leave = new AbortController();
    trickling.slowDown();
  });

  afterEach(async () => {
    leave.abort();
    trickling.recover();
    await waitFor('the store to be let go of', () => trickling.trickling === 0);
  });

  afterAll(async () => {
    await trickling?.close();
    await app?.close();
  });

  /** Sends as many requests as are needed, all of which get stuck. */
  async function stuck(path: string): Promise<{ readonly ended: Promise<unknown> }> {
    const before = trickling.begun;
    const answers = Array.from({ length: REQUESTS }, () =>
      attackingUser.api.fetch('GET', path, { signal: leave.signal }).catch((error: unknown) => error),
    );
    await waitFor('the store to trickle', () => trickling.begun > before);
    return { ended: Promise.all(answers) };
  }

  it.each([
    ['as JSON', (fixture: ArchiveFixture, id: string) => `${fixture.path}/mails/${id}`],
    ['as safe HTML', (fixture: ArchiveFixture, id: string) => `${fixture.path}/mails/${id}/safe-html`],
  ])('should not keep other users from reading large mails %s', async (_what, pathOf) => {
    await stuck(pathOf(attacker, slow));
    const { status, bytes } = await victim.user.api.get(pathOf(victim, local));
    expect([status, bytes.length > MIB]).toEqual([200, true]);
    expect(trickling.trickling).toBeGreaterThan(0);
  });

  it.each([
    ['reading', (fixture: ArchiveFixture) => `${fixture.path}/mails/${slow}`],
    ['showing', (fixture: ArchiveFixture) => `${fixture.path}/mails/${slow}/safe-html`],
    ['downloading', (fixture: ArchiveFixture) => `${fixture.path}/mails/${slow}/eml`],
  ])('should be released as soon as the clients %s mails have disconnected', async (_what, pathOf) => {
    const { ended } = await stuck(pathOf(attacker));
    leave.abort();
    await ended;
    await waitFor('every request to the store to end', () => trickling.trickling === 0);
    trickling.recover();
    expect((await attacker.user.api.get(`${attacker.path}/mails/${slow}`)).status).toBe(200);
  });

  it('should not keep other users from having large mails scanned', async () => {
    const scan = async ({ user, accountId }: ArchiveFixture): Promise<string> => {
      const { status, body } = await user.api.post(`/api/privacy/${accountId}/pii/scan`);
      expect(status).toBe(202);
      return body.jobId as string;
    };
    trickling.recover();
    // Alone more than all the memory for scans.
    await attacker.insertAndArchive(mail('larger', 17 * MIB));
    trickling.slowDown();
    const before = trickling.begun;
    const stuckJob = await scan(attacker);
    await waitFor('the scan to be stuck', () => trickling.begun > before);
    expect(await victim.user.jobEnd(await scan(victim))).toMatchObject({ status: 'completed', failed: 0 });
    expect((await attacker.user.api.get(`/api/jobs/${stuckJob}`)).body.status).toBe('active');
    expect((await attacker.user.api.delete(`/api/jobs/${stuckJob}`)).status).toBe(204);
    expect((await attacker.user.jobEnd(stuckJob)).status).toBe('cancelled');
  });
});
