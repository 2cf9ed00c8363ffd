import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { BodiesOfEncryptedMail1763700000021 } from '../../../../migrations/1763700000021-bodies-of-encrypted-mail';
import { startTestApp, TestApp } from '../../../support/app';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import { importMbox, inMbox } from '../../../support/imports';
import { type Leak, LeakSearch } from '../../../support/privacy/leak-search';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const unlike = (): string => randomBytes(9).toString('hex');
/** In the bodies of the mails and nowhere else. */
const PLANTED = {
  'word of the text': unlike(),
  'word of the end': unlike(),
  'path of a pixel': unlike(),
  'query of a pixel': unlike(),
  'link to a campaign': unlike(),
};
const SECOND = { 'word of a later mail': unlike() };

const html = (subject: string, body: string): Buffer =>
  Buffer.from(
    `From: Shop <news@shop.example>\r\nTo: me@sandbox.mailroom.test\r\nSubject: ${subject}\r\n` +
      `Message-ID: <${subject}@shop.example>\r\nDate: ${new Date().toUTCString()}\r\nMIME-Version: 1.0\r\n` +
      `Content-Type: text/html; charset=utf-8\r\n\r\n<html><body>${body}</body></html>\r\n`,
  );

const BODY =
  `<p>${PLANTED['word of the text']} said hello</p>` +
  `<img src="https://shop.us1.list-manage.com/${PLANTED['path of a pixel']}/open?u=${PLANTED['query of a pixel']}" width="1" height="1">` +
  `<a href="https://shop.example/${PLANTED['link to a campaign']}?utm_source=news">Shop</a>` +
  `<p>and ${PLANTED['word of the end']}</p>`;

/** Columns that may hold parts of the body of a mail that is not encrypted. */
const OF_PLAIN_MAIL = [
  'public.archived_mail_words.words',
  'public.archived_mails.snippet',
  'public.mailbox_messages.snippet',
  'public.tracking_scans.trackers',
];

