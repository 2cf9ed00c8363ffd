import { ContinuousArchivingModule } from '../../../../src/keep/continuous/continuous-archiving.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { LedgerFixture } from '../../../support/ledger/ledger-fixture';

const mail = (subject: string, date = 'Mon, 02 Feb 2026 10:00:00 +0000'): string =>
  `From: Ann <ann@example.test>\r\nTo: me@example.test\r\nDate: ${date}\r\nSubject: ${subject}\r\n\r\nhello\r\n`;

describe('Coverage', () => {
  let app: Feature;
  let user: FeatureUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startFeature({ modules: [ContinuousArchivingModule] });
    user = await app.user();
  });
  afterAll(() => app?.close());

  const start = (messages: number, mode?: string): Promise<LedgerFixture> =>
    LedgerFixture.start(app, user, `coverage${(boxes += 1)}-${messages}@sandbox.mailroom.test`, mode);

  /** Inserts, archives and verifies messages. */
  const verified = async (sut: LedgerFixture, ...subjects: string[]): Promise<string[]> => {
    const ids = subjects.map((subject) => sut.mailbox.insert(mail(subject), { labelIds: ['INBOX'] }));
    await sut.follow();
    await sut.archive.archive({ messageIds: ids });
    const rows = await sut.archive.rows();
    await sut.ledger.recordVerified(
      sut.accountId,
      ids.map((id) => ({ id: rows.get(id).id as string, sha256: rows.get(id).sha256 as string })),
    );
    return ids;
  };

  it('should add up to the mailbox as of the cursor', async () => {
    const sut = await start(20);
    const [one, two] = await verified(sut, 'one', 'two');
    const [first, second, third] = (await sut.ledger.leaseDue(sut.accountId, 3)).map(
      ({ messageId }) => messageId,
    );
    await sut.ledger.exclude(sut.accountId, [{ messageId: first!, exclusion: 'spam' }]);
    await sut.ledger.fail(sut.accountId, [
      { messageId: second!, reason: 'provider-rejected' },
      { messageId: third!, reason: 'provider-rejected' },
    ]);
    sut.mailbox.remove(one!);
    const historyId = await sut.follow();
    app.provider.resetCalls();
    const { status, body } = await user.api.get(sut.path);
    expect(status).toBe(200);
    const { size_bytes: bytes } = (await sut.archive.rows()).get(one!);
    expect(body).toMatchObject({
      asOf: { historyId, at: expect.any(String) },
      exact: true,
      total: sut.mailbox.ids().length,
      verified: 1,
      archived: 0,
      excluded: 1,
      failed: 2,
      pending: sut.mailbox.ids().length - 4,
      excludedBy: [{ exclusion: 'spam', count: 1 }],
      failedBy: [{ reason: 'provider-rejected', count: 2 }],
      provider: { total: null, agreed: true },
      onlyInArchive: { count: 1, bytes: Number(bytes) },
    });

    const message = (id: string): Promise<any> => user.api.get(`${sut.path}/messages/${id}`);
    expect((await message(one!)).body).toMatchObject({
      messageId: one,
      class: null,
      text: expect.stringContaining('no longer'),
    });
    expect((await message(two!)).body).toMatchObject({
      class: 'verified',
      verifiedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect((await message(first!)).body).toMatchObject({ class: 'excluded', exclusion: 'spam' });
    expect((await message(second!)).body).toMatchObject({
      class: 'failed',
      attempts: 1,
      nextTryAt: expect.any(String),
    });
    expect((await message('0123456789abcdef')).status).toBe(404);
    expect(app.provider.totalCalls).toBe(0);
  });

  it('should list every message once, in pages, by any filter', async () => {
    const sut = await start(25);
    const some = await verified(sut, 'a', 'b', 'c');
    await sut.archive.archive({ messageIds: sut.mailbox.ids().slice(-4) });
    const [excluded] = await sut.ledger.leaseDue(sut.accountId, 1);
    await sut.ledger.exclude(sut.accountId, [{ messageId: excluded!.messageId, exclusion: 'sender:@x' }]);
    const all = async (query: string): Promise<{ messageId: string; class: string }[]> => {
      const items: { messageId: string; class: string }[] = [];
      for (let after = ''; ;) {
        const { status, body } = await user.api.get(`${sut.path}/messages?limit=2&${query}${after}`);
        expect(status).toBe(200);
        items.push(...body.items);
        if (body.next === null) return items;
        after = `&after=${body.next}`;
      }
    };
    const everything = await all('');
    expect(everything.map(({ messageId }) => messageId).sort()).toEqual([...sut.mailbox.ids()].sort());
    for (const name of ['verified', 'archived', 'excluded', 'failed', 'pending']) {
      const listed = await all(`class=${name}`);
      const expected = everything.filter((item) => item.class === name).map(({ messageId }) => messageId);
      expect(listed.map(({ messageId }) => messageId).sort()).toEqual(expected.sort());
    }
    expect((await all('class=verified')).map(({ messageId }) => messageId)).toEqual([...some].sort());
    expect((await all('class=archived')).length).toBe(4);
    expect(await all('exclusion=sender:@x')).toEqual([
      expect.objectContaining({ messageId: excluded!.messageId }),
    ]);
    expect(await all('exclusion=spam')).toEqual([]);
    expect(await all('reason=copy-missing')).toEqual([]);
  });

  it.each([
    ['class=other', 'class'],
    ['limit=0', 'limit'],
    ['after=x', 'after'],
    [`after=${Buffer.from('2026-02-31 18c2f1a9b3d4e5f6').toString('base64url')}`, 'after'],
    ['class=failed&exclusion=spam', 'exclusion'],
    ['class=pending&reason=x', 'reason'],
  ])('should refuse a list of %s', async (query, field) => {
    const sut = await start(0);
    const { status, body } = await user.api.get(`${sut.path}/messages?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ field })]);
  });

  describe('deletable messages', () => {
    const ask = (sut: LedgerFixture, body: object): Promise<any> =>
      user.api.post(`${sut.path}/deletable`, body);

    it('should be the verified ones, with reasons and notes for the rest', async () => {
      const sut = await start(0);
      const [plain, starred, draft, trashed, damaged, gone] = (await verified(
        sut,
        'plain',
        'starred',
        'draft',
        'trashed',
        'damaged',
        'gone',
      )) as [string, string, string, string, string, string];
      const pending = sut.mailbox.insert(mail('pending'));
      sut.mailbox.changeLabels(starred, { add: ['STARRED', 'UNREAD'] });
      sut.mailbox.changeLabels(draft, { add: ['DRAFT'] });
      sut.mailbox.changeLabels(trashed, { add: ['TRASH'] });
      sut.mailbox.remove(gone);
      const historyId = await sut.follow();
      await sut.query(
        `UPDATE ledger_messages SET class = 'failed', reason = 'copy-altered' WHERE account_id = $1 AND message_id = $2`,
        damaged,
      );
      app.provider.resetCalls();
      const messageIds = [plain, starred, draft, trashed, damaged, gone, pending, 'unknown', plain];
      const { status, body } = await ask(sut, { messageIds });
      expect(status).toBe(200);
      const no = (messageId: string, reason: string): object => ({
        messageId,
        deletable: false,
        reasons: [reason],
        notes: messageId === pending ? ['unread'] : [],
      });
      expect(body).toEqual({
        asOf: { historyId, at: expect.any(String) },
        yes: 2,
        no: 6,
        messages: [
          { messageId: plain, deletable: true, reasons: [], notes: [] },
          { messageId: starred, deletable: true, reasons: [], notes: ['starred', 'unread'] },
          no(draft, 'draft'),
          no(trashed, 'in-trash'),
          no(damaged, 'copy-altered'),
          no(gone, 'gone'),
          no(pending, 'not-archived'),
          no('unknown', 'not-archived'),
        ],
      });
      expect(app.provider.totalCalls).toBe(0);
    });

    it('should not include those that a policy would remove, and be none while the ledger is not exact', async () => {
      const sut = await start(0);
      const [id] = await verified(sut, 'old');
      const policy = { name: 'Old', maxAgeDays: 1, mailboxAccountId: sut.accountId };
      const { body: created } = await user.api.post('/api/retention', policy);
      const reasons = async (): Promise<string[]> =>
        (await ask(sut, { messageIds: [id] })).body.messages[0].reasons as string[];
      expect(await reasons()).toEqual(['policy-would-remove']);
      await user.api.delete(`/api/retention/${created.id}`);
      expect(await reasons()).toEqual([]);
      await sut.ledger.loseTrack(sut.accountId);
      expect(await reasons()).toEqual(['coverage-not-exact']);
    });

    it('should be listed for the results of a query', async () => {
      const sut = await start(0);
      const [one, two] = await verified(sut, 'invoice one', 'letter two');
      const { body } = await ask(sut, { query: 'subject:invoice' });
      expect(body).toMatchObject({ yes: 1, no: 0, messages: [{ messageId: one }] });
      expect(body.messages.map((message: { messageId: string }) => message.messageId)).not.toContain(two);
    });
  });

  it('should show where the message of an archived mail is', async () => {
    const sut = await start(0);
    const [stays, trashed, gone] = (await verified(sut, 'stays', 'trashed', 'gone')) as [
      string,
      string,
      string,
    ];
    sut.mailbox.changeLabels(trashed, { add: ['TRASH'] });
    sut.mailbox.remove(gone);
    await sut.follow();
    const list = async (filter = ''): Promise<Record<string, string | null>> => {
      const { body } = await user.api.get(`${sut.archive.path}/mails?limit=10${filter}`);
      expect(body.total).toBe(body.mails.length);
      return Object.fromEntries(
        body.mails.map((row: any) => [row.mailbox_message_id, row.presence] as [string, string]),
      );
    };
    const all = { [stays]: 'mailbox', [trashed]: 'trash', [gone]: 'gone' };
    expect(await list()).toEqual(all);
    expect(await list('&only_in_archive=true')).toEqual({ [gone]: 'gone' });
    expect(await list('&only_in_archive=false')).toEqual({ [stays]: 'mailbox', [trashed]: 'trash' });
    const { body: threads } = await user.api.get(`${sut.archive.path}/threads?only_in_archive=true`);
    expect(threads.total).toBe(1);
    const mailId = (await sut.archive.rows()).get(gone).id as string;
    expect((await user.api.get(`${sut.archive.path}/mails/${mailId}`)).body).toMatchObject({
      presence: 'gone',
      only_in_archive: true,
    });
    const { body: thread } = await user.api.get(
      `${sut.archive.path}/threads/${sut.mailbox.threadId(trashed)}`,
    );
    expect(thread).toEqual([expect.objectContaining({ presence: 'trash', only_in_archive: false })]);
    await sut.switchOff();
    expect(await list()).toEqual({ [stays]: null, [trashed]: null, [gone]: 'gone' });
  });
});
