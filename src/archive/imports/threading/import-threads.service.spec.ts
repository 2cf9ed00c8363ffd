import type { Transactions } from '../../../platform/database/transactions';
import type { ImportThreadsRepository } from './import-threads.repository';
import { ImportThreadsService } from './import-threads.service';
import { messageReferences, type ThreadedMessage } from './message-references';
import { shareConversation, subjectTraits, SubjectTraits } from './shared-subject';

const ACCOUNT = 'account';
const ME = 'me@x';
const DAY = 24 * 60 * 60 * 1000;

type Mail = ThreadedMessage & { readonly messageId: string };

/** The tables, as far as threading reads and writes them; the queries themselves are tested over a database. */
class Tables {
  readonly mails = new Map<string, Mail & { id: string; threadId: string }>();
  readonly ids = new Map<string, string>();
  readonly subjects = new Map<string, SubjectTraits & { mailId: string }>();

  readonly repository = {
    tuneTransaction: async () => undefined,
    lockArchive: async () => true,
    findOwnAddress: async () => ME,
    findArchivedMessages: async (_account: string, ids: readonly string[]) =>
      ids.flatMap((id) => this.mails.get(id) ?? []),
    threadsOf: async (_account: string, keys: readonly string[]) =>
      new Map(keys.flatMap((key) => (this.ids.has(key) ? [[key, this.ids.get(key)!]] : []))),
    sourceThreadsOf: async () => new Map(),
    findSharingSubjects: async (_account: string, traits: readonly (SubjectTraits | null)[]) =>
      traits.flatMap((entry, position) =>
        [...this.subjects.values()]
          .filter((other) => entry && shareConversation(entry, other))
          .map(({ mailId }) => ({ position, threadId: this.mails.get(mailId)!.threadId })),
      ),
    rememberThreads: async (_account: string, threads: ReadonlyMap<string, string>) => {
      for (const [key, thread] of threads) this.ids.set(key, thread);
    },
    rememberSubjects: async (_account: string, subjects: readonly (SubjectTraits & { mailId: string })[]) => {
      for (const subject of subjects) this.subjects.set(subject.mailId, subject);
    },
    moveThreads: async (_account: string, moved: ReadonlyMap<string, string>) => {
      for (const mail of this.mails.values()) mail.threadId = moved.get(mail.threadId) ?? mail.threadId;
      for (const [key, thread] of this.ids) this.ids.set(key, moved.get(thread) ?? thread);
    },
  } as unknown as ImportThreadsRepository;

  readonly service = new ImportThreadsService(this.repository, {
    run: (work: (transaction: object) => unknown) => work({}),
  } as unknown as Transactions);

  /** Imports a batch. @param crash whether the import ends before it records the archived mails */
  async take(mails: readonly Mail[], crash = false): Promise<void> {
    const threads = await this.service.assign(ACCOUNT, mails);
    mails.forEach((mail, position) => {
      const { messageId } = mail;
      if (!this.mails.has(messageId))
        this.mails.set(messageId, { ...mail, id: messageId, threadId: threads[position]! });
    });
    const ids = mails.map(({ messageId }) => messageId);
    if (!crash) await this.service.recordArchived(ACCOUNT, ids);
  }

  get partition(): string {
    const threads = new Map<string, string[]>();
    for (const { messageId, threadId } of this.mails.values())
      threads.set(threadId, [...(threads.get(threadId) ?? []), messageId]);
    return partitionText([...threads.values()]);
  }
}

const partitionText = (groups: string[][]): string =>
  JSON.stringify(groups.map((group) => group.sort()).sort((one, other) => (one[0]! < other[0]! ? -1 : 1)));

