import type { SampledMessage } from '../../mailbox/index/indexed-messages';
import { MessageFlag } from '../../mailbox/index/message-columns';
import { mailboxStats, StatsOptions } from './mailbox-stats';

let ids = 0;

function aMessage(fields: Partial<SampledMessage> = {}): SampledMessage {
  return {
    id: `m${(ids += 1)}`,
    internalDate: new Date('2025-11-21T08:00:00Z'),
    subject: 'Hello',
    from: 'Grace <grace@example.org>',
    senderEmail: 'grace@example.org',
    senderName: 'Grace',
    sizeEstimate: 1_000,
    labelIds: ['INBOX'],
    flags: 0,
    ...fields,
  };
}

const from = (senderEmail: string, senderName = '', fields: Partial<SampledMessage> = {}): SampledMessage =>
  aMessage({ senderEmail, senderName, ...fields });
const on = (internalDate: string): SampledMessage => aMessage({ internalDate: new Date(internalDate) });

const OPTIONS: StatsOptions = { ownEmail: 'Me@Example.org', labels: [], limit: 20, timeZone: 'UTC' };
const sut = (
  sample: SampledMessage[],
  options: Partial<StatsOptions> = {},
): ReturnType<typeof mailboxStats> => mailboxStats(sample, { ...OPTIONS, ...options });

describe('mailboxStats', () => {
  it('should be all zeros and empty lists for an empty mailbox', () => {
    expect(sut([])).toEqual({
      totalMessages: 0,
      unreadCount: 0,
      totalSizeBytes: 0,
      bySender: [],
      biggestMails: [],
      byLabel: [],
      timeline: [],
    });
  });

  it('should count messages, unread ones and bytes', () => {
    const unread = MessageFlag.Unread | MessageFlag.Inbox;
    expect(
      sut([aMessage({ flags: unread, sizeEstimate: 5 }), aMessage({ flags: MessageFlag.Inbox })]),
    ).toMatchObject({ totalMessages: 2, unreadCount: 1, totalSizeBytes: 1_005 });
  });

  describe('bySender', () => {
    it.each<[string, SampledMessage[], [string, number, number][]]>([
      [
        'group by address and put the most frequent first',
        [from('a@x.org', 'A'), from('b@x.org', 'B'), from('b@x.org', 'B')],
        [
          ['B <b@x.org>', 2, 2_000],
          ['A <a@x.org>', 1, 1_000],
        ],
      ],
      [
        'put the larger first among equally frequent ones',
        [from('a@x.org'), from('b@x.org', '', { sizeEstimate: 1_001 })],
        [
          ['b@x.org', 1, 1_001],
          ['a@x.org', 1, 1_000],
        ],
      ],
      [
        'take the newest display name there is',
        [from('a@x.org'), from('a@x.org', 'New'), from('a@x.org', 'Old')],
        [['New <a@x.org>', 3, 3_000]],
      ],
      [
        'leave out the account itself, by address or by label',
        [from('me@example.org', 'Me'), from('alias@x.org', 'Me', { flags: MessageFlag.Own })],
        [],
      ],
      ['leave out messages without an address', [from('', 'undisclosed')], []],
    ])('should %s', (_, sample, expected) => {
      expect(sut(sample).bySender.map(({ sender, count, sizeBytes }) => [sender, count, sizeBytes])).toEqual(
        expected,
      );
    });

    it('should respect the limit', () => {
      const sample = ['a@x.org', 'b@x.org', 'c@x.org'].map((email) => from(email));
      expect(sut(sample, { limit: 2 }).bySender.map(({ sender }) => sender)).toEqual(['a@x.org', 'b@x.org']);
    });
  });

  it('should list the largest messages, newer ones first among equals', () => {
    const [newer, large, older] = [aMessage(), aMessage({ sizeEstimate: 9_000 }), aMessage()];
    expect(sut([newer, large, older]).biggestMails).toEqual([large, newer, older]);
    expect(sut([newer, large, older], { limit: 1 }).biggestMails).toEqual([large]);
  });

  it('should show names for user labels, and ids for system and unknown labels, most frequent first', () => {
    const labels = [
      { id: 'INBOX', name: 'Inbox', type: 'system' as const },
      { id: 'Label_1', name: 'Receipts/2025', type: 'user' as const },
      { id: 'Label_9', name: 'Unused', type: 'user' as const },
    ];
    const sample = [['INBOX', 'Label_1'], ['INBOX', 'Label_2'], ['Label_1', 'INBOX'], []];
    expect(
      sut(
        sample.map((labelIds) => aMessage({ labelIds })),
        { labels },
      ).byLabel,
    ).toEqual([
      { label: 'INBOX', count: 3 },
      { label: 'Receipts/2025', count: 2 },
      { label: 'Label_2', count: 1 },
    ]);
  });

  describe('timeline', () => {
    const months = (sample: SampledMessage[], timeZone = 'UTC'): [string, number][] =>
      sut(sample, { timeZone }).timeline.map(({ month, count }) => [month, count]);

    it('should contain every month between the first and the last, in ascending order', () => {
      expect(
        months([on('2026-02-28T23:59:59.999Z'), on('2025-11-01T00:00:00Z'), on('2025-11-30T12:00:00Z')]),
      ).toEqual([
        ['2025-11', 2],
        ['2025-12', 0],
        ['2026-01', 0],
        ['2026-02', 1],
      ]);
    });

    it.each([
      ['UTC', '2025-11'],
      ['Europe/Paris', '2025-12'],
      ['America/New_York', '2025-11'],
    ])('should start months in the time zone %s', (timeZone, month) => {
      expect(months([on('2025-11-30T23:30:00Z')], timeZone)).toEqual([[month, 1]]);
    });
  });
});
