import { findRecords, inOrder, type OrderedSuggestion } from './suggestion-order';

const suggestion = (changes: Partial<OrderedSuggestion>): OrderedSuggestion => ({
  type: 'bulk_unread',
  sender: 'Shop <news@shop.test>',
  query: 'from:(news@shop.test) is:unread',
  emailCount: 20,
  totalSizeBytes: 1_000,
  ...changes,
});

describe('findRecords', () => {
  it.each([
    ['the address', { sender: 'Cloud <billing@cloud.test>' }],
    ['the name', { sender: 'Invoice service <noreply@cloud.test>' }],
    ['the subject', { query: 'from:(a@shop.test) subject:("votre" "reçu")' }],
    ['the subject without accents', { query: 'from:(a@shop.test) subject:("votre" "recu")' }],
    ['the subject in German', { query: 'from:(a@shop.test) subject:("Ihre" "Rechnung")' }],
  ])('should find records by %s', (_name, changes) => {
    expect(findRecords([suggestion(changes)]).size).toBe(1);
  });

  it('should take other mail of the sender of records for records', () => {
    const unread = suggestion({ sender: 'Lune <hello@lune.test>' });
    const series = suggestion({
      type: 'duplicate_pattern',
      sender: 'Lune <hello@lune.test>',
      query: 'from:(hello@lune.test) subject:("receipt")',
    });
    expect([...findRecords([unread, series, suggestion({})])]).toEqual([unread, series]);
  });

  it.each(['Borders <news@borders.test>', 'Billboard <hello@billboard.test>'])(
    'should not find a word within another one: %s',
    (sender) => {
      expect(findRecords([suggestion({ sender })]).size).toBe(0);
    },
  );
});

describe('inOrder', () => {
  it('should begin with what people miss least, and end with records, however large', () => {
    const receipts = suggestion({ sender: 'Shop <receipts@shop.test>', totalSizeBytes: 9_000_000 });
    const series = suggestion({ type: 'duplicate_pattern', totalSizeBytes: 500_000 });
    const large = suggestion({ type: 'large_sender', totalSizeBytes: 400_000 });
    const unread = suggestion({ totalSizeBytes: 10 });
    const newsletters = suggestion({ type: 'old_newsletters', totalSizeBytes: 5 });
    const all = [receipts, series, large, unread, newsletters];
    expect(inOrder(all, findRecords(all))).toEqual([newsletters, unread, large, series, receipts]);
  });

  it('should list the largest of a type first, and of one size that with more mails', () => {
    const a = suggestion({ totalSizeBytes: 5 });
    const b = suggestion({ totalSizeBytes: 9 });
    const c = suggestion({ totalSizeBytes: 9, emailCount: 30 });
    expect(inOrder([a, b, c], new Set())).toEqual([c, b, a]);
  });
});