describe('Bodies of encrypted mails', () => {
  let sut: TestApp;
  let user: TestUser;
  let archive: EncryptedArchive;
  let mailId: string;
  let messageId: string;
  let sql: Client;
  let redis: Redis;
  const planted = new LeakSearch(PLANTED);

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 }, own: true });
    sql = new Client({ connectionString: sut.env['DATABASE_URL']! });
    await sql.connect();
    redis = new Redis(sut.env['REDIS_URL']!);
    user = await sut.user();
    archive = await EncryptedArchive.connect(sut, user, 'bodies-0@sandbox.mailroom.test');
    [mailId] = (await archive.insertAndArchive(html('first', BODY))) as [string];
    [messageId] = archive.mailbox.ids() as [string];
    await index();
    await scan();
    await archive.setUp();
  });

  afterAll(async () => {
    redis?.disconnect();
    await sql?.end();
    await sut?.close();
  });

  /** One user may connect a few mailboxes only. */
  const anotherUser = async (email: string): Promise<void> => {
    user = await sut.user();
    archive = await EncryptedArchive.connect(sut, user, email);
    await archive.setUp();
  };

  /** Reads the whole mailbox into the index. */
  const index = async (): Promise<void> => {
    const { body } = await user.api.post(`/api/unsubscribe/${archive.accountId}/scan`);
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });
    expect((await user.api.get(`/api/dashboard/${archive.accountId}/stats`)).status).toBe(200);
  };

  const scan = async (): Promise<any> => {
    const { body } = await user.api.post(`/api/privacy/${archive.accountId}/tracking/scan`);
    return user.jobEnd(body.jobId as string);
  };

  const trackers = async (): Promise<any> => {
    const { body } = await user.api.get(`/api/privacy/${archive.accountId}/tracking`);
    return body.items.map((item: { trackers: unknown }) => item.trackers);
  };

  /** In the database, Redis and files. */
  const traces = async (search = planted): Promise<Leak[]> => [
    ...(await search.inDatabase(sql)),
    ...(await search.inRedis(redis, sut.env['REDIS_PREFIX']!)).leaks,
    ...search.inFiles(sut.env['DATA_DIR']!),
  ];

  const migrate = async (): Promise<void> => {
    const runner = sut.dataSource.createQueryRunner();
    try {
      await new BodiesOfEncryptedMail1763700000021().up(runner);
    } finally {
      await runner.release();
    }
  };

  const places = (leaks: readonly Leak[]): string[] => [...new Set(leaks.map(({ place }) => place))].sort();

  it('should be found before', async () => {
    expect(places(await planted.inDatabase(sql))).toEqual(OF_PLAIN_MAIL);
    expect(planted.inFiles(sut.archiveDir)).not.toEqual([]);
  });

  it('should be found nowhere afterwards', async () => {
    expect(await archive.encrypt()).toMatchObject({ status: 'completed', failed: 0 });
    expect(await traces()).toEqual([]);
    expect(await trackers()).toEqual([
      [
        { type: 'pixel', domain: 'shop.us1.list-manage.com' },
        { type: 'utm', domain: 'shop.example' },
      ],
    ]);
    const { body } = await user.api.get(`/api/privacy/${archive.accountId}/tracking/stats`);
    expect(body).toMatchObject({ trackedMessages: 1, totalTrackers: 2 });
  });

  it('should be shown by the live mailbox, which contains them, and leave nothing behind', async () => {
    const path = `/api/mailbox/${archive.accountId}/messages`;
    const later = archive.mailbox.insert(html('later', SECOND['word of a later mail']), {
      labelIds: ['INBOX'],
    });
    for (const { body } of [
      await user.api.get(`${path}/${messageId}`),
      (({ body: [first] }) => ({ body: first }))(
        await user.api.post(`${path}/batch`, { ids: [messageId, later] }),
      ),
    ]) {
      expect(body).toMatchObject({ id: messageId, subject: 'first' });
      expect(body.snippet).toContain(PLANTED['word of the text']);
    }
    const { body } = await user.api.post(`${path}/batch`, { ids: [later, messageId, 'nothing'] });
    expect(body.map(({ id }: { id: string }) => id)).toEqual([later, messageId]);
    expect(body[0].snippet).toContain(SECOND['word of a later mail']);
    expect(await traces()).toEqual([]);
    // A message that is not archived, or not encrypted, keeps its snippet.
    expect(places(await new LeakSearch(SECOND).inDatabase(sql))).toEqual(['public.mailbox_messages.snippet']);
    sut.sandbox.stats.reset();
    await user.api.get(`${path}/${later}`);
    expect(sut.sandbox.stats.calls['messages.get'] ?? 0).toBe(0);
  });

  it('should not reappear when the mailbox is indexed and scanned again', async () => {
    await sql.query('DELETE FROM mailbox_messages');
    await sql.query('DELETE FROM mailbox_index_states');
    await index();
    const { rows } = await sql.query('SELECT message_id, snippet FROM mailbox_messages ORDER BY snippet');
    expect(rows).toEqual([
      { message_id: expect.not.stringMatching(messageId), snippet: expect.any(String) },
      { message_id: messageId, snippet: null },
    ]);
    await sql.query('UPDATE tracking_scans SET rules_version = 0');
    expect((await scan()).result).toMatchObject({ tracked: 1, fetched: 2 });
    expect(await traces()).toEqual([]);
    expect(await trackers()).toEqual([
      [
        { type: 'pixel', domain: 'shop.us1.list-manage.com' },
        { type: 'utm', domain: 'shop.example' },
      ],
    ]);
  });

  it('should be deleted by the migration if an earlier version has left them', async () => {
    await sql.query(`UPDATE mailbox_messages SET snippet = $1 WHERE message_id = $2`, [
      PLANTED['word of the text'],
      messageId,
    ]);
    await sql.query(
      `UPDATE tracking_scans SET trackers = jsonb_build_array(
         jsonb_build_object('type', 'pixel', 'domain', 'b.example', 'url', $1::text),
         jsonb_build_object('type', 'utm', 'domain', 'a.example', 'params', jsonb_build_array($1::text)))
       WHERE tracker_count > 0`,
      [PLANTED['path of a pixel']],
    );
    expect(places(await planted.inDatabase(sql))).toEqual([
      'public.mailbox_messages.snippet',
      'public.tracking_scans.trackers',
    ]);
    await migrate();
    expect(await traces()).toEqual([]);
    expect(await trackers()).toEqual([
      [
        { type: 'pixel', domain: 'b.example' },
        { type: 'utm', domain: 'a.example' },
      ],
    ]);
    const kept = await new LeakSearch(SECOND).inDatabase(sql);
    expect(places(kept)).toEqual(['public.mailbox_messages.snippet']);
  });

  it('should still be readable with the passphrase', async () => {
    const { body } = await user.api.post(`${archive.encryptionPath}/decrypt-mail`, {
      mailId,
      passphrase: 'correct horse battery staple',
    });
    expect(body.content).toContain(PLANTED['word of the end']);
  });

  describe('that are read while they are encrypted', () => {
    const BECOMES_ENCRYPTED = 'NEW.is_encrypted AND NOT OLD.is_encrypted';
    const ARCHIVE_IS_LOCKED = '%archive_totals%';
    let gate: StatementGate;
    let boxes = 0;

    beforeEach(() => (gate = new StatementGate(sut.dataSource)));
    afterEach(() => gate.open({ drop: true }));

    /** An archived mail of a mailbox that is indexed. */
    async function another(): Promise<EncryptedArchive> {
      archive = await EncryptedArchive.connect(sut, user, `race${(boxes += 1)}-0@sandbox.mailroom.test`);
      await archive.insertAndArchive(html(`race ${boxes}`, BODY));
      await index();
      return archive;
    }

    const waiting = (who: string, statement: string): Promise<unknown> =>
      waitFor(who, async () => {
        const { rows } = await sql.query(
          `SELECT FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
          [statement],
        );
        return rows.length > 0;
      });

    it.each([
      ['a reader', [], '%mailbox_index_states%FOR UPDATE%'],
      ['the first reader', ['mailbox_index_states'], '%INSERT INTO mailbox_index_states%'],
    ])('should not get into the index by %s who waits for the encryption', async (_who, gone, statement) => {
      const { accountId, mailbox } = await another();
      for (const table of ['mailbox_messages', ...gone])
        await sql.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
      await gate.close('archived_mails', 'UPDATE', BECOMES_ENCRYPTED);
      const jobId = await archive.startEncrypting();
      await gate.reached();
      const reading = user.api.get(`/api/mailbox/${accountId}/messages/${mailbox.ids()[0]}`);
      await waiting('the reader to wait for the encryption', statement);
      await gate.open();
      expect((await reading).body.snippet).toContain(PLANTED['word of the text']);
      expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', failed: 0 });
      const { rows } = await sql.query('SELECT snippet FROM mailbox_messages WHERE account_id = $1', [
        accountId,
      ]);
      expect(rows).toEqual([{ snippet: null }]);
    });

    it('should not stay in results of a scan for which the encryption waits', async () => {
      const { accountId } = await another();
      await gate.close('tracking_scans', 'INSERT', `NEW.account_id = '${accountId}'`);
      const started = await user.api.post(`/api/privacy/${accountId}/tracking/scan`);
      await gate.reached();
      const jobId = await archive.startEncrypting();
      await waiting('the encryption to wait for the scan', ARCHIVE_IS_LOCKED);
      await gate.open();
      for (const id of [jobId, started.body.jobId as string])
        expect(await user.jobEnd(id)).toMatchObject({ status: 'completed', failed: 0 });
      expect(await traces()).toEqual([]);
      expect((await trackers())[0]).toHaveLength(2);
    });

    it('should not stay in results of a scan for which the archiving waits', async () => {
      await anotherUser('late-0@sandbox.mailroom.test');
      const { accountId, mailbox } = archive;
      const later = mailbox.insert(html('late', BODY), { labelIds: ['INBOX'] });
      await index();
      await gate.close('tracking_scans', 'INSERT', `NEW.account_id = '${accountId}'`);
      const started = await user.api.post(`/api/privacy/${accountId}/tracking/scan`);
      await gate.reached();
      const archiving = archive.archive({ messageIds: [later] });
      await waiting('the archiving to wait for the scan', ARCHIVE_IS_LOCKED);
      await gate.open();
      expect(await archiving).toMatchObject({ status: 'completed', failed: 0 });
      expect(await user.jobEnd(started.body.jobId as string)).toMatchObject({ status: 'completed' });
      expect(await archive.encrypt()).toMatchObject({ status: 'completed', failed: 0 });
      expect(await traces()).toEqual([]);
    });
  });

  describe('whose archived copies were imported', () => {
    /** Restores the state that an earlier version left. */
    const leave = async (): Promise<void> => {
      await sql.query(`UPDATE mailbox_messages SET snippet = $1 WHERE account_id = $2`, [
        PLANTED['word of the text'],
        archive.accountId,
      ]);
      await sql.query(
        `UPDATE tracking_scans SET trackers = jsonb_build_array(
           jsonb_build_object('type', 'pixel', 'domain', 'b.example', 'url', $1::text)) WHERE account_id = $2`,
        [PLANTED['path of a pixel'], archive.accountId],
      );
    };

    it('should be found nowhere once these are encrypted', async () => {
      await anotherUser('imported-0@sandbox.mailroom.test');
      const raw = html('imported', BODY);
      archive.mailbox.insert(raw, { labelIds: ['INBOX'] });
      await index();
      await scan();
      expect(await importMbox(user, archive.accountId, inMbox(raw.toString()))).toMatchObject({
        status: 'completed',
        failed: 0,
      });
      expect([...(await archive.rows()).keys()]).toEqual(['<imported@shop.example>']);
      expect(places(await planted.inDatabase(sql))).toEqual(OF_PLAIN_MAIL);
      expect(await archive.encrypt()).toMatchObject({ status: 'completed', failed: 0 });
      expect(await traces()).toEqual([]);
      expect((await trackers())[0]).toHaveLength(2);
    });

    it('should not reappear when the mailbox is indexed and scanned again', async () => {
      await sql.query('DELETE FROM mailbox_messages WHERE account_id = $1', [archive.accountId]);
      await sql.query('DELETE FROM mailbox_index_states WHERE account_id = $1', [archive.accountId]);
      await index();
      await sql.query('UPDATE tracking_scans SET rules_version = 0 WHERE account_id = $1', [
        archive.accountId,
      ]);
      expect((await scan()).result).toMatchObject({ tracked: 1, fetched: 1 });
      expect(await traces()).toEqual([]);
      expect((await trackers())[0]).toHaveLength(2);
    });

    it('should be deleted by the migration', async () => {
      await leave();
      expect(places(await planted.inDatabase(sql))).toEqual([
        'public.mailbox_messages.snippet',
        'public.tracking_scans.trackers',
      ]);
      await migrate();
      expect(await traces()).toEqual([]);
      expect(await trackers()).toEqual([[{ type: 'pixel', domain: 'b.example' }]]);
    });
  });
});
