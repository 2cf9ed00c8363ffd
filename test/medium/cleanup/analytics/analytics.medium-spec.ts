import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { AnalyticsModule } from '../../../../src/cleanup/analytics/analytics.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

interface Mail {
  readonly id: string;
  readonly sender: string;
  readonly subject: string;
  readonly bytes: number;
  readonly date: Date;
  readonly labels: readonly string[];
  readonly hasListUnsubscribe: boolean;
}

/** Unfolded header of a raw message. */
function headerOf(raw: Buffer, name: string): string | undefined {
  const text = raw.toString('latin1');
  const head = text.slice(0, text.search(/\r?\n\r?\n/)).replace(/\r?\n[ \t]+/g, ' ');
  return new RegExp(`^${name}:[ \t]*(.*)$`, 'im').exec(head)?.[1];
}

function addressIn(from = ''): string {
  const angle = /<([^<>\s]+@[^<>\s]+)>/.exec(from)?.[1];
  return (angle ?? /[^\s<>"(),;:]+@[^\s<>"(),;:]+/.exec(from)?.[0] ?? '').toLowerCase();
}

/** All mail but spam and trash, newest first, read without any of the service's code. */
function mailsOf(mailbox: SandboxMailbox): Mail[] {
  return mailbox
    .ids()
    .map((id) => {
      const raw = mailbox.raw(id);
      return {
        id,
        sender: addressIn(headerOf(raw, 'From')),
        subject: headerOf(raw, 'Subject') ?? '',
        bytes: raw.length,
        date: mailbox.internalDate(id),
        labels: mailbox.labels(id),
        hasListUnsubscribe: headerOf(raw, 'List-Unsubscribe') !== undefined,
      };
    })
    .filter(({ labels }) => !labels.includes('SPAM') && !labels.includes('TRASH'));
}

function received(mailbox: SandboxMailbox): Mail[] {
  return mailsOf(mailbox).filter(
    ({ labels, sender }) =>
      !labels.includes('SENT') && !labels.includes('DRAFT') && sender !== '' && sender !== mailbox.email,
  );
}

function bySender(mails: readonly Mail[]): Map<string, Mail[]> {
  const groups = new Map<string, Mail[]>();
  for (const mail of mails) groups.set(mail.sender, [...(groups.get(mail.sender) ?? []), mail]);
  return groups;
}

const isUnread = ({ labels }: Mail): boolean => labels.includes('UNREAD');
const sum = (mails: readonly Mail[]): number => mails.reduce((total, { bytes }) => total + bytes, 0);

/** The score as the contract words it. */
function scoreOf(mails: readonly Mail[]): { readRate: number; hasUnsubscribe: boolean; score: number } {
  const readRate = 1 - mails.filter(isUnread).length / mails.length;
  const hasUnsubscribe = mails.some(
    (mail) => mail.hasListUnsubscribe || mail.labels.includes('CATEGORY_PROMOTIONS'),
  );
  const volume = (Math.min(mails.length, 50) / 50) * 30;
  const size = (Math.min(sum(mails), 50 * MIB) / (50 * MIB)) * 25;
  const score = Math.round(volume + size + (1 - readRate) * 25 + (hasUnsubscribe ? 20 : 0));
  return { readRate, hasUnsubscribe, score };
}

