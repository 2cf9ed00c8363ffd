import { coverageFigures, type LedgerTotal } from './coverage-figures';

const total = (row: Partial<LedgerTotal>): LedgerTotal => ({
  class: 'pending',
  detail: '',
  isVerified: false,
  messages: 1,
  bytes: 10,
  ...row,
});

describe('coverageFigures', () => {
  it('should be zero for an empty ledger', () => {
    expect(coverageFigures([])).toEqual({
      total: 0,
      classes: { verified: 0, archived: 0, excluded: 0, failed: 0, pending: 0 },
      bytes: 0,
      excludedBy: [],
      failedBy: [],
      onlyInArchive: { count: 0, bytes: 0 },
    });
  });

  it('should distinguish verified from archived mail, and not count mail that has left the mailbox', () => {
    expect(
      coverageFigures([
        total({ class: 'archived', messages: 5 }),
        total({ class: 'archived', isVerified: true, messages: 7 }),
        total({ class: 'archived', isVerified: true, messages: 2 }),
        total({ class: 'gone', messages: 3, bytes: 30 }),
        total({ messages: 4 }),
      ]),
    ).toMatchObject({
      total: 18,
      classes: { verified: 9, archived: 5, pending: 4 },
      bytes: 40,
      onlyInArchive: { count: 3, bytes: 30 },
    });
  });

  it('should count exclusions and reasons, the most frequent first', () => {
    const { classes, excludedBy, failedBy } = coverageFigures([
      total({ class: 'excluded', detail: 'spam', messages: 2 }),
      total({ class: 'excluded', detail: 'trash', messages: 5 }),
      total({ class: 'excluded', detail: 'drafts', messages: 2 }),
      total({ class: 'failed', detail: 'copy-missing', messages: 1 }),
    ]);
    expect(classes).toMatchObject({ excluded: 9, failed: 1 });
    expect(excludedBy).toEqual([
      { key: 'trash', count: 5 },
      { key: 'drafts', count: 2 },
      { key: 'spam', count: 2 },
    ]);
    expect(failedBy).toEqual([{ key: 'copy-missing', count: 1 }]);
  });
});
