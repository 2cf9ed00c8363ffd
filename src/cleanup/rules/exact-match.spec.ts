import { LabelLookup } from '../../mailbox/labels/label-lookup';
import type { RuleActionType, RuleCondition } from './rule';
import { createExactMatcher, MatchedMessage, needsExactMatch } from './exact-match';

const NOW = new Date('2026-03-31T12:00:00Z');
const LABELS = LabelLookup.of([
  { id: 'Label_1', name: 'Work', type: 'user' },
  { id: 'Label_2', name: 'Été/2025', type: 'user' },
]);

const message = (fields: Partial<MatchedMessage> = {}): MatchedMessage => ({
  from: 'News Desk <news@shop.example>',
  to: 'me@home.example',
  subject: 'Your weekly offers',
  sizeEstimate: 1_000,
  internalDate: new Date('2026-01-15T00:00:00Z'),
  labelIds: ['INBOX'],
  hasAttachments: false,
  ...fields,
});

const holds = (condition: [string, string, unknown], fields: Partial<MatchedMessage>): boolean =>
  createExactMatcher([condition].map(toCondition), LABELS, NOW)(message(fields));

const toCondition = ([field, operator, value]: [string, string, unknown]): RuleCondition =>
  ({ field, operator, value }) as RuleCondition;