describe('Analytics', () => {
  let sut: Feature;
  let user: FeatureUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startFeature({ modules: [AnalyticsModule] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  async function connect(messages: number): Promise<{ path: string; id: string; mailbox: SandboxMailbox }> {
    const email = `figures${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    sut.provider.resetCalls();
    return { path: `/api/analytics/${id}`, id, mailbox: sut.mailbox(email) };
  }

  const get = async (path: string): Promise<any> => {
    const { status, body } = await user.api.get(path);
    expect({ path, status, body: status === 200 ? 'ok' : body }).toEqual({ path, status: 200, body: 'ok' });
    return body;
  };

  /** Calls to the provider while `work` goes on, parts of batches counted. */
  async function callsOf(work: () => Promise<unknown>): Promise<number> {
    sut.provider.resetCalls();
    await work();
    return sut.provider.totalCalls;
  }

  /** Lets the index take changes made elsewhere for possible again, as two seconds would. */
  const age = (accountId: string): Promise<unknown> =>
    sut.dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );

  interface Insertion {
    readonly from: string;
    readonly count: number;
    readonly subject?: (n: number) => string;
    readonly headers?: string;
    readonly labelIds?: (n: number) => string[];
    readonly bytes?: number;
  }

  function insert(mailbox: SandboxMailbox, insertion: Insertion): string[] {
    const { from, count, subject = () => 'Hello', headers = '', bytes = 10 } = insertion;
    const body = `${'x'.repeat(76)}\r\n`.repeat(Math.ceil(bytes / 78));
    const newest = mailbox.ids().length === 0 ? Date.now() : Date.now() - 30_000;
    return Array.from({ length: count }, (_, n) =>
      mailbox.insert(
        `From: ${from}\r\nTo: ${mailbox.email}\r\nSubject: ${subject(n)}\r\n${headers}\r\n${body}`,
        {
          labelIds: insertion.labelIds?.(n) ?? ['INBOX', 'UNREAD'],
          internalDate: new Date(newest - n * HOUR_MS),
        },
      ),
    );
  }

  /** A mailbox with something of each type in it, and what must not count. */
  async function clutteredMailbox(): Promise<{ path: string; id: string; mailbox: SandboxMailbox }> {
    const connected = await connect(330);
    const { mailbox } = connected;
    insert(mailbox, { from: 'Bulk <Bulk@Shop.test>', count: 22 });
    insert(mailbox, { from: 'Bulk <bulk@shop.test>', count: 3, labelIds: () => ['INBOX'] });
    insert(mailbox, { from: 'bulk@shop.test', count: 2, labelIds: () => ['SPAM', 'UNREAD'] });
    insert(mailbox, { from: 'bulk@shop.test', count: 2, labelIds: () => ['TRASH', 'UNREAD'] });
    insert(mailbox, {
      from: 'Photos <big@files.test>',
      count: 6,
      bytes: 1.9 * MIB,
      labelIds: () => ['CATEGORY_PROMOTIONS', 'UNREAD'],
    });
    insert(mailbox, {
      from: '"Weekly, the" <weekly@letters.test>',
      count: 7,
      headers: 'List-Unsubscribe: <https://letters.test/u>\r\n',
      labelIds: (n) => (n < 2 ? ['INBOX'] : ['INBOX', 'UNREAD']),
    });
    insert(mailbox, {
      from: 'CI <ci@builds.test>',
      count: 12,
      subject: (n) => `${n % 2 ? 'Re: ' : ''}Build #${n} failed on ${n + 1} March`,
      labelIds: () => ['INBOX'],
    });
    insert(mailbox, {
      from: 'CI <ci@builds.test>',
      count: 9,
      subject: (n) => `Release ${n} is out`,
      labelIds: () => ['INBOX'],
    });
    insert(mailbox, { from: `Me <${mailbox.email.toUpperCase()}>`, count: 3, labelIds: () => ['SENT'] });
    return connected;
  }

  describe('GET heatmap', () => {
    it('should count the newest 500 messages by day and hour of their arrival', async () => {
      const { path, mailbox } = await connect(560);
      const sample = mailsOf(mailbox).slice(0, 500);
      expect(sample).toHaveLength(500);
      const cells = await get(`${path}/heatmap`);
      expect(cells).toHaveLength(168);
      expect(Object.keys(cells[0]).sort()).toEqual(['count', 'day', 'hour']);
      cells.forEach((cell: { day: number; hour: number; count: number }, position: number) => {
        const day = Math.floor(position / 24);
        const hour = position % 24;
        const count = sample.filter(
          ({ date }) => (date.getUTCDay() + 6) % 7 === day && date.getUTCHours() === hour,
        ).length;
        expect(cell).toEqual({ day, hour, count });
      });
    });

    it('should use the clock of a time zone, at no further cost', async () => {
      const { path, mailbox } = await connect(120);
      await get(`${path}/heatmap`);
      let cells: { day: number; hour: number; count: number }[] = [];
      const calls = await callsOf(async () => (cells = await get(`${path}/heatmap?tz=Asia/Kolkata`)));
      expect(calls).toBe(0);
      const counts = new Map<string, number>();
      for (const { date } of mailsOf(mailbox)) {
        const local = new Date(date.getTime() + 5.5 * HOUR_MS);
        const key = `${(local.getUTCDay() + 6) % 7}-${local.getUTCHours()}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      for (const { day, hour, count } of cells) expect(count).toBe(counts.get(`${day}-${hour}`) ?? 0);
    });

    it('should return the requested number, and lower excessive ones', async () => {
      const { path } = await connect(150);
      const all: unknown[] = await get(`${path}/sender-scores?limit=999999`);
      expect(all.length).toBeGreaterThan(5);
      expect(await get(`${path}/sender-scores?limit=3`)).toEqual(all.slice(0, 3));
      for (const limit of ['0', '-1', 'x', '1.5']) {
        expect((await user.api.get(`${path}/sender-scores?limit=${limit}`)).status).toBe(400);
      }
    });
  });

  describe('GET cleanup-suggestions', () => {
    it('should find exactly the mail that meets the criteria, with queries that select it', async () => {
      const { path, id, mailbox } = await clutteredMailbox();
      const suggestions: any[] = await get(`${path}/cleanup-suggestions`);
      const expected: string[] = [];
      for (const [sender, mails] of bySender(received(mailbox))) {
        const unread = mails.filter(isUnread);
        const { readRate, score } = scoreOf(mails);
        const isNewsletter = mails.some(({ hasListUnsubscribe }) => hasListUnsubscribe);
        if (unread.length >= 20) expected.push(`bulk_unread ${sender} ${unread.length} ${sum(unread)}`);
        if (sum(mails) > 10 * MIB && score >= 40)
          expected.push(`large_sender ${sender} ${mails.length} ${sum(mails)}`);
        if (isNewsletter && readRate < 0.3 && mails.length >= 5)
          expected.push(`old_newsletters ${sender} ${mails.length} ${sum(mails)}`);
      }
      const found = suggestions.map(
        ({ type, sender, emailCount, totalSizeBytes }) =>
          `${type} ${addressIn(sender)} ${emailCount} ${totalSizeBytes}`,
      );
      const isSeries = (line: string): boolean => line.startsWith('duplicate_pattern');
      expect(found.filter((line) => !isSeries(line)).sort()).toEqual(expected.sort());
      for (const part of ['bulk_unread bulk@', 'large_sender big@', 'old_newsletters weekly@']) {
        expect(expected.some((line) => line.startsWith(part))).toBe(true);
      }
      const builds = received(mailbox).filter(
        ({ sender, subject }) => sender === 'ci@builds.test' && subject.includes('Build #'),
      );
      expect(found.filter((line) => line.includes('ci@builds.test'))).toEqual([
        `duplicate_pattern ci@builds.test 12 ${sum(builds)}`,
      ]);
      for (const suggestion of suggestions) {
        expect(Object.keys(suggestion).sort()).toEqual([
          'description',
          'emailCount',
          'id',
          'isDismissed',
          'mayBeRecords',
          'query',
          'sender',
          'title',
          'totalSizeBytes',
          'type',
        ]);
        expect(suggestion.isDismissed).toBe(false);
        const query = encodeURIComponent(suggestion.query as string);
        const selected = await get(`/api/mailbox/${id}/messages?maxResults=500&q=${query}`);
        expect({ query: suggestion.query, count: selected.messages.length }).toEqual({
          query: suggestion.query,
          count: suggestion.emailCount,
        });
      }
      const types = ['old_newsletters', 'bulk_unread', 'large_sender', 'duplicate_pattern'];
      const places = suggestions
        .filter(({ mayBeRecords }) => !mayBeRecords)
        .map(({ type, totalSizeBytes }) => [types.indexOf(type), totalSizeBytes] as const);
      expect(places).toEqual([...places].sort((a, b) => a[0] - b[0] || b[1] - a[1]));
      const areRecords = suggestions.map(({ mayBeRecords }) => mayBeRecords as boolean);
      expect(areRecords).toEqual([...areRecords].sort((a, b) => Number(a) - Number(b)));
    });

    it('should keep ids and dismissals when computed again, and drop suggestions that no longer hold', async () => {
      const { path, id, mailbox } = await connect(0);
      const unread = insert(mailbox, { from: 'bulk@shop.test', count: 20 });
      insert(mailbox, { from: 'other@shop.test', count: 21 });
      const first: any[] = await get(`${path}/cleanup-suggestions`);
      const bulk = first.find(({ query }) => query === 'from:(bulk@shop.test) is:unread');
      const other = first.find(({ query }) => query === 'from:(other@shop.test) is:unread');
      expect(bulk && other).toBeDefined();

      insert(mailbox, { from: 'bulk@shop.test', count: 1 });
      await age(id);
      const second: any[] = await get(`${path}/cleanup-suggestions?refresh=1`);
      expect(second.find((suggestion) => suggestion.id === bulk.id)).toMatchObject({ emailCount: 21 });

      // At once, though the list is still the cached one.
      const dismissed = await user.api.patch(`/api/analytics/suggestions/${other.id}/dismiss`);
      expect([dismissed.status, dismissed.body]).toEqual([200, { ok: true }]);
      const ids = async (query = ''): Promise<string[]> =>
        (await get(`${path}/cleanup-suggestions${query}`)).map((suggestion: any) => suggestion.id);
      expect(await callsOf(async () => expect(await ids()).not.toContain(other.id))).toBe(0);
      expect(await ids('?refresh=1')).not.toContain(other.id);
      const again = await user.api.patch(`/api/analytics/suggestions/${other.id}/dismiss`);
      expect([again.status, again.body]).toEqual([200, { ok: true }]);

      mailbox.changeLabels(unread, { remove: ['UNREAD'] });
      await age(id);
      expect(await ids('?refresh=true')).not.toContain(bulk.id);
      expect(await ids()).not.toContain(other.id);
    });

    it('should answer a sender’s address that looks like operators with a harmless query', async () => {
      const { path, id, mailbox } = await connect(30);
      insert(mailbox, { from: 'Evil <"x) OR in:anywhere ("@evil.test>', count: 20 });
      const suggestions: any[] = await get(`${path}/cleanup-suggestions`);
      const evil = suggestions.find(({ sender }) => sender.includes('evil.test'));
      expect(evil.query).toMatch(/^from:\("[^"]*"\) is:unread$/);
      const query = encodeURIComponent(evil.query as string);
      const { messages } = await get(`/api/mailbox/${id}/messages?maxResults=500&q=${query}`);
      expect(messages).toHaveLength(20);
    });
  });

  describe('inbox zero', () => {
    const today = (): string => new Date().toISOString().slice(0, 10);
    const daysAgo = (days: number): string =>
      new Date(Date.now() - days * 24 * HOUR_MS).toISOString().slice(0, 10);
    const inboxOf = (mailbox: SandboxMailbox): { inboxCount: number; unreadCount: number } => {
      const inbox = mailbox.ids().filter((id) => mailbox.labels(id).includes('INBOX'));
      const unread = inbox.filter((id) => mailbox.labels(id).includes('UNREAD'));
      return { inboxCount: inbox.length, unreadCount: unread.length };
    };

    it('should return exact counts with one call, and from then on with none', async () => {
      const { path, mailbox } = await connect(700);
      let answer: any;
      expect(await callsOf(async () => (answer = await get(`${path}/inbox-zero`)))).toBe(1);
      const current = inboxOf(mailbox);
      expect(answer).toEqual({
        current,
        history: [{ date: today(), ...current }],
        streak: 0,
        bestStreak: 0,
      });
      expect(await callsOf(async () => expect(await get(`${path}/inbox-zero`)).toEqual(answer))).toBe(0);
    });

    it('should keep the lowest counts of the day', async () => {
      const { path, mailbox } = await connect(0);
      const ids = insert(mailbox, { from: 'a@b.test', count: 5 });
      const first = await user.api.post(`${path}/inbox-zero/snapshot`);
      expect([first.status, first.body]).toEqual([200, { inboxCount: 5, unreadCount: 5 }]);
      mailbox.changeLabels(ids, { remove: ['INBOX'] });
      expect((await user.api.post(`${path}/inbox-zero/snapshot`)).body).toEqual({
        inboxCount: 0,
        unreadCount: 0,
      });
      mailbox.changeLabels(ids.slice(0, 3), { add: ['INBOX'] });
      expect((await get(`${path}/inbox-zero`)).current).toEqual({ inboxCount: 0, unreadCount: 0 });
      expect(await get(`${path}/inbox-zero?refresh=1`)).toEqual({
        current: { inboxCount: 3, unreadCount: 3 },
        history: [{ date: today(), inboxCount: 0, unreadCount: 0 }],
        streak: 1,
        bestStreak: 1,
      });
    });

    it('should return 30 days of history and count streaks over all of it', async () => {
      const { path, id, mailbox } = await connect(0);
      insert(mailbox, { from: 'a@b.test', count: 2 });
      const seen: [number, number][] = [
        ...Array.from({ length: 8 }, (_, n): [number, number] => [n + 40, 0]),
        [30, 9],
        [29, 4],
        [5, 0],
        [4, 3],
        [2, 0],
        [1, 0],
      ];
      for (const [days, count] of seen) {
        await sut.dataSource.query(
          `INSERT INTO inbox_days (account_id, day, inbox_count, unread_count, taken_at)
           VALUES ($1, $2, $3, 0, now())`,
          [id, daysAgo(days), count],
        );
      }
      const answer = await get(`${path}/inbox-zero`);
      expect(answer.history).toEqual([
        { date: daysAgo(29), inboxCount: 4, unreadCount: 0 },
        { date: daysAgo(5), inboxCount: 0, unreadCount: 0 },
        { date: daysAgo(4), inboxCount: 3, unreadCount: 0 },
        { date: daysAgo(2), inboxCount: 0, unreadCount: 0 },
        { date: daysAgo(1), inboxCount: 0, unreadCount: 0 },
        { date: daysAgo(0), inboxCount: 2, unreadCount: 2 },
      ]);
      expect([answer.streak, answer.bestStreak]).toEqual([2, 8]);
    });
  });

  describe('provider calls', () => {
    const FIGURES = ['heatmap', 'sender-scores', 'cleanup-suggestions', 'inbox-zero'];

    it('should fetch the metadata of each message once, for any order and number of requests', async () => {
      const { path, mailbox } = await connect(480);
      const paths = Array.from({ length: 12 }, (_, n) => {
        const refresh = n % 3 === 0 ? '?refresh=1' : '';
        return `${path}/${FIGURES[n % FIGURES.length]}${refresh}`;
      });
      await Promise.all(paths.map(get));
      expect(sut.provider.calls.fetchMetadata).toBe(mailsOf(mailbox).length);
      expect(sut.provider.calls.getLabel).toBeLessThanOrEqual(3);
    });

    it.each(['heatmap', 'sender-scores', 'cleanup-suggestions'])(
      'should ask the provider once for changes when %s is refreshed, however recent the last sync is',
      async (figure) => {
        const { path, mailbox } = await connect(40);
        const before = await get(`${path}/${figure}`);
        insert(mailbox, { from: 'bulk@shop.test', count: 25 });
        sut.provider.resetCalls();
        const after = await get(`${path}/${figure}?refresh=1`);
        expect(after).not.toEqual(before);
        expect(sut.provider.calls.listChanges).toBe(1);
        expect(await callsOf(() => get(`${path}/${figure}?refresh=1`))).toBe(1);
      },
    );

    it.each(FIGURES)('should return %s from the cache until it is refreshed', async (figure) => {
      const { path, id, mailbox } = await connect(40);
      const before = await get(`${path}/${figure}`);
      insert(mailbox, { from: 'bulk@shop.test', count: 25 });
      await age(id);
      for (const query of ['', '?refresh=0', '?refresh=false']) {
        let cached: unknown;
        expect(await callsOf(async () => (cached = await get(`${path}/${figure}${query}`)))).toBe(0);
        expect(cached).toEqual(before);
      }
      const after = await get(`${path}/${figure}?refresh=true`);
      expect(after).not.toEqual(before);
      expect(await get(`${path}/${figure}`)).toEqual(after);
    });
  });

  describe('access', () => {});
});
