import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { ExpiredMailsService } from '../../../../src/archive/mails/expired-mails.service';
import { MailPosition, StoredMail, StoredMails } from '../../../../src/archive/mails/stored-mails';
import { expiryCutoff } from '../../../../src/archive/retention/policy-runner';
import { RetentionRunsService } from '../../../../src/archive/retention/retention-runs.service';
import { AccountRemovalModule } from '../../../../src/operations/account-deletion/account-removal.module';
import { RetentionModule } from '../../../../src/archive/retention/retention.module';
import { ProviderRejected } from '../../../../src/providers/port/mail-provider.errors';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { StoreDouble } from '../../../support/archive/store-double';
import { AgedMails } from '../../../support/retention/aged-mails';

const PATH = '/api/retention';

describe('Runs of retention policies', () => {
  let app: Feature;
  let user: FeatureUser;
  let stores: StoreDouble;
  let nights = 0;

  beforeAll(async () => {
    app = await startFeature({ modules: [RetentionModule, AccountRemovalModule] });
    stores = StoreDouble.over(app.get(ArchiveStores));
  });

  beforeEach(async () => {
    user = await app.user();
  });

  afterEach(() => {
    stores.behave({});
    app.provider.reset();
  });

  afterAll(() => app.close());

  const create = async (fields: object, who = user): Promise<any> => {
    const { status, body } = await who.api.post(PATH, { name: 'Policy', maxAgeDays: 30, ...fields });
    expect(status).toBe(201);
    return body;
  };
  const run = async (who = user): Promise<any> => {
    const { status, body } = await who.api.post(`${PATH}/run`);
    expect(status).toBe(200);
    return body;
  };
  const preview = async (policyId: string, who = user): Promise<any> => {
    const { status, body } = await who.api.get(`${PATH}/${policyId}/preview`);
    expect(status).toBe(200);
    return body;
  };
  const policies = async (who = user): Promise<any[]> => (await who.api.get(PATH)).body;
  const policyOf = async (id: string, who = user): Promise<any> =>
    (await policies(who)).find((policy) => policy.id === id);
  /** Starts a new night and returns the job of a user; undefined: none was started. */
  const night = async (who = user): Promise<any> => {
    nights += 1;
    await app.get(RetentionRunsService).startNight(`2001-01-${String(nights).padStart(2, '0')}`);
    return nightJob(who);
  };
  const nightJob = async (who = user): Promise<any> => {
    const { body } = await who.api.get('/api/jobs');
    return body.find((job: any) => job.type === 'run_retention');
  };

  it('should delete mail that is older than the age, rows and files, and count it', async () => {
    const mails = await AgedMails.connect(app, user, 'ages');
    const ids = await mails.add(
      { ageDays: 400 },
      { ageDays: 31 },
      { ageDays: 30.001 },
      { ageDays: 29.999, inThreadOf: 1 },
      { ageDays: 0 },
    );
    const policy = await create({});
    const rows: any[] = await app.dataSource.query(
      'SELECT sum(size_bytes)::int AS bytes, min(date) AS oldest, max(date) AS newest FROM archived_mails WHERE id = ANY ($1)',
      [ids.slice(0, 3)],
    );
    expect(await preview(policy.id)).toEqual({
      count: 3,
      bytes: rows[0].bytes,
      oldest: rows[0].oldest.toISOString(),
      newest: rows[0].newest.toISOString(),
      warnings: [],
    });
    const before = Date.now();
    expect(await run()).toEqual({ policiesRun: 1, totalDeleted: 3, warnings: [] });
    expect(await mails.left()).toEqual(ids.slice(3));
    await mails.expectSound();
    const after = await policyOf(policy.id);
    expect(after).toEqual({ ...policy, deleted_count: 3, last_run_at: expect.any(String) });
    expect(Math.abs(new Date(after.last_run_at).getTime() - before)).toBeLessThan(60_000);
    expect(await preview(policy.id)).toEqual({
      count: 0,
      bytes: 0,
      oldest: null,
      newest: null,
      warnings: [],
    });

    // A second run has nothing left to do.
    expect(await run()).toEqual({ policiesRun: 1, totalDeleted: 0, warnings: [] });
    expect(await policyOf(policy.id)).toMatchObject({ deleted_count: 3 });
  });

  it('should keep a possible only copy, unless the policy says otherwise', async () => {
    const mails = await AgedMails.connect(app, user, 'offloaded');
    const old = { ageDays: 400 };
    const [moving, trashed, gone, back] = await mails.add(old, old, old, old, old);
    // While a message is being moved, its place is not known.
    for (const [id, presence] of [
      [moving, null],
      [trashed, 'trash'],
      [gone, 'gone'],
      [back, 'mailbox'],
    ])
      await app.dataSource.query(
        'UPDATE archived_mails SET offload_plan_id = gen_random_uuid(), presence = $2 WHERE id = $1',
        [id, presence],
      );
    const policy = await create({});
    expect(await preview(policy.id)).toMatchObject({ count: 2 });
    expect(await run()).toMatchObject({ totalDeleted: 2 });
    expect((await mails.left()).sort()).toEqual([moving, trashed, gone].sort());
    await user.api.put(`${PATH}/${policy.id}`, { includeOffloaded: true });
    expect(await run()).toMatchObject({ totalDeleted: 3 });
  });

  it('should keep mail of exactly the cutoff, and delete mail from a microsecond before it', async () => {
    const mails = await AgedMails.connect(app, user, 'boundary');
    const [older, exact, younger] = await mails.add({ ageDays: 10 }, { ageDays: 10 }, { ageDays: 10 });
    const now = new Date('2026-03-01T00:00:00.000Z');
    for (const [id, date] of [
      [older, '2026-02-19T23:59:59.999999Z'],
      [exact, '2026-02-20T00:00:00.000000Z'],
      [younger, '2026-02-20T00:00:00.000001Z'],
    ]) {
      await app.dataSource.query('UPDATE archived_mails SET date = $2, received_at = $2 WHERE id = $1', [
        id,
        date,
      ]);
    }
    const expired = {
      userId: user.id,
      accountId: mails.accountId,
      before: expiryCutoff(now, 9),
      labels: null,
      includeOffloaded: false,
      includeDoubtful: false,
    };
    const expiredMails = app.get(ExpiredMailsService);
    const walk = app.get(StoredMails);
    const page = async (after: MailPosition | null, limit: number, days: number): Promise<StoredMail[]> =>
      walk.findNext(mails.accountId, { after, limit, before: expiryCutoff(now, days) });
    const ids = (found: readonly StoredMail[]): string[] => found.map(({ id }) => id);
    expect(ids(await page(null, 10, 9))).toEqual([older]);
    expect(await expiredMails.summarize(expired)).toMatchObject({ count: 1 });
    const inOrder = [older, exact, younger].sort();
    const first = await page(null, 1, 8);
    expect(ids(first)).toEqual([inOrder[0]]);
    const second = await page(first[0]!.position, 1, 8);
    expect(ids(second)).toEqual([inOrder[1]]);
    const third = await page(second[0]!.position, 5, 8);
    expect(ids(third)).toEqual([inOrder[2]]);
    expect(await page(third[0]!.position, 5, 8)).toEqual([]);
  });

  it('should not touch mail of other users or other accounts', async () => {
    const stranger = await app.user();
    const mine = await AgedMails.connect(app, user, 'mine');
    const other = await AgedMails.connect(app, user, 'other');
    const foreign = await AgedMails.connect(app, stranger, 'stranger');
    for (const mails of [mine, other, foreign]) await mails.add({ ageDays: 100 }, { ageDays: 1 });
    await create({}, stranger);
    const inactive = await create({ isActive: false });
    expect(await run()).toEqual({ policiesRun: 0, totalDeleted: 0, warnings: [] });
    expect(await policyOf(inactive.id)).toMatchObject({ last_run_at: null, deleted_count: 0 });
    // A preview needs no active policy.
    expect(await preview(inactive.id)).toMatchObject({ count: 2 });

    const one = await create({ mailboxAccountId: mine.accountId });
    expect(await preview(one.id)).toMatchObject({ count: 1 });
    expect(await run()).toMatchObject({ policiesRun: 1, totalDeleted: 1 });
    expect([(await mine.left()).length, (await other.left()).length, (await foreign.left()).length]).toEqual([
      1, 2, 2,
    ]);

    await user.api.put(`${PATH}/${inactive.id}`, { isActive: true });
    expect(await run()).toMatchObject({ policiesRun: 2, totalDeleted: 1 });
    expect((await other.left()).length).toBe(1);
    expect((await foreign.left()).length).toBe(2);
    for (const mails of [mine, other, foreign]) await mails.expectSound();
    expect(await run(stranger)).toMatchObject({ policiesRun: 1, totalDeleted: 1 });
  });

  it('should count mail that two policies match once, for the older policy', async () => {
    const mails = await AgedMails.connect(app, user, 'twice');
    await mails.add({ ageDays: 100 }, { ageDays: 50 }, { ageDays: 5 });
    const first = await create({ maxAgeDays: 60 });
    const second = await create({ maxAgeDays: 30 });
    expect(await run()).toEqual({ policiesRun: 2, totalDeleted: 2, warnings: [] });
    expect((await policyOf(first.id)).deleted_count).toBe(1);
    expect((await policyOf(second.id)).deleted_count).toBe(1);
  });

  it('should delete encrypted mails, and empty archives with their folders', async () => {
    const mails = await AgedMails.connect(app, user, 'sealed');
    const ids = await mails.add({ ageDays: 100 }, { ageDays: 99 });
    await app.dataSource.query('UPDATE archived_mails SET is_encrypted = true WHERE id = $1', [ids[0]]);
    await create({});
    expect(await run()).toMatchObject({ totalDeleted: 2 });
    await mails.expectSound();
  });

  describe('with a label', () => {
    let mails: AgedMails;
    let work: string;
    let ids: Record<string, string>;

    beforeEach(async () => {
      mails = await AgedMails.connect(app, user, `labels${user.id.slice(-6)}`);
      work = await mails.label('Work/Été');
      const added = await mails.add(
        { ageDays: 100, labelIds: ['INBOX', work] },
        { ageDays: 100, labelIds: ['CATEGORY_PROMOTIONS', 'UNREAD'] },
        { ageDays: 100, labelIds: [] },
        { ageDays: 1, labelIds: [work, 'CATEGORY_PROMOTIONS'] },
        { ageDays: 100 },
        { ageDays: 100 },
      );
      const [own, promotion, bare, young, imported, importedInbox] = added as [
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      ids = { own, promotion, bare, young, imported, importedInbox };
      await mails.asImported([imported], ['WORK/E\u0301te\u0301', 'Archived']);
      await mails.asImported([importedInbox], ['Inbox', 'Opened']);
    });

    const removed = async (label: string | null): Promise<string[]> => {
      const policy = await create({ label });
      const { count } = await preview(policy.id);
      const { totalDeleted, warnings } = await run();
      expect([totalDeleted, warnings]).toEqual([count, []]);
      await mails.expectSound();
      const left = await mails.left();
      return Object.keys(ids).filter((name) => !left.includes(ids[name]!));
    };

    it('should find it by id', async () => {
      expect(await removed(work)).toEqual(['own']);
    });

    it('should find it by name in any case, in imported mail too', async () => {
      expect(await removed('work/été')).toEqual(['own', 'imported']);
    });

    it.each([
      ['promotions', ['promotion']],
      ['Category_Promotions', ['promotion']],
      ['inbox', ['own', 'importedInbox']],
      ['opened', ['importedInbox']],
      ['no such label', []],
      ['Work', []],
      ['%', []],
      ["'; DROP TABLE users; --", []],
      [null, ['own', 'promotion', 'bare', 'imported', 'importedInbox']],
    ])('should interpret %j correctly', async (label, expected) => {
      expect(await removed(label)).toEqual(expected);
    });

    it('should ask the mailbox once in a run, and never for system labels', async () => {
      await create({ label: 'work/été', maxAgeDays: 200 });
      await create({ label: 'other', maxAgeDays: 200 });
      const calls = (): number => app.provider.calls.listLabels ?? 0;
      const before = calls();
      await run();
      expect(calls() - before).toBe(1);
      for (const { id } of await policies()) await user.api.put(`${PATH}/${id}`, { label: 'INBOX' });
      await run();
      expect(calls() - before).toBe(1);
    });

    it('should do only what is certain, and report it, when the mailbox is unavailable', async () => {
      const byName = await create({ label: 'work/été' });
      app.provider.fail('listLabels', new ProviderRejected('insufficientPermissions'));
      expect(await preview(byName.id)).toMatchObject({
        count: 1,
        warnings: [{ policyId: byName.id, accountId: mails.accountId }],
      });
      expect(await preview(byName.id)).toMatchObject({ count: 2, warnings: [] });
      await app.dataSource.query(`UPDATE mailbox_accounts SET status = 'needs_reauth' WHERE id = $1`, [
        mails.accountId,
      ]);
      const warnings = [
        {
          policyId: byName.id,
          accountId: mails.accountId,
          code: 'mailbox-reauth-required',
          message: expect.stringContaining('work/été'),
        },
      ];
      expect(await preview(byName.id)).toMatchObject({ count: 1, warnings });
      expect(await run()).toEqual({ policiesRun: 1, totalDeleted: 1, warnings });
      expect(await mails.left()).not.toContain(ids['imported']);

      // The id is enough: no mailbox has to be asked.
      await user.api.delete(`/api/auth/mailbox/${mails.accountId}`);
      await user.api.put(`${PATH}/${byName.id}`, { label: work });
      expect(await run()).toEqual({ policiesRun: 1, totalDeleted: 1, warnings: [] });
      await user.api.put(`${PATH}/${byName.id}`, { label: 'promotions' });
      expect(await run()).toMatchObject({
        totalDeleted: 0,
        warnings: [{ code: 'mailbox-disconnected' }],
      });
      await user.api.put(`${PATH}/${byName.id}`, { label: 'CATEGORY_PROMOTIONS' });
      expect(await run()).toEqual({ policiesRun: 1, totalDeleted: 1, warnings: [] });
      await mails.expectSound();
    });
  });

  describe('more than a batch of mails', () => {
    const COUNT = 2_400;

    /** Rows without files: what is tested is when which rows go. */
    async function many(mails: AgedMails, count = COUNT): Promise<void> {
      await app.dataSource.query(
        `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, subject, sender, recipient,
           date, received_at, date_source, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
         SELECT id, $1::uuid, $2::uuid, 'm' || n, 't' || n % 700, 'Subject', 'a@b.example', '', now() - make_interval(days => 100, secs => n / 3),
           now() - make_interval(days => 100, secs => n / 3), 'header',
           1000, false, CASE WHEN n % 2 = 0 THEN '{INBOX}'::text[] ELSE '{SENT}' END, '', 'local',
           concat($1::uuid, '/', $2::uuid, '/2020/01/', id, '.eml'), repeat('0', 64)
         FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $3::int) n) numbered`,
        [user.id, mails.accountId, count],
      );
    }

    it('should be counted exactly by two runs at once', async () => {
      const mails = await AgedMails.connect(app, user, 'atonce');
      await many(mails);
      const policy = await create({});
      const [one, two] = await Promise.all([run(), run()]);
      expect(one.totalDeleted + two.totalDeleted).toBe(COUNT);
      expect((await policyOf(policy.id)).deleted_count).toBe(COUNT);
      await mails.expectSound();
    });
  });

  describe('at night', () => {
    it('should start one job for each user who has active policies, however often it is started', async () => {
      const [active, off, none, suspended] = await Promise.all([1, 2, 3, 4].map(() => app.user()));
      await create({}, active);
      await create({ isActive: false }, off);
      await create({}, suspended);
      await app.dataSource.query('UPDATE users SET is_active = false WHERE id = $1', [suspended!.id]);
      const sut = app.get(RetentionRunsService);
      await Promise.all([1, 2, 3].map(() => sut.startNight('2002-01-01')));
      await sut.startNight('2002-01-01');
      const jobs = await app.dataSource.query(
        `SELECT user_id, count(*)::int AS count FROM jobs
         WHERE type = 'run_retention' AND payload ->> 'night' = '2002-01-01' AND user_id = ANY ($1) GROUP BY user_id`,
        [[active, off, none, suspended].map((who) => who!.id)],
      );
      expect(jobs).toEqual([{ user_id: active!.id, count: 1 }]);
    });

    it('should forget the counts of ended jobs only', async () => {
      const mails = await AgedMails.connect(app, user, 'forget');
      await mails.add({ ageDays: 100 });
      await create({});
      const { queue_id, id } = await night();
      await user.jobEnd(queue_id);
      const counts = (): Promise<unknown[]> =>
        app.dataSource.query('SELECT deleted FROM retention_counts WHERE job_id = $1', [id]);
      expect(await counts()).toEqual([{ deleted: 1 }]);
      await app.get(RetentionRunsService).deleteEndedCounts();
      expect(await counts()).toEqual([]);
    });
  });

  it('should delete rows while a store is unavailable, and the files when it is back', async () => {
    const mails = await AgedMails.connect(app, user, 'outage');
    await mails.add({ ageDays: 100 }, { ageDays: 90 }, { ageDays: 1 });
    await create({});
    stores.behave({
      beforeDelete: async () => {
        throw new Error('away');
      },
    });
    expect(await run()).toMatchObject({ totalDeleted: 2 });
    expect(await mails.left()).toHaveLength(1);
    expect(await mails.archive.files()).toHaveLength(3);
    stores.behave({});
    expect(await app.get(FileDeletions).drain(mails.accountId)).toBe(0);
    await mails.expectSound();
  });
});
