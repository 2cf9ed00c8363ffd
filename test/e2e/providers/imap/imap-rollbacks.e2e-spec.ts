import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import { headerFields, messageKey } from '../../../../src/providers/imap/messages/imap-message';
import type { LabelChange } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { FickleAccount } from '../../../support/imap/fickle-account';
import { type FickleFolder, flagsOf, gmailIdOf } from '../../../support/imap/fickle-mailbox';
import { plainMail } from '../../../support/imap/plain-mail';
import { allowForExamples, fc, holds } from '../../../support/properties';

allowForExamples();

const keyOf = (raw: Buffer): string =>
  messageKey(headerFields(raw.subarray(0, raw.indexOf('\r\n\r\n'))), raw.length);
const UNAVAILABLE = { code: 'provider-unavailable' };

type Write = 'read' | 'star' | 'label' | 'archive' | 'trash' | 'starAndTrash' | 'delete';
const CHANGES: Readonly<Record<Exclude<Write, 'label' | 'delete'>, LabelChange>> = {
  read: { add: [], remove: ['UNREAD'] },
  star: { add: ['STARRED'], remove: [] },
  archive: { add: [], remove: ['INBOX'] },
  trash: { add: ['TRASH'], remove: ['INBOX'] },
  starAndTrash: { add: ['STARRED', 'TRASH'], remove: ['INBOX'] },
};
const WRITES: readonly Write[] = ['read', 'star', 'label', 'archive', 'trash', 'starAndTrash', 'delete'];

