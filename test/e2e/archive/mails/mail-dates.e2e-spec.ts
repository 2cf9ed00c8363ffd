import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { RereadAccount } from '../../../../src/archive/mails/rereading/outdated-mail-reader';
import { OutdatedMailsService } from '../../../../src/archive/mails/rereading/outdated-mails.service';
import type { ListedMailResponse } from '../../../../src/archive/mails/dto/archive.response';
import type { ThreadResponse } from '../../../../src/archive/mails/dto/threads.response';
import { RereadMailsRepository } from '../../../../src/archive/mails/rereading/reread-mails.repository';
import { startTestApp, TestApp } from '../../../support/app';
import { DAY_MS } from '../../../support/retention/aged-mails';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import { parseMbox, unzip } from '../../../support/archive/exports';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import { importMbox } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';

/** The day on which the mailbox was moved to its server. */
const MOVED = new Date('2026-11-20T00:00:00.000Z');

/** A message of a moved mailbox. @param date the Date header; null: none */
const message = (date: string | null, subject: string, ...fields: string[]): Buffer =>
  eml(
    'From: Nora Feld <nora@sender.example>',
    'To: tom@rcpt.example',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '-')}@sender.example>`,
    ...(date === null ? [] : [`Date: ${date}`]),
    ...fields,
    '',
    `text of ${subject}`,
    '',
  );

describe('Dates of archived mail', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: EncryptedArchive;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
  });

  beforeEach(async () => {
    user = await app.user();
    sut = await EncryptedArchive.connect(app, user, `dates${(boxes += 1)}-0@sandbox.mailroom.test`);
  });

  afterAll(() => app?.close());

  /** Archives messages that all arrived on the day of the move. @returns the mails' ids, in order */
  async function archive(...messages: readonly Buffer[]): Promise<string[]> {
    const ids = messages.map((raw) => sut.mailbox.insert(raw, { labelIds: ['INBOX'], internalDate: MOVED }));
    await sut.archive({ messageIds: ids });
    const rows = await sut.rows();
    return ids.map((id) => rows.get(id)!.id as string);
  }

  const mailOf = async (id: string): Promise<ListedMailResponse> =>
    (await user.api.get<ListedMailResponse>(`${sut.path}/mails/${id}`)).body;
  const list = async (query = ''): Promise<ListedMailResponse[]> =>
    (await user.api.get<{ mails: ListedMailResponse[] }>(`${sut.path}/mails${query}`)).body.mails;
  const subjects = async (query = ''): Promise<string[]> => (await list(query)).map(({ subject }) => subject);
  const monthsOf = async (): Promise<string[]> =>
    (await user.api.get<{ months: { month: string }[] }>(`${sut.path}/facets`)).body.months.map(
      ({ month }) => month,
    );
  const account = (): RereadAccount => ({ id: sut.accountId, userId: user.id, provider: 'gmail' });
  const fill = (): Promise<string> =>
    app.get(OutdatedMailsService).rereadSome(account(), new AbortController().signal);

  /** Makes mails look as an earlier version has archived them: with one date. */
  async function asEarlier(ids: readonly string[], date: Date = MOVED): Promise<void> {
    await app.dataSource.query(
      'UPDATE archived_mails SET date = $2, received_at = NULL, date_source = NULL WHERE id = ANY ($1)',
      [ids, date],
    );
  }

  const MIGRATED = [
    message('Tue, 3 Mar 2009 10:00:00 +0000', 'msg of 2009'),
    message('Fri, 1 Jul 2016 08:00:00 +0200', 'msg of 2016'),
    message('Wed, 5 Feb 2020 12:30:00 -0500', 'msg of 2020'),
    message('Thu, 01 Jan 1970 00:00:00 +0000', 'msg epoch'),
    message('Sat, 01 Jan 2089 00:00:00 +0000', 'msg far future'),
    message('the other day', 'msg unreadable'),
    message(null, 'msg without'),
  ];
  const BY_DATE = ['msg of 2020', 'msg of 2016', 'msg of 2009'];

  it('should be those of the Date headers in an archive of a mailbox that was moved', async () => {
    const ids = await archive(...MIGRATED);
    expect(await mailOf(ids[0]!)).toMatchObject({
      date: '2009-03-03T10:00:00.000Z',
      received_at: MOVED.toISOString(),
      date_source: 'header',
    });
    for (const id of ids.slice(3)) {
      expect(await mailOf(id)).toMatchObject({
        date: MOVED.toISOString(),
        received_at: MOVED.toISOString(),
        date_source: 'arrival',
      });
    }
    const sources = (await list()).map((mail) => [mail.received_at, mail.date_source]);
    expect(sources).toEqual([
      ...Array<unknown>(4).fill([MOVED.toISOString(), 'arrival']),
      ...Array<unknown>(3).fill([MOVED.toISOString(), 'header']),
    ]);
    // The pages of a filter are read by another statement.
    expect((await list('?q=epoch')).map((mail) => [mail.received_at, mail.date_source])).toEqual([
      [MOVED.toISOString(), 'arrival'],
    ]);
    expect((await subjects()).slice(4)).toEqual(BY_DATE);
    expect(await monthsOf()).toEqual(['2026-11', '2020-02', '2016-07', '2009-03']);
    expect(await subjects('?from_date=2009-01-01&to_date=2016-12-31')).toEqual([
      'msg of 2016',
      'msg of 2009',
    ]);
    expect(await subjects('?q=msg&to_date=2010-01-01')).toEqual(['msg of 2009']);
    for (const key of await sut.files()) expect(key).toContain('/2026/11/');
  });

  it('should be those of the Date headers in exports', async () => {
    const ids = await archive(...MIGRATED.slice(0, 2));
    const zip = await unzip((await user.api.post(`${sut.path}/export-zip`, { mailIds: ids })).bytes);
    expect([...zip.entries.keys()].filter((name) => name.endsWith('.eml')).sort()).toEqual([
      expect.stringMatching(/^2009-03\/2009-03-03_/),
      expect.stringMatching(/^2016-07\/2016-07-01_/),
    ]);
    const manifest = JSON.parse(zip.entries.get('manifest.json')!.toString()) as { mails: { id: string }[] };
    expect(manifest.mails.find(({ id }) => id === ids[0])).toMatchObject({
      date: '2009-03-03T10:00:00.000Z',
      received_at: MOVED.toISOString(),
      date_source: 'header',
    });
    const mbox = parseMbox((await user.api.post(`/api/import/${sut.accountId}/export-mbox`, {})).bytes);
    expect(mbox.map(({ from }) => from.slice(-24))).toEqual([
      'Tue Mar  3 10:00:00 2009',
      'Fri Jul  1 06:00:00 2016',
    ]);
  });

  it('should be the last hop of imported mail whose Date header is absurd', async () => {
    const received = 'Received: from a by b; Mon, 5 Jul 2010 10:00:00 +0200';
    const entry = (subject: string, date: string | null, ...fields: string[]): string =>
      `From nora@sender.example Tue Mar  3 10:00:00 2020\n${message(date, subject, ...fields)
        .toString()
        .replaceAll('\r\n', '\n')}\n`;
    const job = await importMbox(
      user,
      sut.accountId,
      [
        entry('epoch', 'Thu, 01 Jan 1970 00:00:00 +0000', received),
        entry('far future', 'Sat, 01 Jan 2089 00:00:00 +0000', received),
        entry('never received', null),
        entry('credible', 'Mon, 5 Jul 2010 07:59:00 +0000', received),
      ].join(''),
    );
    expect(job.result).toMatchObject({ imported: 4 });
    const dates = new Map<string, (string | null)[]>();
    for (const { id, subject } of await list()) {
      const { date, received_at, date_source } = await mailOf(id);
      dates.set(subject, [date, received_at, date_source]);
    }
    const hop = '2010-07-05T08:00:00.000Z';
    const separator = '2020-03-03T10:00:00.000Z';
    expect(Object.fromEntries(dates)).toEqual({
      epoch: [hop, hop, 'arrival'],
      'far future': [hop, hop, 'arrival'],
      'never received': [separator, separator, 'arrival'],
      credible: ['2010-07-05T07:59:00.000Z', hop, 'header'],
    });
    const months = (await sut.files()).map((key) => key.split('/').slice(2, 4).join('/'));
    expect(months.sort()).toEqual(['2010/07', '2010/07', '2010/07', '2020/03']);
  });

  it('should be kept from retention until date and arrival are old enough', async () => {
    const recent = new Date(Date.now() - 5 * DAY_MS);
    const ids = [recent, new Date(Date.now() - 50 * DAY_MS)].map((internalDate, n) =>
      sut.mailbox.insert(message('Tue, 3 Mar 2009 10:00:00 +0000', `aged ${n}`), { internalDate }),
    );
    await sut.archive({ messageIds: ids });
    await user.api.post('/api/retention', { name: 'Month', maxAgeDays: 30 });
    expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: 1 });
    expect(await subjects()).toEqual(['aged 0']);
  });

  describe('of an earlier version', () => {
    it('should be brought over, with everything that is ordered by them', async () => {
      const withFile = (date: string, subject: string): Buffer =>
        Buffer.concat([
          Buffer.from(`Date: ${date}\r\n`),
          emlWithAttachment({
            subject,
            from: subject,
            disposition: `attachment; filename="${subject}.txt"`,
            content: Buffer.from(subject),
          }),
        ]);
      const ids = await archive(
        withFile('Tue, 3 Mar 2020 10:00:00 +0000', 'younger <one@x.example>'),
        withFile('Tue, 3 Mar 2009 10:00:00 +0000', 'older <one@x.example>'),
      );
      const before = await sut.rows();
      await asEarlier(ids);
      await app.dataSource.query('UPDATE archived_attachments SET dated_id = NULL WHERE account_id = $1', [
        sut.accountId,
      ]);
      expect(await mailOf(ids[0]!)).toMatchObject({
        date: MOVED.toISOString(),
        received_at: null,
        date_source: null,
      });

      expect(await fill()).toBe('done');

      expect(await sut.rows()).toEqual(before);
      expect(await monthsOf()).toEqual(['2020-03', '2009-03']);
      expect(await subjects('?q=attachment')).toEqual(['younger <one@x.example>', 'older <one@x.example>']);
      const { threads } = (await user.api.get<{ threads: ThreadResponse[] }>(`${sut.path}/threads`)).body;
      const datesOfThreads = threads.map((thread) => [
        thread.latest_date,
        thread.received_at,
        thread.date_source,
      ]);
      expect(datesOfThreads).toEqual([
        ['2020-03-03T10:00:00.000Z', MOVED.toISOString(), 'header'],
        ['2009-03-03T10:00:00.000Z', MOVED.toISOString(), 'header'],
      ]);
      const thread = await user.api.get<ListedMailResponse[]>(
        `${sut.path}/threads/${encodeURIComponent(threads[0]!.thread_id)}`,
      );
      expect(thread.body[0]).toMatchObject({ received_at: MOVED.toISOString(), date_source: 'header' });
      const found = await user.api.get<{ threads: ThreadResponse[] }>(`${sut.path}/threads?q=attachment`);
      expect(found.body.threads).toEqual(threads);
      const { attachments } = (
        await user.api.get<{ attachments: { mail_date: string }[] }>(
          `/api/attachments/${sut.accountId}/archived?sort=date`,
        )
      ).body;
      expect(attachments.map((file) => file.mail_date)).toEqual([
        '2020-03-03T10:00:00.000Z',
        '2009-03-03T10:00:00.000Z',
      ]);
      const { kept, counted } = await sut.totals();
      expect(kept).toEqual(counted);
      const senders = await app.dataSource.query(
        'SELECT sender, latest_date FROM archived_senders WHERE account_id = $1',
        [sut.accountId],
      );
      expect(senders).toEqual([
        { sender: 'younger <one@x.example>', latest_date: new Date('2020-03-03T10:00:00.000Z') },
      ]);
    });

    it('should be brought over once, however often the work is interrupted', async () => {
      const ids = await archive(
        ...Array.from({ length: 250 }, (_, n) =>
          message(`Tue, 3 Mar ${1990 + (n % 30)} 10:00:00 +0000`, `msg ${n}`),
        ),
      );
      const before = await sut.rows();
      await asEarlier(ids);
      const stop = new AbortController();
      const dates = app.get(OutdatedMailsService);
      const rows = app.get(RereadMailsRepository);
      // Stopped after its first batch of 100.
      const record = jest.spyOn(rows, 'record').mockImplementationOnce(async (...parameters) => {
        record.mockRestore();
        stop.abort(new Error('stopped'));
        return rows.record(...parameters);
      });
      await expect(dates.rereadSome(account(), stop.signal)).rejects.toThrow('stopped');
      const left = async (): Promise<number> =>
        [...(await sut.rows()).values()].filter((row) => row.received_at === null).length;
      expect(await left()).toBe(150);
      // Two at once do no harm.
      expect(await Promise.all([fill(), fill()])).toEqual(['done', 'done']);
      expect(await sut.rows()).toEqual(before);
    });

    it('should be brought over of disconnected accounts as well', async () => {
      const ids = await archive(MIGRATED[0]!);
      await asEarlier(ids);
      await user.api.delete(`/api/auth/mailbox/${sut.accountId}`);
      expect(await fill()).toBe('done');
      expect(await mailOf(ids[0]!)).toMatchObject({
        date: '2009-03-03T10:00:00.000Z',
        date_source: 'header',
      });
    });

    it('should stay the arrival of mail that is encrypted', async () => {
      const ids = await archive(MIGRATED[0]!);
      await sut.setUp();
      await sut.encrypt();
      await asEarlier(ids);
      expect(await fill()).toBe('done');
      expect(await mailOf(ids[0]!)).toMatchObject({
        date: MOVED.toISOString(),
        received_at: MOVED.toISOString(),
        date_source: 'arrival',
      });
    });

    it('should stay the arrival of mail whose file is lost, but not while no file is there', async () => {
      const [lost, other] = await archive(...MIGRATED.slice(0, 2));
      const files = (await sut.files()).map((key) => join(app.archiveDir, key));
      await asEarlier([lost!, other!]);
      for (const file of files) await rename(file, `${file}.away`);
      expect(await fill()).toBe('left-over');
      for (const row of (await sut.rows()).values()) expect(row.received_at).toBeNull();
      const there = files.find((file) => file.includes(other!))!;
      await rename(`${there}.away`, there);
      expect(await fill()).toBe('done');
      const rows = [...(await sut.rows()).values()];
      expect(rows.find(({ id }) => id === lost)).toMatchObject({ date: MOVED, date_source: 'arrival' });
      expect(rows.find(({ id }) => id === other)).toMatchObject({
        date: new Date('2016-07-01T06:00:00.000Z'),
        date_source: 'header',
      });
    });

    it('should keep mail from retention as long as it is not known when it arrived', async () => {
      const ids = await archive(MIGRATED[0]!);
      await asEarlier(ids, new Date('2009-03-03T10:00:00.000Z'));
      await user.api.post('/api/retention', { name: 'Month', maxAgeDays: 30 });
      expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: 0 });
    });

    it('should be exported completely while they are brought over', async () => {
      const count = 1_200;
      const ids = await archive(
        ...Array.from({ length: count }, (_, n) => message(`Tue, 3 Mar 2009 10:00:00 +0000`, `msg ${n}`)),
      );
      await asEarlier(ids);
      const [answer] = await Promise.all([
        user.api.post(`/api/import/${sut.accountId}/export-mbox`, {}),
        fill(),
      ]);
      const exported = parseMbox(answer.bytes).map(({ message: text }) => /^Subject: (.*)$/m.exec(text)?.[1]);
      expect(new Set(exported).size).toBe(count);
      expect(exported).toHaveLength(count);
    });
  });
});