describe('createExactMatcher', () => {
  it.each<[string, string, string, boolean]>([
    // addresses
    ['news@shop.example', 'News Desk <news@shop.example>', 'equals', true],
    ['NEWS@Shop.Example', 'News Desk <news@shop.example>', 'equals', true],
    [' News <news@shop.example> ', 'News Desk <news@shop.example>', 'equals', true],
    ['news@shop.example', 'news@shop.example', 'equals', true],
    ['news@shop.example', 'bad.news@shop.example', 'equals', false],
    ['news@shop.example', 'News <news@shop.example.org>', 'equals', false],
    ['news@shop.example', '"news@shop.example" <other@evil.example>', 'equals', false],
    ['news@shop.example', 'News <news+spring@shop.example>', 'equals', false],
    // names
    ['News Desk', 'News Desk <news@shop.example>', 'equals', true],
    ['news   desk', '"News Desk" <news@shop.example>', 'equals', true],
    ['News', 'News Desk <news@shop.example>', 'equals', false],
    ['News Desk Daily', 'News Desk <news@shop.example>', 'equals', false],
    ['Doe, John', 'Doe, John <john@home.example>', 'equals', true],
    ['Doe, John', '"Doe, John" <john@home.example>', 'equals', true],
    // negatives
    ['news@shop.example', 'News Desk <news@shop.example>', 'not_equals', false],
    ['news@shop.example', 'bad.news@shop.example', 'not_equals', true],
    ['shop.example', 'News Desk <news@shop.example>', 'not_contains', false],
    ['shop', 'Bishop <b@church.example>', 'not_contains', false],
    ['shop', 'Bank <b@bank.example>', 'not_contains', true],
    // words
    ['news', 'News Desk <n@shop.example>', 'contains', true],
    ['news@shop.example', 'News Desk <news@shop.example>', 'contains', true],
    ['shop example', 'News Desk <news@shop.example>', 'contains', true],
    ['new', 'News Desk <news@shop.example>', 'contains', false],
    ['été', 'Ete Promo <e@shop.example>', 'contains', true],
    // signs the search passes over
    ['john+news@home.example', 'John <john+news@home.example>', 'contains', true],
    ['john+news@home.example', 'John <john.news@home.example>', 'contains', false],
    ['john.news@home.example', 'John <john-news@home.example>', 'contains', false],
    ['John <JOHN.news@home.example>', '"John" <john.news@home.example>', 'contains', true],
    ['shop.example', 'News <n@mail.shop.example>', 'contains', true],
    ['shop.example', 'News <n@shop-example.org>', 'contains', false],
    ['AT&T', 'AT & T Mobile <a@b.example>', 'contains', true],
    ['AT&T', 'Look at t-shirts <a@b.example>', 'contains', false],
  ])('from %j of %j: %s %s', (value, from, operator, expected) => {
    expect(holds(['from', operator, value], { from })).toBe(expected);
  });

  it.each<[string, string, string, boolean]>([
    ['b@home.example', 'A <a@home.example>, B <B@home.example>', 'equals', true],
    ['b@home.example', 'A <a@home.example>, bb@home.example', 'equals', false],
    ['B', 'A <a@home.example>, B <b@home.example>', 'equals', true],
    ['東京', '東京 <a@home.example>, B <b@home.example>', 'equals', true],
    ['b@home.example', 'A <a@home.example>, B <b@home.example>', 'not_equals', false],
    ['b@home.example', 'A <a@home.example>', 'not_equals', true],
    ['home', 'A <a@home.example>', 'not_contains', false],
    ['work', 'A <a@home.example>', 'not_contains', true],
    // The provider also searches Cc and Bcc, which are not read here.
    ['a recipient in copy', 'A <a@home.example>', 'contains', true],
    // The search does not look for a word that it takes for the account itself.
    ['me', 'A <a@home.example>', 'contains', false],
    ['"Me"', 'me@home.example', 'contains', true],
  ])('to %j of %j: %s %s', (value, to, operator, expected) => {
    expect(holds(['to', operator, value], { to })).toBe(expected);
  });

  it.each<[string, string, string, boolean]>([
    ['Your weekly offers', 'your  WEEKLY\toffers ', 'equals', true],
    ['Your weekly offers', 'Re: Your weekly offers', 'equals', false],
    ['Your weekly offers', 'Your weekly offers!', 'equals', false],
    ['Été', 'Ete', 'equals', false],
    ['Your weekly offers', 'Your weekly offer', 'not_equals', true],
    ['Your weekly offers', 'YOUR WEEKLY OFFERS', 'not_equals', false],
    ['invoice', 'Your invoices', 'contains', false],
    ['invoice', 'Re: [Invoice] 2026-17', 'contains', true],
    ['invoice 2026', 'Re: [Invoice] 2026-17', 'contains', true],
    ['2026 invoice', 'Re: [Invoice] 2026-17', 'contains', false],
    ['resume', 'Résumé attached', 'contains', true],
    ['請求', '請求書のお知らせ', 'contains', true],
    ['請求', '請求書のお知らせ', 'not_contains', false],
    ['STRASSE', 'Straße 7', 'contains', true],
    ['C++', 'Learn c++ now', 'contains', true],
    ['C++', 'Plan C', 'contains', false],
    ['50%', 'Save 50 % today', 'contains', true],
    ['50%', '50 photos and 100%', 'contains', false],
    ['50%', 'Save 150%', 'contains', false],
    ['$5', 'Only ＄5', 'contains', true],
    ['$5', 'Room 5', 'contains', false],
    ['#1', 'Ticket 1', 'contains', false],
    ['請求 #1', '新しい請求 #1', 'contains', true],
    ['v1.2', 'Release v1.2.3', 'contains', true],
    ['v1.2', 'Release v1-2', 'contains', false],
    ['Black-Friday', 'Black Friday', 'contains', true],
    ['invoice', 'Your invoices', 'not_contains', false],
    ['invoice', 'Facture', 'not_contains', true],
    ['résumé', 'Your RESUME', 'not_contains', false],
  ])('subject %j of %j: %s %s', (value, subject, operator, expected) => {
    expect(holds(['subject', operator, value], { subject })).toBe(expected);
  });

  it.each<[string, [string, string, unknown], Partial<MatchedMessage>, boolean]>([
    ['attachment', ['has_attachment', 'is_true', true], { hasAttachments: true }, true],
    ['no attachment', ['has_attachment', 'is_true', true], { hasAttachments: false }, false],
    ['none wanted', ['has_attachment', 'is_true', false], { hasAttachments: false }, true],
    ['one where none is wanted', ['has_attachment', 'is_true', false], { hasAttachments: true }, false],
    ['larger', ['size_gt', 'gt', 999], {}, true],
    ['not larger but equal', ['size_gt', 'gt', 1_000], {}, false],
    ['smaller', ['size_lt', 'lt', 1_001], {}, true],
    ['not smaller but equal', ['size_lt', 'lt', 1_000], {}, false],
    ['label by id', ['label', 'equals', 'Label_1'], { labelIds: ['Label_1'] }, true],
    ['label by name', ['label', 'equals', 'work'], { labelIds: ['Label_1'] }, true],
    ['label that looks alike', ['label', 'equals', 'Été/2025'], { labelIds: ['Label_1'] }, false],
    ['not the label', ['label', 'not_equals', 'Work'], { labelIds: ['INBOX'] }, true],
    ['the label it must not be', ['label', 'not_equals', 'Work'], { labelIds: ['Label_1'] }, false],
    ['a deleted label', ['label', 'equals', 'Gone'], { labelIds: ['Gone'] }, false],
    ['not a deleted label', ['label', 'not_equals', 'Gone'], {}, false],
    ['old enough', ['older_than', 'equals', '1m'], { internalDate: new Date('2026-02-28T11:59:59Z') }, true],
    ['as old', ['older_than', 'equals', '1m'], { internalDate: new Date('2026-02-28T12:00:00Z') }, false],
    [
      'old enough for one calendar only',
      ['older_than', 'equals', '1m'],
      { internalDate: new Date('2026-03-01T12:00:00Z') },
      false,
    ],
    ['new enough', ['newer_than', 'equals', '1m'], { internalDate: new Date('2026-03-04T00:00:00Z') }, true],
    [
      'new enough for one calendar only',
      ['newer_than', 'equals', '1m'],
      { internalDate: new Date('2026-03-02T12:00:00Z') },
      false,
    ],
    ['no age', ['older_than', 'equals', 'long ago'], { internalDate: new Date(0) }, false],
  ])('%s', (_case, condition, fields, expected) => {
    expect(holds(condition, fields)).toBe(expected);
  });

  it('should require every condition to match', () => {
    const conditions = [
      toCondition(['from', 'equals', 'news@shop.example']),
      toCondition(['subject', 'not_contains', 'receipt']),
    ];
    const matches = createExactMatcher(conditions, LABELS, NOW);
    expect(matches(message())).toBe(true);
    expect(matches(message({ subject: 'Your receipt' }))).toBe(false);
    expect(matches(message({ from: 'x@shop.example' }))).toBe(false);
  });

  it.each<[string, string, string[], boolean]>([
    ['label', 'INBOX', ['INBOX', 'TRASH'], false],
    ['label', 'INBOX', ['INBOX', 'SPAM'], false],
    ['label', 'spam', ['SPAM'], true],
    ['label', 'Trash', ['TRASH'], true],
    ['label', 'TRASH', ['TRASH', 'SPAM'], false],
  ])('should ignore spam and trash unless asked: %s %s with %j', (field, value, labelIds, expected) => {
    expect(holds([field, 'equals', value], { labelIds })).toBe(expected);
  });
});

