import {
  DEFAULT_EXCLUSIONS,
  judge,
  ledgerName,
  type MessageFacts,
  parseExclusion,
  parseExclusions,
} from './exclusion';

const NOW = new Date('2026-05-04T12:00:00Z');
const HOUR = 3_600_000;

const facts = (changes: Partial<MessageFacts> = {}): MessageFacts => ({
  labelIds: ['INBOX'],
  sender: 'news@shop.example',
  sizeBytes: 20_000,
  date: new Date('2026-05-01T12:00:00Z'),
  ...changes,
});

const verdict = (texts: readonly string[], changes: Partial<MessageFacts> = {}) =>
  judge(parseExclusions(texts), facts(changes), NOW);

describe('parseExclusion', () => {
  it.each([
    ['spam', { kind: 'label', labelId: 'SPAM' }],
    ['trash', { kind: 'label', labelId: 'TRASH' }],
    ['drafts', { kind: 'label', labelId: 'DRAFT' }],
    ['label:Label_12', { kind: 'label', labelId: 'Label_12' }],
    ['sender:News@Shop.example', { kind: 'sender', sender: 'news@shop.example' }],
    ['sender:@shop.example', { kind: 'sender', sender: '@shop.example' }],
    ['larger_than:25000000', { kind: 'larger_than', bytes: 25_000_000 }],
    ['older_than:365d', { kind: 'older_than', ms: 365 * 24 * HOUR }],
    ['younger_than:48h', { kind: 'younger_than', ms: 48 * HOUR }],
  ])('should read %s', (text, expected) => {
    expect(parseExclusion(text)).toEqual({ ...expected, text });
  });

  it.each([
    '',
    'Spam',
    'constructor',
    'label:',
    `label:${'x'.repeat(256)}`,
    'label:a\u0000b',
    'label:a\nb',
    'sender:shop.example',
    'sender:a b@shop.example',
    'sender:@',
    `sender:@${'x'.repeat(320)}`,
    'larger_than:0',
    'larger_than:1.5',
    'larger_than:-1',
    'larger_than:9999999999999',
    'older_than:10',
    'older_than:0d',
    'older_than:36501d',
    'younger_than:1w',
    'smaller_than:5',
  ])('should refuse %j', (text) => {
    expect(parseExclusion(text)).toBeNull();
  });

  it('should read its defaults', () => {
    expect(parseExclusions(DEFAULT_EXCLUSIONS)).toHaveLength(3);
  });
});

describe('ledgerName', () => {
  it('should be the text, cut to the maximum length in the ledger', () => {
    const longest = `sender:@${'x'.repeat(56)}`;
    expect(ledgerName(longest)).toBe(longest);
    expect(ledgerName(`${longest}x`)).toBe(`${longest.slice(0, 63)}…`);
  });
});

describe('judge', () => {
  it.each([
    ['spam', { labelIds: ['SPAM'] }, { labelIds: ['INBOX'] }],
    ['trash', { labelIds: ['TRASH', 'INBOX'] }, {}],
    ['drafts', { labelIds: ['DRAFT'] }, {}],
    ['label:Label_1', { labelIds: ['INBOX', 'Label_1'] }, { labelIds: ['Label_12'] }],
    ['sender:news@shop.example', { sender: 'NEWS@Shop.example' }, { sender: 'other@shop.example' }],
    ['sender:@shop.example', { sender: 'x@SHOP.example' }, { sender: 'x@mail.shop.example' }],
    ['sender:@shop.example', {}, { sender: '' }],
    ['larger_than:20000', { sizeBytes: 20_001 }, { sizeBytes: 20_000 }],
    ['older_than:72h', { date: new Date(NOW.getTime() - 72 * HOUR - 1) }, {}],
    ['younger_than:72h', { date: new Date(NOW.getTime() - 72 * HOUR + 1) }, {}],
  ])('should exclude by %s only what matches', (text, matching, other) => {
    expect(verdict([text], matching)).toMatchObject({ kind: 'exclude', exclusion: text });
    expect(verdict([text], other)).toEqual({ kind: 'copy' });
  });

  it('should name the first exclusion that matches', () => {
    const texts = ['larger_than:1', 'sender:@shop.example', 'label:INBOX'];
    expect(verdict(texts)).toMatchObject({ exclusion: 'larger_than:1' });
    expect(verdict(texts.toReversed())).toMatchObject({ exclusion: 'label:INBOX' });
  });

  it.each([
    ['sender:@shop.example', { sender: null }],
    ['larger_than:1', { sizeBytes: null }],
    ['older_than:1d', { date: null }],
    ['younger_than:1d', { date: null }],
  ])('should require %s to be fetched while its values are unknown', (text, unknown) => {
    expect(verdict([text], unknown)).toEqual({ kind: 'unknown' });
    expect(verdict([text, 'spam'], unknown)).toEqual({ kind: 'unknown' });
    // Another one settles it without a fetch.
    expect(verdict([text, 'label:INBOX'], unknown)).toMatchObject({ exclusion: 'label:INBOX' });
  });

  it('should return when a grace period ends, and judge later mail again', () => {
    const date = new Date('2026-05-03T12:00:00Z');
    const end = new Date('2026-05-05T12:00:00Z');
    const texts = ['younger_than:2d', 'label:Label_1'];
    expect(verdict(texts, { date })).toEqual({ kind: 'exclude', exclusion: 'younger_than:2d', until: end });
    expect(judge(parseExclusions(texts), facts({ date }), end)).toEqual({ kind: 'copy' });
    expect(judge(parseExclusions(texts), facts({ date, labelIds: ['Label_1'] }), end)).toEqual({
      kind: 'exclude',
      exclusion: 'label:Label_1',
      until: null,
    });
  });

  it('should copy everything without exclusions, and skip unknown exclusions', () => {
    expect(verdict([])).toEqual({ kind: 'copy' });
    expect(verdict(['of_a_later_version:1'])).toEqual({ kind: 'copy' });
  });
});
