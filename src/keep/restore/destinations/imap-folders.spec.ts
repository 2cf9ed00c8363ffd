import { flagsFor, folderFor, folderPath } from './imap-folders';

const labels = (system: string[], names: string[] = [], isIncomplete = false) => ({
  system,
  names,
  isIncomplete,
});

describe('folderFor', () => {
  it.each<[string[], string[], string[], string | null, boolean]>([
    [['INBOX', 'UNREAD'], [], ['INBOX'], null, true],
    [['INBOX'], ['Work'], ['INBOX'], null, false],
    [['SENT', 'STARRED'], [], ['Sent'], 'sent', true],
    [['SPAM'], [], ['Junk'], 'junk', true],
    [['IMPORTANT'], ['Work/2020', 'Back'], ['Work', '2020'], null, false],
    [[], ['Work'], ['Work'], null, true],
    [[], [' / '], ['Archive'], 'archive', false],
    [['CATEGORY_SOCIAL'], [], ['Archive'], 'archive', true],
  ])('should choose a folder for %j and %j', (system, names, levels, role, isComplete) => {
    expect(folderFor(labels(system, names), null)).toEqual({ levels, role, isComplete });
  });

  it('should stay below the root', () => {
    expect(folderFor(labels(['SENT']), 'Back/2026')).toEqual({
      levels: ['Back', '2026', 'Sent'],
      role: null,
      isComplete: true,
    });
    expect(folderFor(labels([], ['Work'], true), 'Back').isComplete).toBe(false);
  });
});

describe('folderPath', () => {
  it.each<[string[], string, string, string]>([
    [['INBOX'], '.', 'INBOX.', 'INBOX'],
    [['Work', '2020.1'], '.', 'INBOX.', 'INBOX.Work.2020-1'],
    [['Back', 'INBOX'], '/', '', 'Back/INBOX'],
    [['a', 'b'], '', '', 'a-b'],
  ])('should join %j with %j', (levels, delimiter, prefix, expected) => {
    expect(folderPath(levels, delimiter, prefix)).toBe(expected);
  });
});

describe('flagsFor', () => {
  it('should mark read and starred messages', () => {
    expect(flagsFor(labels(['INBOX']))).toEqual(['\\Seen']);
    expect(flagsFor(labels(['UNREAD', 'STARRED']))).toEqual(['\\Flagged']);
  });
});
