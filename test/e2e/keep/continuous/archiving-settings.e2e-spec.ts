import type { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { KeptMailbox } from '../../../support/archiving/kept-mailbox';
import type { TestUser } from '../../../support/test-user';

const DEFAULTS = {
  mode: 'off',
  paused: false,
  exclusions: ['spam', 'trash', 'drafts'],
  verifyDays: 8,
  reconcileDays: 7,
  notifyAfterHours: 24,
  followLabels: true,
  state: 'off',
  reason: null,
  since: null,
  lookedAt: null,
  copiedAt: null,
  pending: 0,
  oldestPendingAt: null,
  exact: false,
  incompleteFolders: [],
  reconciledAt: null,
  jobId: null,
};

describe('Settings of continuous archiving', () => {
  let app: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    [user, stranger] = [await app.user(), await app.user()];
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });
  afterAll(() => app?.close());
  beforeEach(() => app.sandbox.clearFaults());

  const connect = (messages = 3): Promise<KeptMailbox> =>
    KeptMailbox.connect(app, user, `settings${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`);

  it('should be off for an account that never had it, and leave no trace', async () => {
    const box = await connect();
    expect(await box.status()).toEqual(DEFAULTS);
    await box.look();
    expect(await box.query('SELECT FROM archiving_settings WHERE account_id = $1')).toEqual([]);
    expect(await box.ledger()).toEqual(new Map());
  });

  it('should start the first comparison when it is switched on, and copy everything', async () => {
    const box = await connect(12);
    const answer = await box.choose({ mode: 'keep' });
    expect(answer).toMatchObject({
      ...DEFAULTS,
      mode: 'keep',
      state: 'behind',
      reason: 'first-fill',
      jobId: expect.any(String),
    });
    expect(answer.jobId).toMatch(/^reconcile_mailbox-\d+$/);
    const job = await user.jobEnd(answer.jobId as string);
    expect(job).toMatchObject({ status: 'completed', result: { messages: 12, gone: 0, exact: true } });
    await box.lookUntilDone();
    expect(await box.problems()).toEqual([]);
    const status = await box.status();
    expect(status).toMatchObject({ state: 'healthy', reason: null, exact: true, pending: 0, jobId: null });
    for (const name of ['lookedAt', 'copiedAt', 'reconciledAt']) {
      expect(Date.now() - Date.parse(status[name] as string)).toBeLessThan(60_000);
    }
  });

  it('should change only the given fields', async () => {
    const box = await connect();
    const first = {
      exclusions: ['sender:@x.test', 'younger_than:2d'],
      verifyDays: 30,
      notifyAfterHours: null,
    };
    expect(await box.choose(first)).toEqual({ ...DEFAULTS, ...first });
    const second = { reconcileDays: 1, followLabels: false, notifyAfterHours: 168 };
    expect(await box.choose(second)).toEqual({ ...DEFAULTS, ...first, ...second });
    expect(await box.choose({ exclusions: [] })).toMatchObject({ ...second, exclusions: [] });
  });

  it('should record who changed which field, without senders', async () => {
    const box = await connect();
    await box.choose({ paused: true, exclusions: ['sender:secret@x.test'] });
    const [{ details }] = (await user.api.get('/api/audit?action=archiving.changed&limit=1')).body.entries;
    expect(details).toEqual({ changed: ['paused', 'exclusions'], mode: 'off', paused: true });
  });

  it.each([
    ['mode', { mode: 'on' }],
    ['paused', { paused: 'yes' }],
    ['exclusions', { exclusions: ['everything'] }],
    ['exclusions', { exclusions: 'spam' }],
    ['exclusions', { exclusions: ['spam', 'spam'] }],
    ['exclusions', { exclusions: [7] }],
    ['exclusions', { exclusions: Array.from({ length: 51 }, (_, n) => `label:${n}`) }],
    ['verifyDays', { verifyDays: 6 }],
    ['verifyDays', { verifyDays: 91 }],
    ['reconcileDays', { reconcileDays: 0 }],
    ['reconcileDays', { reconcileDays: 1.5 }],
    ['notifyAfterHours', { notifyAfterHours: 0 }],
    ['notifyAfterHours', { notifyAfterHours: 169 }],
    ['followLabels', { followLabels: null }],
    ['mode', { mode: null }],
  ])('should name %s, which is invalid in %j', async (field, body) => {
    const box = await connect(1);
    const answer = await user.api.put(box.settingsPath, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.objectContaining({ field: expect.stringContaining(field) })]);
    expect(await box.status()).toEqual(DEFAULTS);
  });

  it('should refuse a body without a known field', async () => {
    const box = await connect(1);
    expect((await user.api.put(box.settingsPath, { state: 'healthy' })).status).toBe(400);
  });

  it('should refuse other users and anonymous requests', async () => {
    const box = await connect(1);
    const statuses = async (api: ApiClient): Promise<number[]> => [
      (await api.get(box.settingsPath)).status,
      (await api.put(box.settingsPath, { mode: 'keep' })).status,
      (await api.post(`${box.settingsPath}/reconcile`)).status,
    ];
    expect(await statuses(app.anonymous)).toEqual([401, 401, 401]);
    expect(await statuses(stranger.api)).toEqual([403, 403, 403]);
    expect(await box.status()).toEqual(DEFAULTS);
  });

  it.each([
    ['mailbox-disconnected', `status = 'disconnected'`],
    ['mailbox-disconnected', 'is_active = false'],
    ['mailbox-reauth-required', `status = 'needs_reauth'`],
  ])('should not be switched on, %s, while %s', async (code, state) => {
    const box = await connect(1);
    await box.query(`UPDATE mailbox_accounts SET ${state} WHERE id = $1`);
    const answer = await user.api.put(box.settingsPath, { mode: 'keep' });
    expect([answer.status, answer.body.code]).toEqual([409, code]);
    // What is off may be prepared, and what is on be switched off.
    expect(await box.choose({ verifyDays: 20 })).toMatchObject({ mode: 'off', verifyDays: 20 });
  });

  it('should join a running comparison, and refuse one without a ledger', async () => {
    const box = await connect();
    const path = `${box.settingsPath}/reconcile`;
    const refused = await user.api.post(path);
    expect([refused.status, refused.body.code]).toEqual([409, 'archiving-off']);
    await box.keep();
    const answers = await Promise.all(Array.from({ length: 4 }, () => user.api.post(path)));
    const jobIds = new Set(answers.map(({ body }) => body.jobId as string));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(answers[0]?.body.message).toBe('The ledger is being compared with the mailbox.');
    for (const jobId of jobIds) await user.jobEnd(jobId);
    // At most two: one may have ended between two requests.
    expect(jobIds.size).toBeLessThanOrEqual(2);
  });

  it('should stop while it is paused or off, and continue afterwards', async () => {
    const box = await connect();
    await box.keep();
    await box.lookUntilDone();
    await box.choose({ paused: true });
    box.arrive('while-paused');
    app.sandbox.stats.reset();
    await box.look();
    expect(box.calls('history.list')).toBe(0);
    expect(await box.status()).toMatchObject({ state: 'paused', since: null });
    await box.choose({ paused: false });
    await box.lookUntilDone();
    expect(await box.problems()).toEqual([]);
    await box.choose({ mode: 'off' });
    expect(await box.status()).toMatchObject({ mode: 'off', state: 'off', exact: false });
    box.arrive('while-off');
    const { jobId } = await box.choose({ mode: 'keep' });
    await user.jobEnd(jobId as string);
    await box.lookUntilDone();
    expect(await box.problems()).toEqual([]);
    expect((await box.rows()).size).toBe(5);
  });

  it('should only watch: the ledger is updated, nothing is copied', async () => {
    const box = await connect(5);
    await box.keep({ mode: 'watch' });
    box.arrive('watched');
    await box.look();
    expect(Object.values(await box.classes())).toEqual(Array(6).fill('pending'));
    expect(await box.status()).toMatchObject({ mode: 'watch', state: 'healthy', pending: 6 });
    expect(await box.rows()).toEqual(new Map());
    await box.choose({ mode: 'keep' });
    await box.lookUntilDone();
    expect(await box.problems()).toEqual([]);
  });
});