/** Conversations by definition: all mails that are linked over any number of steps. */
function conversationsOf(mails: readonly Mail[]): string {
  const refs = mails.map((mail) => messageReferences(ACCOUNT, mail));
  const traits = mails.map((mail, n) => subjectTraits(mail, ME, refs[n]!.references.length > 0));
  const linked = (a: number, b: number): boolean => {
    const [one, other] = [
      [refs[a]!.own, ...refs[a]!.references],
      [refs[b]!.own, ...refs[b]!.references],
    ];
    if (one.some((key) => other.includes(key))) return true;
    return Boolean(traits[a] && traits[b] && shareConversation(traits[a], traits[b]));
  };
  const group = mails.map((_, n) => n);
  for (let pass = 0; pass < mails.length; pass += 1)
    for (let a = 0; a < mails.length; a += 1)
      for (let b = 0; b < mails.length; b += 1)
        if (linked(a, b)) group[a] = group[b] = Math.min(group[a]!, group[b]!);
  const groups = new Map<number, string[]>();
  mails.forEach(({ messageId }, n) => groups.set(group[n]!, [...(groups.get(group[n]!) ?? []), messageId]));
  return partitionText([...groups.values()]);
}

/** The same numbers every time (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

function randomMails(count: number, below: (n: number) => number): Mail[] {
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  return Array.from({ length: count }, (_, n): Mail => {
    // Ids up to twice the count: some of what is referred to is never there.
    const ids = Array.from({ length: below(3) }, () => `<${below(2 * count)}@x>`);
    return {
      messageId: `<${n}@x>`,
      references: ids.length > 0 ? ids.join(' ') : null,
      inReplyTo: below(4) === 0 ? `<${below(2 * count)}@x>` : null,
      subject: pick(['Lunch', 'Re: Lunch', 'AW: lunch', 'Dinner', '', 'Re: Dinner']),
      sender: pick([ME, 'alice@x', 'bob@x']),
      recipient: pick([ME, 'alice@x', 'bob@x, alice@x']),
      date: new Date(pick([0, 10, 25, 50, 90]) * DAY),
    };
  });
}

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, index) =>
        permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
      );

describe('ImportThreadsService', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'should find the same conversations in every order and in batches of any size (seed %i)',
    async (seed) => {
      const below = random(seed);
      const mails = randomMails(4, below);
      const expected = conversationsOf(mails);
      for (const order of permutations(mails)) {
        for (const size of [1, 2, 3, 4]) {
          const tables = new Tables();
          for (let start = 0; start < order.length; start += size)
            await tables.take(order.slice(start, start + size));
          expect(tables.partition).toBe(expected);
        }
      }
    },
  );

  it.each(Array.from({ length: 40 }, (_, seed) => 100 + seed))(
    'should find them whatever is interrupted, repeated and cut differently (seed %i)',
    async (seed) => {
      const below = random(seed);
      const mails = randomMails(3 + below(12), below);
      const expected = conversationsOf(mails);
      for (let round = 0; round < 8; round += 1) {
        const tables = new Tables();
        const order = [...mails].sort(() => below(3) - 1);
        for (let start = 0; start < order.length;) {
          const batch = order.slice(start, start + 1 + below(5));
          if (below(3) === 0) await tables.take(batch.slice(0, 1 + below(batch.length)), true);
          if (below(3) === 0) await tables.take(batch, true);
          await tables.take(batch);
          if (below(4) === 0) await tables.take(order.slice(0, 1 + below(start + batch.length)));
          start += batch.length;
        }
        expect(tables.partition).toBe(expected);
      }
    },
  );

  const mail = (messageId: string, day: number, changes: Partial<Mail> = {}): Mail => ({
    messageId,
    references: null,
    inReplyTo: null,
    subject: 'Weekly news',
    sender: 'news@shop.example',
    recipient: ME,
    date: new Date(day * DAY),
    ...changes,
  });

  it('should keep issues of a newsletter apart, and join a reply to mail that no reference names', async () => {
    const tables = new Tables();
    const issues = Array.from({ length: 20 }, (_, n) => mail(`<${n}@news>`, n));
    const lunch = mail('<lunch@x>', 3, { subject: 'Lunch?', sender: 'Alice <alice@x>' });
    const answer = mail('<answer@x>', 4, { subject: 'RE: Lunch?', sender: ME, recipient: 'alice@x' });
    await tables.take([...issues, answer, lunch]);
    expect(new Set([...tables.mails.values()].map(({ threadId }) => threadId)).size).toBe(21);
    expect(tables.mails.get('<answer@x>')!.threadId).toBe(tables.mails.get('<lunch@x>')!.threadId);
  });
});
