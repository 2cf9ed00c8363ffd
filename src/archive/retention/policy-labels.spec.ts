import { needsProviderLabels, resolveLabels } from './policy-labels';
import { ArchivedLabel } from '../mails/archived-mails.service';

const ids = (...values: string[]): ArchivedLabel[] => values.map((value) => ({ value, isId: true }));
const names = (...values: string[]): ArchivedLabel[] => values.map((value) => ({ value, isId: false }));
const mailbox = [
  { id: 'INBOX', name: 'INBOX', type: 'system' },
  { id: 'Label_1', name: 'Work', type: 'user' },
  { id: 'Label_2', name: 'E\u0301te\u0301', type: 'user' },
  { id: 'Label_3', name: 'Updates', type: 'user' },
  { id: 'Label_4', name: 'Label_1', type: 'user' },
  { id: 'Label_5', name: 'label_6', type: 'user' },
] as const;
const archived = [
  ...ids('INBOX', 'SENT', 'DRAFT', 'CATEGORY_PROMOTIONS', 'CATEGORY_UPDATES', 'CATEGORY_PERSONAL'),
  ...ids('Label_1', 'Label_2', 'Label_3', 'Label_4', 'Label_5', 'Label_6'),
  ...names('Inbox', '\\Sent', 'Drafts', 'Category Promotions', 'WORK', 'work', '\u00e9t\u00e9', 'Personal'),
];

describe('resolveLabels', () => {
  it.each<[string, string[]]>([
    ['Label_1', ['Label_1']],
    ['label_1', ['Label_4']],
    ['Label_6', ['Label_6']],
    ['label_6', ['Label_5']],
    ['work', ['Label_1', 'WORK', 'work']],
    [' Work ', ['Label_1', 'WORK', 'work']],
    ['\u00c9t\u00e9', ['Label_2', '\u00e9t\u00e9']],
    ['inbox', ['INBOX', 'Inbox']],
    ['SENT', ['SENT', '\\Sent']],
    ['draft', ['DRAFT', 'Drafts']],
    ['CATEGORY_PROMOTIONS', ['CATEGORY_PROMOTIONS', 'Category Promotions']],
    ['category_promotions', ['CATEGORY_PROMOTIONS', 'Category Promotions']],
    ['promotions', ['CATEGORY_PROMOTIONS', 'Category Promotions']],
    // The mailbox has a label of that name itself.
    ['updates', ['Label_3']],
    ['CATEGORY_UPDATES', ['CATEGORY_UPDATES']],
    // No short name of the category that holds most mail.
    ['personal', ['Personal']],
    ['CATEGORY_PERSONAL', ['CATEGORY_PERSONAL']],
    ['forums', []],
    ['nonsense', []],
    ['', []],
    ['%', []],
  ])('should resolve %j to %j', (label, expected) => {
    expect(resolveLabels(label, archived, mailbox)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['Label_1', ['Label_1']],
    ['label_1', []],
    ['work', ['WORK', 'work']],
    ['inbox', ['INBOX', 'Inbox']],
    ['CATEGORY_PROMOTIONS', ['CATEGORY_PROMOTIONS', 'Category Promotions']],
    // It may be a label of the mailbox.
    ['promotions', []],
  ])('should resolve %j only to what is certain, %j, when the mailbox is unavailable', (label, expected) => {
    expect(resolveLabels(label, archived, null)).toEqual(expected);
  });

  it.each([
    ['INBOX', false],
    ['category_social', false],
    ['Label_1', false],
    ['Label_99', true],
    ['Work', true],
    ['promotions', true],
  ])('should decide whether %j requires asking the mailbox: %j', (label, expected) => {
    expect(needsProviderLabels(label, archived)).toBe(expected);
  });
});
