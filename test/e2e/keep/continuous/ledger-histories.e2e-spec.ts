import { startTestApp, type TestApp } from '../../../support/app';
import { labelsOf, LedgerFixture } from '../../../support/ledger/ledger-fixture';
import { allowForExamples, fc, holds } from '../../../support/properties';
import type { TestUser } from '../../../support/test-user';

allowForExamples();

const mail = (subject: string): string =>
  `From: Ann <ann@example.test>\r\nTo: me@example.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@x.test>\r\n\r\nhello\r\n`;

const KINDS = [
  'insert',
  'label',
  'trash',
  'untrash',
  'delete',
  'archive',
  'unarchive',
  'exclude',
  'fail',
  'replay',
  'follow',
] as const;
const step = fc.record({ kind: fc.constantFrom(...KINDS), which: fc.nat(1_000) });

describe('Coverage ledger over random histories', () => {
  let app: TestApp;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 1000');
  });
  afterAll(() => app?.close());

  const start = (messages: number): Promise<LedgerFixture> =>
    LedgerFixture.start(app, user, `histories${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  /** What the ledger should say, kept without it. */
  interface Expected {
    /** The mailbox when its history was last followed. */
    labels: Map<string, string[]>;
    readonly archived: Set<string>;
    readonly removed: Set<string>;
    readonly excluded: Set<string>;
    readonly failed: Set<string>;
  }

  const classOf = ({ archived, removed, excluded, failed }: Expected, id: string): string => {
    if (archived.has(id)) return 'archived';
    if (removed.has(id) || excluded.has(id)) return 'excluded';
    return failed.has(id) ? 'failed' : 'pending';
  };

  const check = async (sut: LedgerFixture, expected: Expected): Promise<void> => {
    const rows = await sut.rows();
    expect([...rows].map(([id, row]) => [id, row.labels, row.class])).toEqual(
      [...expected.labels]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, labels]) => [id, labels, classOf(expected, id)]),
    );
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
  };

  const follow = async (sut: LedgerFixture, expected: Expected): Promise<void> => {
    await sut.follow();
    const now = labelsOf(sut.mailbox);
    for (const id of expected.excluded) {
      // Excluded by a label: judged anew when labels change.
      if (String(now.get(id)) !== String(expected.labels.get(id))) expected.excluded.delete(id);
    }
    expected.labels = now;
  };

  it('should match the mailbox as of the cursor after every step', async () => {
    await holds(
      12,
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
        const sut = await start(4);
        const expected: Expected = {
          labels: labelsOf(sut.mailbox),
          archived: new Set(),
          removed: new Set(),
          excluded: new Set(),
          failed: new Set(),
        };
        const since = await sut.follow();
        for (const [number, { kind, which }] of steps.entries()) {
          const ids = sut.mailbox.ids();
          const id = ids[which % Math.max(1, ids.length)];
          const known = [...expected.labels.keys()].filter((one) => classOf(expected, one) !== 'archived');
          const chosen = known[which % Math.max(1, known.length)];
          if (kind === 'insert')
            sut.mailbox.insert(mail(`m${number}`), { labelIds: which % 3 ? ['INBOX'] : [] });
          else if (kind === 'label' && id)
            sut.mailbox.changeLabels(id, { add: ['STARRED'], remove: ['UNREAD'] });
          else if (kind === 'trash' && id)
            sut.mailbox.changeLabels(id, { add: ['TRASH'], remove: ['INBOX'] });
          else if (kind === 'untrash' && id) sut.mailbox.changeLabels(id, { remove: ['TRASH'] });
          else if (kind === 'delete' && id) sut.mailbox.remove(id);
          else if (kind === 'archive' && id) {
            await sut.archive.archive({ messageIds: [id] });
            for (const set of [expected.removed, expected.excluded, expected.failed]) set.delete(id);
            expected.archived.add(id);
          } else if (kind === 'unarchive') {
            const [gone] = [...expected.archived];
            if (gone) {
              await sut.query(
                'DELETE FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = $2',
                gone,
              );
              expected.archived.delete(gone);
              if (expected.labels.has(gone)) expected.removed.add(gone);
            }
          } else if (kind === 'exclude' && chosen) {
            await sut.ledger.exclude(sut.accountId, [{ messageId: chosen, exclusion: 'spam' }]);
            expected.failed.delete(chosen);
            expected.removed.delete(chosen);
            expected.excluded.add(chosen);
          } else if (kind === 'fail' && chosen) {
            await sut.ledger.fail(sut.accountId, [{ messageId: chosen, reason: 'provider-rejected' }]);
            expected.excluded.delete(chosen);
            expected.removed.delete(chosen);
            expected.failed.add(chosen);
          } else if (kind === 'replay') {
            await follow(sut, expected);
            await sut.replay(since);
          } else if (kind === 'follow') await follow(sut, expected);
          // Archiving follows no history: what it wrote for a message that is not there yet comes with it.
          if (kind !== 'replay') await check(sut, expected);
        }
        await follow(sut, expected);
        await check(sut, expected);
      }),
    );
  });

  it('should count each change once when two processes move the cursor', async () => {
    const sut = await start(20);
    const { app: second } = await app.another({ ROLE: 'api' });
    try {
      for (let round = 0; round < 6; round += 1) {
        const [first, other] = sut.mailbox.ids() as [string, string];
        sut.mailbox.insert(mail(`round${round}`));
        sut.mailbox.changeLabels(other, { add: ['STARRED'] });
        sut.mailbox.remove(first);
        await Promise.all([sut.follow(), sut.follow(second), sut.follow(), sut.follow(second)]);
        const rows = await sut.rows();
        expect([...rows.keys()].sort()).toEqual([...sut.mailbox.ids()].sort());
        const { kept, counted } = await sut.totals();
        expect(kept).toEqual(counted);
      }
    } finally {
      await second.close();
    }
  });

  it('should keep archived entries while the history moves on, without a deadlock', async () => {
    const sut = await start(60);
    const ids = sut.mailbox.ids();
    const archiving = Promise.all([
      sut.archive.archive({ messageIds: ids.slice(0, 30) }),
      sut.archive.archive({ messageIds: ids.slice(20, 60) }),
    ]);
    for (let round = 0; round < 15; round += 1) {
      sut.mailbox.changeLabels(ids[round * 2]!, { add: ['STARRED'] });
      await Promise.all([sut.follow(), sut.ledger.leaseDue(sut.accountId, 5)]);
    }
    await archiving;
    await sut.follow();
    const rows = await sut.rows();
    expect([...rows.values()].map((row) => row.class)).toEqual(ids.map(() => 'archived'));
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
  });
});