describe('needsExactMatch', () => {
  const needs = (type: RuleActionType, ...conditions: [string, string, unknown][]): boolean =>
    needsExactMatch({ conditions: conditions.map(toCondition), action: { type } }, LABELS);

  it.each<RuleActionType>(['trash', 'delete'])('should always be true before %s', (type) => {
    expect(needs(type, ['label', 'equals', 'INBOX'])).toBe(true);
  });

  it.each<[boolean, [string, string, unknown]]>([
    [false, ['from', 'contains', 'news']],
    [false, ['has_attachment', 'is_true', true]],
    [true, ['has_attachment', 'is_true', false]],
    [false, ['size_gt', 'gt', 5]],
    [false, ['older_than', 'equals', '30d']],
    [false, ['label', 'equals', 'INBOX']],
    [true, ['from', 'contains', 'me']],
    [true, ['to', 'contains', ' "ME"']],
    [false, ['subject', 'contains', 'me']],
    [true, ['label', 'equals', 'Work']],
    [true, ['label', 'not_equals', 'INBOX']],
    [true, ['from', 'equals', 'a@b.example']],
    [true, ['to', 'not_equals', 'a@b.example']],
    [true, ['subject', 'not_contains', 'receipt']],
  ])('should be %s before a harmless action when %j', (expected, condition) => {
    expect(needs('mark_read', condition)).toBe(expected);
  });
});
