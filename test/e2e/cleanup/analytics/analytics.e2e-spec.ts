import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import { waitFor } from '../../../support/wait';
import type { TestUser } from '../../../support/test-user';

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
  let sut: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    stranger = await sut.user('stranger');
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  async function connect(messages: number): Promise<{ path: string; id: string; mailbox: SandboxMailbox }> {
    const email = `figures${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    sut.sandbox.stats.reset();
    return { path: `/api/analytics/${id}`, id, mailbox: sut.sandbox.mailbox(email) };
  }

  const get = async (path: string): Promise<any> => {
    const { status, body } = await user.api.get(path);
    expect({ path, status, body: status === 200 ? 'ok' : body }).toEqual({ path, status: 200, body: 'ok' });
    return body;
  };

  /** Calls to the provider while `work` goes on, parts of batches counted. */
  async function callsOf(work: () => Promise<unknown>): Promise<number> {
    sut.sandbox.stats.reset();
    await work();
    return sut.sandbox.stats.totalCalls;
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
    it.each(['tz=Mars/Olympus', 'tz=', 'tz=%2B01:00', 'refresh=yes', 'refresh=', 'refresh=1&refresh=1'])(
      'should answer 400 to %s',
      async (query) => {
        const { path } = await connect(1);
        const { status, body } = await user.api.get(`${path}/heatmap?${query}`);
        expect([status, body.code]).toEqual([400, 'validation-failed']);
      },
    );
  });

  describe('GET sender-scores', () => {
    it('should match a count over the mailbox, sender by sender', async () => {
      const { path, mailbox } = await clutteredMailbox();
      const scores: any[] = await get(`${path}/sender-scores`);
      const groups = bySender(received(mailbox));
      expect(scores).toHaveLength(groups.size);
      for (const score of scores) {
        const mails = groups.get(addressIn(score.sender)) ?? [];
        const { readRate, hasUnsubscribe, score: clutterScore } = scoreOf(mails);
        expect(score).toEqual({
          sender: score.sender,
          emailCount: mails.length,
          totalSizeBytes: sum(mails),
          unreadCount: mails.filter(isUnread).length,
          hasUnsubscribe,
          readRate: Number(readRate.toFixed(4)),
          clutterScore,
        });
      }
      const order = scores.map(({ clutterScore, emailCount }) => clutterScore * 1_000_000 + emailCount);
      expect(order).toEqual([...order].sort((a, b) => b - a));
      expect(scores.map(({ sender }) => sender)).toContain('Weekly, the <weekly@letters.test>');
    });

    it('should use the newest messages at first and all mail once it is indexed, read once', async () => {
      const { path, mailbox } = await connect(1300);
      const total = async (): Promise<number> =>
        (await get(`${path}/sender-scores?refresh=1`)).reduce(
          (mails: number, { emailCount }: { emailCount: number }) => mails + emailCount,
          0,
        );
      expect(await total()).toBeGreaterThan(0);
      const all = received(mailbox);
      await waitFor('all mail to be counted', async () => (await total()) === all.length);
      const scores: any[] = await get(`${path}/sender-scores?limit=2000`);
      const groups = bySender(all);
      expect(scores).toHaveLength(groups.size);
      for (const { sender, clutterScore } of scores) {
        expect({ sender, clutterScore }).toEqual({
          sender,
          clutterScore: scoreOf(groups.get(addressIn(sender as string)) ?? []).score,
        });
      }
      expect(sut.sandbox.stats.calls['messages.get']).toBe(mailsOf(mailbox).length);
    });
  });

  describe('PATCH suggestions/:suggestionId/dismiss', () => {
    it('should answer 404 for unknown ids and those of others, 400 for malformed ones', async () => {
      const { path, mailbox } = await connect(0);
      insert(mailbox, { from: 'bulk@shop.test', count: 20 });
      const [suggestion] = await get(`${path}/cleanup-suggestions`);
      const dismiss = (who: TestUser, id: string) =>
        who.api.patch(`/api/analytics/suggestions/${id}/dismiss`);
      const foreign = await dismiss(stranger, suggestion.id as string);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'suggestion-not-found']);
      const unknown = await dismiss(user, '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d');
      expect([unknown.status, unknown.body.code]).toEqual([404, 'suggestion-not-found']);
      expect((await dismiss(user, 'nonsense')).status).toBe(400);
      expect(await get(`${path}/cleanup-suggestions`)).toEqual(
        expect.arrayContaining([expect.objectContaining({ id: suggestion.id })]),
      );
    });
  });

  describe('inbox zero', () => {});

  describe('provider calls', () => {
    const FIGURES = ['heatmap', 'sender-scores', 'cleanup-suggestions', 'inbox-zero'];

    it.each(FIGURES)(
      'should recompute %s with at most three calls when the index is current',
      async (figure) => {
        const { path, id, mailbox } = await connect(200);
        await get(`${path}/${figure}`);
        await age(id);
        expect(await callsOf(() => get(`${path}/${figure}?refresh=1`))).toBeLessThanOrEqual(3);
        insert(mailbox, { from: 'new@shop.test', count: 1 });
        await age(id);
        // The history, the list, and the new message.
        expect(await callsOf(() => get(`${path}/${figure}?refresh=1`))).toBeLessThanOrEqual(3);
      },
    );
  });

  describe('access', () => {
    const ROUTES = [
      ['GET', 'heatmap'],
      ['GET', 'sender-scores'],
      ['GET', 'cleanup-suggestions'],
      ['GET', 'inbox-zero'],
      ['POST', 'inbox-zero/snapshot'],
    ] as const;

    it.each(ROUTES)('should allow %s %s only to the owner of a usable account', async (method, route) => {
      const { path, id } = await connect(3);
      const ask = async (who: TestUser['api'], url: string): Promise<[number, string | undefined]> => {
        const response = await who.fetch(method, url);
        const body = (await response.json()) as { code?: string };
        return [response.status, body.code];
      };
      expect((await ask(user.api, `${path}/${route}`))[0]).toBe(200);
      expect(await ask(stranger.api, `${path}/${route}`)).toEqual([403, 'account-not-owned']);
      expect((await ask(sut.anonymous, `${path}/${route}`))[0]).toBe(401);
      expect((await ask(user.api, `/api/analytics/nonsense/${route}`))[0]).toBe(400);
      // Cached or not.
      expect((await user.api.patch(`/api/auth/mailbox/${id}/toggle`)).status).toBe(200);
      expect(await ask(user.api, `${path}/${route}`)).toEqual([409, 'mailbox-disconnected']);
    });
  });
});