describe('A change of messages on an IMAP server that goes back to an earlier state', () => {
  let sut: TestApp;
  let account: FickleAccount;
  let workLabel: string;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());

  const inbox = (): FickleFolder => account.mailbox.folder('INBOX');
  const write = (kind: Write, ...ids: string[]): Promise<void> => {
    if (kind === 'delete') return account.delete(...ids);
    return account.change(ids, kind === 'label' ? { add: [workLabel], remove: [] } : CHANGES[kind]);
  };
  const written = (): Buffer[] => account.mailbox.written.map(({ raw }) => raw);
  /** Connects a mailbox with these messages in its INBOX, and looks at it. */
  const connect = async (capabilities: readonly string[], raws: readonly Buffer[]): Promise<void> => {
    account = await FickleAccount.connect(sut);
    for (const name of capabilities) account.mailbox.capabilities.add(name);
    for (const path of ['Work', 'Archive', 'Trash']) account.mailbox.folder(path);
    inbox().add(...raws);
    await account.look();
    workLabel = (await account.folder('Work')).labelId!;
    account.mailbox.commands.length = 0;
  };

  describe.each([
    ['with', ['MOVE']],
    ['without', []],
  ])('%s MOVE', (_offer, capabilities) => {
    let raws: Buffer[];
    beforeEach(async () => {
      raws = [1, 2, 3, 4, 5].map((number) => plainMail(number));
      await connect(capabilities, raws);
    });

    it.each(
      WRITES.flatMap((kind) => [
        { kind, when: 'UIDNEXT shows it', come: [9] },
        { kind, when: 'more have come since', come: [9, 10, 11] },
      ]),
    )('should not be applied to other messages when $when: $kind', async ({ kind, come }) => {
      inbox().rollBack(4);
      inbox().add(...come.map((number) => plainMail(number)));
      await expect(write(kind, keyOf(raws[3]!))).rejects.toMatchObject(UNAVAILABLE);
      expect(written()).toEqual([]);
      await account.look();
      await write(kind, keyOf(raws[3]!), keyOf(raws[2]!));
      expect(written().every((raw) => raw.equals(raws[2]!))).toBe(true);
      expect(written()).not.toEqual([]);
    });

    it('should not be applied to messages that arrive under known UIDs while the folder is open', async () => {
      inbox().rollBack(4);
      account.mailbox.beforeCommand = (command) => {
        if (command === 'STORE') inbox().add(plainMail(9), plainMail(10), plainMail(11));
      };
      const moved = write('starAndTrash', keyOf(raws[2]!), keyOf(raws[3]!), keyOf(raws[4]!));
      await expect(moved).rejects.toMatchObject(UNAVAILABLE);
      expect(written()).toEqual([]);
    });

    it.each(WRITES)('should not be applied to other messages when the newest have gone: %s', async (kind) => {
      inbox().rollBack(2);
      inbox().add(...[9, 10, 11, 12, 13, 14].map((number) => plainMail(number)));
      for (const uid of [3, 4, 5, 6, 7]) inbox().remove(uid);
      await expect(write(kind, keyOf(raws[1]!))).rejects.toMatchObject(UNAVAILABLE);
      expect(written()).toEqual([]);
    });
  });

  it('should cost one more small FETCH, and only where a folder is opened for it', async () => {
    await connect(
      ['MOVE'],
      [1, 2, 3].map((number) => plainMail(number)),
    );
    await write('read', keyOf(plainMail(1)));
    expect(account.mailbox.commands).toEqual(['SELECT', 'FETCH', 'STORE']);
    account.mailbox.commands.length = 0;
    await account.change([keyOf(plainMail(1)), keyOf(plainMail(2))], {
      add: ['STARRED', 'TRASH'],
      remove: ['UNREAD', 'INBOX'],
    });
    expect(account.mailbox.commands).toEqual(['SELECT', 'FETCH', 'STORE', 'STORE', 'MOVE']);
  });

  describe('that the gateway repeats', () => {
    let raws: Buffer[];
    const FAILURES = {
      'before its folder is opened': 'SELECT',
      'before its messages are compared': 'FETCH',
    };

    beforeEach(() => {
      raws = [1, 2, 3].map((number) => plainMail(number));
      sut.tune(GatewayTimings, { firstBackoffMs: 1, minBackoffMs: 1 });
    });

    it.each(
      WRITES.flatMap((kind) => Object.entries(FAILURES).map(([when, command]) => ({ kind, when, command }))),
    )(
      'should be applied to its messages at their new UIDs: $kind, renumbered $when',
      async ({ kind, command }) => {
        await connect(['MOVE'], raws);
        account.usesGateway = true;
        account.mailbox.dropsConnections = true;
        let renumbered = 0;
        account.mailbox.beforeCommand = (said) => {
          if (said !== command || renumbered > 0) return;
          renumbered += 1;
          inbox().renumber(8);
        };
        // The first message has the UID of the last now.
        await write(kind, keyOf(raws[0]!));
        expect(renumbered).toBe(1);
        expect(written().length).toBeGreaterThan(0);
        for (const raw of written()) expect(keyOf(raw)).toBe(keyOf(raws[0]!));
      },
    );

    it('should not affect reading the bytes of a message from its new UID', async () => {
      await connect(['MOVE'], raws);
      account.usesGateway = true;
      account.mailbox.dropsConnections = true;
      let fetches = 0;
      account.mailbox.beforeCommand = (said) => {
        if (said === 'FETCH' && (fetches += 1) === 1) inbox().renumber(8);
      };
      expect((await account.read(keyOf(raws[0]!))).bytes.equals(raws[0]!)).toBe(true);
      expect(fetches).toBeGreaterThan(1);
    });
  });

  it.each([
    ['with', ['MOVE']],
    ['without', []],
  ])(
    'should know where messages are when their target has gone back, %s MOVE',
    async (_offer, capabilities) => {
      const raw = plainMail(1);
      await connect(capabilities, [raw]);
      const trash = account.mailbox.folder('Trash');
      trash.uidValidity = 8;
      trash.add(plainMail(2), plainMail(3));
      await account.look();
      trash.rollBack(1);
      await write('trash', keyOf(raw));
      expect([...trash.messages.values()]).toEqual([raw]);
      expect((await account.at('Trash', 1, 2, 3)).map(({ messageId }) => messageId)).toEqual([keyOf(raw)]);
      expect(await account.at('INBOX', 1)).toEqual([]);
    },
  );

  it('should only ever touch its own messages, whatever the server does between two commands', async () => {
    type Trick = 'move' | 'expunge' | 'renew' | 'rollBack' | 'truncate' | 'deliver' | 'nothing';
    const trick = fc.constantFrom<Trick[]>(
      ...(['move', 'expunge', 'renew', 'rollBack', 'truncate', 'deliver', 'deliver'] as const),
      'nothing',
      'nothing',
    );
    const step = fc.record({ kind: fc.constantFrom(...WRITES), message: fc.nat({ max: 5 }) });
    await holds(
      80,
      fc.asyncProperty(
        fc.array(trick, { minLength: 2, maxLength: 16 }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (tricks, steps, offersMove) => {
          const raws = [1, 2, 3, 4, 5, 6].map((number) => plainMail(number));
          await connect(offersMove ? ['MOVE'] : [], raws);
          account.mailbox.dropsConnections = true;
          let delivered = 10;
          const play: Record<Trick, () => void> = {
            move: () => {
              const [uid] = inbox().uids;
              if (uid) account.mailbox.folder('Work').add(inbox().remove(uid)!);
            },
            expunge: () => void inbox().remove(inbox().uids.at(-1) ?? 0),
            renew: () => inbox().renumber(inbox().uidValidity + 1),
            rollBack: () => {
              inbox().rollBack(Math.max(1, inbox().uidNext - 3));
              inbox().add(...[1, 2].map(() => plainMail((delivered += 1))));
            },
            truncate: () => inbox().rollBack(Math.max(1, inbox().uidNext - 2)),
            deliver: () => inbox().add(plainMail((delivered += 1))),
            nothing: () => undefined,
          };
          const left = [...tricks];
          account.mailbox.beforeCommand = () => play[left.shift() ?? 'nothing']();
          for (const { kind, message } of steps) {
            const ids = [keyOf(raws[message]!), keyOf(raws[(message + 2) % raws.length]!)];
            account.mailbox.written.length = 0;
            try {
              await write(kind, ...ids);
            } catch (error) {
              if ((error as { code?: string }).code !== UNAVAILABLE.code) throw error;
              await account.look().catch(() => undefined);
            }
            for (const raw of written()) expect(ids).toContain(keyOf(raw));
          }
        },
      ),
    );
  });

  describe('at Gmail', () => {
    let raws: Buffer[];
    const allMail = (): FickleFolder => account.mailbox.folder('[Gmail]/All Mail');

    beforeEach(async () => {
      raws = [1, 2, 3, 4, 5].map((number) => plainMail(number));
      account = await FickleAccount.connect(sut, { gmailLabels: true });
      const { mailbox } = account;
      mailbox.capabilities.add('MOVE');
      mailbox.attributes
        .set('[Gmail]/All Mail', ['\\all'])
        .set('[Gmail]/Trash', ['\\trash'])
        .set('[Gmail]/Spam', ['\\junk']);
      for (const path of ['[Gmail]/All Mail', '[Gmail]/Trash', '[Gmail]/Spam']) mailbox.folder(path);
      allMail().add(...raws);
      await account.look();
    });

    it.each<[string, LabelChange]>([
      ['flags', { add: ['STARRED'], remove: ['UNREAD'] }],
      ['labels', { add: ['INBOX'], remove: [] }],
      ['the trash', { add: ['TRASH'], remove: [] }],
    ])('should not be applied to other messages: %s', async (_what, change) => {
      allMail().rollBack(4);
      allMail().add(...[9, 10, 11].map((number) => plainMail(number)));
      await expect(account.change([gmailIdOf(raws[3]!)], change)).rejects.toMatchObject(UNAVAILABLE);
      expect(written()).toEqual([]);
      await account.look();
      await account.change([gmailIdOf(raws[3]!), gmailIdOf(raws[2]!)], change);
      expect(written().map((raw) => gmailIdOf(raw))).toContain(gmailIdOf(raws[2]!));
      expect(written().every((raw) => raw.equals(raws[2]!))).toBe(true);
    });

    it('should not report messages as deleted that another program has moved', async () => {
      const ids = [gmailIdOf(raws[0]!), gmailIdOf(raws[1]!)];
      account.mailbox.folder('[Gmail]/Spam').add(allMail().remove(1)!);
      await account.delete(...ids);
      const told = (await account.told()).filter(({ kind }) => kind === 'deleted');
      expect(told.map(({ messageId }) => messageId)).toEqual([ids[1]]);
      expect(flagsOf(raws[0]!)).toEqual([]);
      expect(account.mailbox.folder('[Gmail]/Spam').messages.size).toBe(1);
    });
  });
});
