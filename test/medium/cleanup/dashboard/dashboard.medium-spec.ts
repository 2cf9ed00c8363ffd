import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { DashboardModule } from '../../../../src/cleanup/dashboard/dashboard.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { waitFor } from '../../../support/wait';

const SAMPLE = 500;
const HIDDEN = ['SPAM', 'TRASH'];

interface Counted {
  readonly id: string;
  readonly email: string;
  readonly size: number;
  readonly date: Date;
  readonly labels: readonly string[];
}

/** Unfolded header of a raw message. */
function headerOf(raw: Buffer, name: string): string {
  const text = raw.toString('latin1');
  const head = text.slice(0, text.search(/\r?\n\r?\n/)).replace(/\r?\n[ \t]+/g, ' ');
  return new RegExp(`^${name}:[ \t]*(.*)$`, 'im').exec(head)?.[1] ?? '';
}

/** Address in a From header: good enough for what the sandbox writes. */
function addressIn(from: string): string {
  const angle = /<([^<>\s]+@[^<>\s]+)>/.exec(from)?.[1];
  return (angle ?? /[^\s<>"(),;:]+@[^\s<>"(),;:]+/.exec(from)?.[0] ?? '').toLowerCase();
}

/** Counts per key, the keys in no particular order. */
function tally(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

describe('Dashboard', () => {
  let app: Feature;
  let user: FeatureUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startFeature({ modules: [DashboardModule] });
    user = await app.user();
  });

  afterAll(() => app?.close());

  async function connect(messages: number): Promise<{ path: string; id: string; mailbox: SandboxMailbox }> {
    const email = `dash${(boxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    app.provider.resetCalls();
    return { path: `/api/dashboard/${id}`, id, mailbox: app.mailbox(email) };
  }

  /** Lets the index take changes made elsewhere for possible again, as two seconds would. */
  const age = (accountId: string): Promise<unknown> =>
    app.dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );

  /** Until nothing is indexed in the background any more, whose calls would be counted with everybody's. */
  const indexed = (accountId: string): Promise<boolean> =>
    waitFor('the index to be complete', async () => {
      await app.runJobs();
      const [state] = await app.dataSource.query(
        'SELECT complete FROM mailbox_index_states WHERE account_id = $1',
        [accountId],
      );
      return state.complete as boolean;
    });

  /** The newest messages without spam and trash, as the mailbox itself has them. */
  const sampleOf = (mailbox: SandboxMailbox, most = SAMPLE): Counted[] =>
    mailbox
      .ids()
      .map((id) => ({
        id,
        email: addressIn(headerOf(mailbox.raw(id), 'From')),
        size: mailbox.raw(id).length,
        date: mailbox.internalDate(id),
        labels: mailbox.labels(id),
      }))
      .filter(({ labels }) => !labels.some((label) => HIDDEN.includes(label)))
      .sort((a, b) => b.date.getTime() - a.date.getTime())
      .slice(0, most);

  describe('GET stats', () => {
    it('should match a count over the mailbox itself', async () => {
      const { path, id: accountId, mailbox } = await connect(700);
      const { status, body } = await user.api.get(`${path}/stats?limit=100`);
      expect(status).toBe(200);
      await indexed(accountId);
      const sample = sampleOf(mailbox);
      expect(sample).toHaveLength(SAMPLE);

      expect(Object.keys(body as object).sort()).toEqual(
        [
          'totalMessages',
          'unreadCount',
          'totalSizeBytes',
          'bySender',
          'biggestMails',
          'byLabel',
          'timeline',
          'profile',
        ].sort(),
      );
      expect(body).toMatchObject({
        totalMessages: SAMPLE,
        unreadCount: sample.filter(({ labels }) => labels.includes('UNREAD')).length,
        totalSizeBytes: sample.reduce((sum, { size }) => sum + size, 0),
        profile: { emailAddress: mailbox.email, messagesTotal: 700 },
      });
      expect(Object.keys(body.profile as object)).toHaveLength(2);

      const biggest = [...sample].sort((a, b) => b.size - a.size).slice(0, 100);
      expect(body.biggestMails.map((mail: any) => mail.sizeEstimate)).toEqual(
        biggest.map(({ size }) => size),
      );
      for (const mail of body.biggestMails) {
        const known = sample.find(({ id }) => id === mail.id)!;
        expect(mail).toEqual({
          id: known.id,
          subject: expect.any(String),
          from: expect.any(String),
          sizeEstimate: known.size,
          date: known.date.toISOString(),
        });
      }
      expect(body.biggestMails[0].from).toContain(biggest[0]!.email);

      const received = sample.filter(
        ({ email, labels }) =>
          email && email !== mailbox.email && !labels.some((l) => /^(SENT|DRAFT)$/.test(l)),
      );
      const senders = tally(received.map(({ email }) => email));
      expect(senders.size).toBeGreaterThan(20);
      expect(body.bySender).toHaveLength(Math.min(100, senders.size));
      for (const [index, { sender, count, sizeBytes }] of body.bySender.entries()) {
        const email = addressIn(sender as string);
        expect([email, count]).toEqual([email, senders.get(email)]);
        expect(sizeBytes).toBe(
          received.filter((mail) => mail.email === email).reduce((sum, { size }) => sum + size, 0),
        );
        const next = body.bySender[index + 1];
        if (next)
          expect(count > next.count || (count === next.count && sizeBytes >= next.sizeBytes)).toBe(true);
      }
      expect(body.bySender[0].count).toBe(Math.max(...senders.values()));

      const { body: labels } = await user.api.get(
        `${path.replace('dashboard', 'mailbox')}/labels?counts=false`,
      );
      const names = new Map<string, string>(
        labels.map(({ id, name, type }: any) => [id, type === 'user' ? name : id]),
      );
      const expected = tally(sample.flatMap((mail) => mail.labels.map((id) => names.get(id) ?? id)));
      expect(new Map(body.byLabel.map(({ label, count }: any) => [label, count]))).toEqual(expected);
      expect([...expected.keys()].some((label) => label.startsWith('Label_'))).toBe(false);
      const counts = body.byLabel.map(({ count }: any) => count as number);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));

      const months = tally(sample.map(({ date }) => date.toISOString().slice(0, 7)));
      expect(
        new Map(body.timeline.filter(({ count }: any) => count > 0).map((m: any) => [m.month, m.count])),
      ).toEqual(months);
      const listed: string[] = body.timeline.map(({ month }: any) => month as string);
      const [first, last] = [listed[0]!, listed.at(-1)!].map((month) => Date.parse(`${month}-01`)) as [
        number,
        number,
      ];
      expect(listed).toEqual([...listed].sort());
      expect(listed).toHaveLength(Math.round((last - first) / (30.44 * 86_400_000)) + 1);
    });

    it('should cover everything that is indexed, and report whether that is all', async () => {
      const { path, id: accountId, mailbox } = await connect(700);
      const query = 'stats?scope=all&limit=100&tz=America/New_York';
      const { body: early } = await user.api.get(`${path}/${query}`);
      const { indexed: known, total, complete } = early.coverage;
      expect(known).toBe(early.totalMessages);
      expect(total).toBe(complete ? known : 700);
      expect(known).toBeGreaterThanOrEqual(SAMPLE);
      await indexed(accountId);
      const { body } = await user.api.get(`${path}/${query}`);

      const all = sampleOf(mailbox, Infinity);
      expect(all.length).toBeGreaterThan(SAMPLE);
      expect(body).toMatchObject({
        coverage: { indexed: all.length, total: all.length, complete: true },
        totalMessages: all.length,
        unreadCount: all.filter(({ labels }) => labels.includes('UNREAD')).length,
        totalSizeBytes: all.reduce((sum, { size }) => sum + size, 0),
        profile: { messagesTotal: 700 },
      });
      expect(body.biggestMails.map((mail: any) => mail.sizeEstimate)).toEqual(
        all
          .map(({ size }) => size)
          .sort((a, b) => b - a)
          .slice(0, 100),
      );
      const received = all.filter(
        ({ email, labels }) =>
          email && email !== mailbox.email && !labels.some((l) => /^(SENT|DRAFT)$/.test(l)),
      );
      const senders = tally(received.map(({ email }) => email));
      expect(body.bySender).toHaveLength(Math.min(100, senders.size));
      for (const { sender, count } of body.bySender)
        expect([sender, count]).toEqual([sender, senders.get(addressIn(sender as string))]);
      expect(body.bySender[0].count).toBe(Math.max(...senders.values()));
      expect(body.byLabel.find(({ label }: any) => label === 'INBOX').count).toBe(
        all.filter(({ labels }) => labels.includes('INBOX')).length,
      );
      const month = new Intl.DateTimeFormat('sv', {
        timeZone: 'America/New_York',
        year: 'numeric',
        month: '2-digit',
      });
      expect(
        new Map(body.timeline.filter(({ count }: any) => count > 0).map((m: any) => [m.month, m.count])),
      ).toEqual(tally(all.map(({ date }) => month.format(date))));
    });

    it('should report that an empty mailbox is empty', async () => {
      const { path, mailbox } = await connect(1);
      for (const id of mailbox.ids()) mailbox.remove(id);
      expect((await user.api.get(`${path}/stats?scope=all`)).body).toMatchObject({
        coverage: { indexed: 0, total: 0, complete: true },
        totalMessages: 0,
        bySender: [],
        timeline: [],
      });
    });

    it('should follow changes of messages, with at most three calls', async () => {
      const { path, id, mailbox } = await connect(40);
      const before = (await user.api.get(`${path}/stats`)).body;
      const [removed, read] = sampleOf(mailbox).filter(({ labels }) => labels.includes('UNREAD'));
      mailbox.remove(removed!.id);
      mailbox.changeLabels([read!.id], { remove: ['UNREAD'], add: [] });
      await age(id);
      app.provider.resetCalls();

      const { body } = await user.api.get(`${path}/stats?limit=100`);

      expect(app.provider.totalCalls).toBeLessThanOrEqual(3);
      expect(app.provider.calls.fetchMetadata).toBeUndefined();
      expect(body).toMatchObject({
        totalMessages: before.totalMessages - 1,
        unreadCount: before.unreadCount - 2,
        totalSizeBytes: before.totalSizeBytes - removed!.size,
        profile: { messagesTotal: 39 },
      });
      expect(body.biggestMails.map((mail: any) => mail.id)).not.toContain(removed!.id);

      mailbox.insert('From: New <new@example.test>\r\nSubject: x\r\n\r\nhello\r\n');
      await age(id);
      const after = (await user.api.get(`${path}/stats?limit=100`)).body;
      expect(after.totalMessages).toBe(body.totalMessages + 1);
      expect(after.bySender).toContainEqual({
        sender: 'New <new@example.test>',
        count: 1,
        sizeBytes: expect.any(Number),
      });
    });

    it('should return zeros and empty lists for an empty mailbox', async () => {
      const { path, mailbox } = await connect(0);
      const { status, body } = await user.api.get(`${path}/stats`);
      expect(status).toBe(200);
      expect(body).toEqual({
        totalMessages: 0,
        unreadCount: 0,
        totalSizeBytes: 0,
        bySender: [],
        biggestMails: [],
        byLabel: [],
        timeline: [],
        profile: { emailAddress: mailbox.email, messagesTotal: 0 },
      });
    });

    it('should group senders by address under the newest name, and leave the account itself out', async () => {
      const { path, mailbox } = await connect(0);
      const send = (from: string, at: string, labelIds = ['INBOX']): string =>
        mailbox.insert(`From: ${from}\r\nSubject: s\r\n\r\nx\r\n`, { labelIds, internalDate: new Date(at) });
      send('Old Name <Who@Example.test>', '2025-01-31T23:30:00Z');
      send('"New, Name" <who@example.TEST>', '2025-03-01T00:00:00Z');
      send(`Me <${mailbox.email.toUpperCase()}>`, '2025-02-01T00:00:00Z');
      send('Alias <alias@example.test>', '2025-02-01T00:00:00Z', ['SENT']);
      send('Spam <spam@example.test>', '2025-06-01T00:00:00Z', ['SPAM']);

      const { body } = await user.api.get(`${path}/stats`);
      expect(body.totalMessages).toBe(4);
      expect(body.bySender).toEqual([
        { sender: 'New, Name <who@example.test>', count: 2, sizeBytes: expect.any(Number) },
      ]);
      expect(body.timeline).toEqual([
        { month: '2025-01', count: 1 },
        { month: '2025-02', count: 2 },
        { month: '2025-03', count: 1 },
      ]);
      const paris = await user.api.get(`${path}/stats?tz=Europe/Paris`);
      expect(paris.body.timeline).toEqual([
        { month: '2025-02', count: 3 },
        { month: '2025-03', count: 1 },
      ]);
    });

    it('should limit its lists to 20 by default', async () => {
      const { path } = await connect(150);
      const lengths = async (query: string): Promise<number> =>
        (await user.api.get(`${path}/stats${query}`)).body.biggestMails.length as number;
      expect(await lengths('')).toBe(20);
      expect(await lengths('?limit=3')).toBe(3);
      expect(await lengths('?limit=5000')).toBe(100);
    });
  });

  describe('GET archive-stats', () => {
    const archived = async (messages: number): Promise<ArchiveFixture> =>
      ArchiveFixture.connect(app, user, `stats${(boxes += 1)}-${messages}@sandbox.mailroom.test`);
    const statsOf = (sut: ArchiveFixture): Promise<any> =>
      user.api.get(`/api/dashboard/${sut.accountId}/archive-stats`).then(({ status, body }) => {
        expect(status).toBe(200);
        return body;
      });

    /** The counters by sender, and the same counted from the rows. */
    async function senders(sut: ArchiveFixture): Promise<{ kept: unknown; counted: unknown }> {
      const kept: unknown = await app.dataSource.query(
        `SELECT address, mails, bytes::int FROM archived_senders WHERE account_id = $1 ORDER BY address`,
        [sut.accountId],
      );
      const counted: unknown = await app.dataSource.query(
        `SELECT lower(coalesce(substring(sender from '<([^<>]+)>'), sender)) AS address, count(*)::int AS mails,
                sum(size_bytes)::int AS bytes
           FROM archived_mails WHERE account_id = $1 GROUP BY 1 ORDER BY 1`,
        [sut.accountId],
      );
      return { kept, counted };
    }

    async function expectExact(sut: ArchiveFixture): Promise<any> {
      const { kept, counted } = await senders(sut);
      expect(kept).toEqual(counted);
      const rows = [...(await sut.rows()).values()];
      const body = await statsOf(sut);
      const last = rows.map((row) => row.archived_at as Date).sort((a, b) => b.getTime() - a.getTime())[0];
      expect(body).toMatchObject({
        total_mails: rows.length,
        total_size: rows.reduce((sum, row) => sum + Number(row.size_bytes), 0),
        last_archived_at: last?.toISOString() ?? null,
      });
      const own = sut.mailbox.email;
      const top = (counted as { address: string; mails: number; bytes: number }[])
        .filter(({ address }) => address !== own)
        .sort((a, b) => b.mails - a.mails || b.bytes - a.bytes || (a.address < b.address ? -1 : 1))
        .slice(0, 20);
      expect(body.bySender.map(({ count, total_size }: any) => [count, total_size])).toEqual(
        top.map(({ mails, bytes }) => [String(mails), String(bytes)]),
      );
      expect(body.bySender.map(({ sender }: any) => addressIn(sender as string) || sender)).toEqual(
        top.map(({ address }) => address),
      );
      return body;
    }

    it('should return zeros, null and an empty list for an empty archive', async () => {
      const sut = await archived(0);
      expect(await statsOf(sut)).toEqual({
        total_mails: 0,
        total_size: 0,
        last_archived_at: null,
        bySender: [],
      });
    });

    it('should group by address under the newest name, without the account’s own mail', async () => {
      const sut = await archived(0);
      const mail = (from: string, at: string): string =>
        sut.mailbox.insert(eml(`From: ${from}`, `Message-ID: <${at}@example.test>`, '', 'Hello'), {
          internalDate: new Date(at),
        });
      const [newest, ...others] = [
        mail('New <who@EXAMPLE.test>', '2025-03-01T00:00:00Z'),
        mail('Old <Who@example.test>', '2025-01-01T00:00:00Z'),
        mail('Middle <who@example.test>', '2025-02-01T00:00:00Z'),
        mail(`Me <${sut.mailbox.email}>`, '2025-02-02T00:00:00Z'),
        mail('no address at all', '2025-02-03T00:00:00Z'),
      ];
      await sut.archive({ messageIds: others });
      expect((await expectExact(sut)).bySender[0]).toMatchObject({
        sender: 'Middle <who@example.test>',
        count: '2',
      });
      await sut.archive({ messageIds: [newest] });
      const body = await expectExact(sut);
      expect(body.total_mails).toBe(5);
      expect(body.bySender).toHaveLength(2);
      expect(body.bySender[0]).toMatchObject({ sender: 'New <who@EXAMPLE.test>', count: '3' });
    });
  });
});
