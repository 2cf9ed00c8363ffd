import { LabelNotFound, ProviderRejected } from '../../port/mail-provider.errors';
import { FolderWanted, planChange, type FolderView } from './imap-change-plan';
import type { Place } from '../store/imap-places.repository';

const FOLDERS: readonly FolderView[] = [
  { id: 'inbox', role: 'inbox', labelId: 'INBOX' },
  { id: 'sent', role: 'sent', labelId: 'SENT' },
  { id: 'archive', role: 'archive', labelId: null },
  { id: 'trash', role: 'trash', labelId: 'TRASH' },
  { id: 'junk', role: 'junk', labelId: 'SPAM' },
  { id: 'bills', role: 'user', labelId: 'Folder_bills' },
  { id: 'trips', role: 'user', labelId: 'Folder_trips' },
];

const at = (...folders: readonly string[]): Place[] =>
  folders.map((folderId, index) => ({
    messageId: 'i1.a',
    folderId,
    uidValidity: 1,
    uid: index + 1,
    size: 1,
    flags: [],
    labels: [],
    internalDate: new Date(0),
    copyGroup: null,
    trashedFrom: folderId === 'trash' ? ['bills', 'inbox'] : null,
  }));

/** `>` a move, `+` a copy. */
const planned = (places: Place[], add: string[], remove: string[], folders = FOLDERS): string => {
  const { moves, copies, flags } = planChange(places, { add, remove }, folders);
  return [
    ...moves.map(({ from, to }) => `${from.folderId}>${to}`),
    ...copies.map(({ to }) => `+${to}`),
    ...flags.map(({ sign, flag }) => `${sign}${flag}`),
  ].join(' ');
};

describe('planChange', () => {
  it.each<[string, string[], string[], string[], string]>([
    ['a flag', ['inbox'], ['STARRED'], ['UNREAD'], '+\\Flagged +\\Seen'],
    ['a flag taken', ['inbox'], ['UNREAD'], ['STARRED', 'IMPORTANT'], '-\\Seen -\\Flagged -$Important'],
    ['a label', ['inbox'], ['Folder_bills'], [], '+bills'],
    ['two labels', ['inbox'], ['Folder_bills', 'Folder_trips'], [], '+bills +trips'],
    ['a label it has', ['inbox', 'bills'], ['Folder_bills'], [], ''],
    ['a label taken', ['inbox', 'bills'], [], ['Folder_bills'], 'bills>archive'],
    ['the last label taken', ['bills'], [], ['Folder_bills'], 'bills>archive'],
    ['a label it does not have', ['inbox'], [], ['Folder_bills'], ''],
    ['one label for another', ['bills'], ['Folder_trips'], ['Folder_bills'], 'bills>trips'],
    ['out of the inbox', ['inbox'], [], ['INBOX'], 'inbox>archive'],
    ['out of the inbox, with another label', ['inbox', 'bills'], [], ['INBOX'], 'inbox>archive'],
    ['back to the inbox', ['archive'], ['INBOX'], [], 'archive>inbox'],
    ['to the trash', ['inbox', 'bills'], ['TRASH'], ['INBOX'], 'inbox>trash bills>trash'],
    ['to the trash again', ['trash'], ['TRASH'], ['INBOX'], ''],
    ['from the trash to the inbox', ['trash'], ['INBOX'], ['TRASH'], 'trash>bills +inbox -\\Deleted'],
    ['from the trash to where it was', ['trash'], [], ['TRASH'], 'trash>bills -\\Deleted'],
    ['to spam', ['inbox'], ['SPAM'], ['INBOX'], 'inbox>junk'],
    ['from spam', ['junk'], ['INBOX'], ['SPAM'], 'junk>inbox'],
    ['from the trash by a label', ['trash'], ['Folder_trips'], [], 'trash>trips'],
  ])('should plan %s', (_case, from, add, remove, expected) => {
    expect(planned(at(...from), add, remove)).toBe(expected);
  });

  it.each<[string, string[], string[], string[], string]>([
    ['every place to the trash', ['inbox', 'trash', 'bills'], ['TRASH'], [], 'inbox>trash bills>trash'],
    ['every place to spam', ['inbox', 'archive'], ['SPAM'], ['INBOX'], 'inbox>junk archive>junk'],
    ['out of the inbox, when it is archived as well', ['inbox', 'archive'], [], ['INBOX'], 'inbox>archive'],
    ['back to the inbox, one of two', ['archive', 'archive'], ['INBOX'], [], 'archive>inbox'],
    ['to the inbox, when it is there', ['inbox', 'archive'], ['INBOX'], [], ''],
    [
      'a label, with a copy put aside',
      ['inbox', 'archive', 'archive'],
      ['Folder_bills'],
      [],
      'archive>bills',
    ],
    ['a label, when it is archived as well', ['inbox', 'archive'], ['Folder_bills'], [], '+bills'],
    [
      'out of the trash, when it lies elsewhere',
      ['trips', 'trash'],
      [],
      ['TRASH'],
      'trash>archive -\\Deleted',
    ],
  ])('should remove no place: %s', (_case, from, add, remove, expected) => {
    expect(planned(at(...from), add, remove)).toBe(expected);
  });

  it('should remove a place only in favour of another one of its group', () => {
    const [inbox, bills, trips] = at('inbox', 'bills', 'trips') as [Place, Place, Place];
    const planOf = (places: Place[], remove: string[], add: string[] = []): string => {
      const { moves, removals } = planChange(places, { add, remove }, FOLDERS);
      return [
        ...moves.map(({ from, to }) => `${from.folderId}>${to}`),
        ...removals.map(({ folderId }) => `-${folderId}`),
      ].join(' ');
    };
    const copied = (place: Place, copyGroup = 'a'): Place => ({ ...place, copyGroup });
    expect(planOf([copied(inbox), copied(bills)], ['INBOX'])).toBe('-inbox');
    expect(planOf([copied(inbox), copied(bills), trips], ['Folder_bills'])).toBe('-bills');
    expect(planOf([copied(inbox), copied(bills, 'b')], ['INBOX'])).toBe('inbox>archive');
    expect(planOf([copied(inbox), bills], ['INBOX'])).toBe('inbox>archive');
    expect(planOf([copied(inbox), copied(bills), trips], ['INBOX', 'Folder_bills'])).toBe(
      'inbox>archive bills>archive',
    );
    expect(planOf([copied(inbox), copied(bills)], ['INBOX'], ['TRASH'])).toBe('inbox>trash bills>trash');
  });

  it.each<[string, string[], string[], string]>([
    ['with the inbox', ['INBOX'], ['inbox', 'archive'], '2>archive 1>inbox'],
    ['with the inbox, in another order', ['INBOX'], ['bills', 'inbox'], '1>bills 2>inbox'],
    ['without the inbox', [], ['inbox', 'bills'], '2>bills 1>archive'],
  ])('should return each place in the trash to its folder, %s', (_case, add, former, expected) => {
    const places = former.map((id, index) => ({
      ...at('trash')[0]!,
      uid: index + 1,
      trashedFrom: [id],
    }));
    const { moves, copies } = planChange(places, { add, remove: ['TRASH'] }, FOLDERS);
    expect(moves.map(({ from, to }) => `${from.uid}>${to}`).join(' ')).toBe(expected);
    expect(copies).toEqual([]);
  });

  it.each([
    ['archive', [], ['INBOX']],
    ['trash', ['TRASH'], []],
    ['junk', ['SPAM'], []],
  ])('should request a folder that the mailbox lacks: %s', (role, add, remove) => {
    const folders = FOLDERS.filter((folder) => folder.role !== role);
    expect(() => planChange(at('inbox'), { add, remove }, folders)).toThrow(FolderWanted);
  });

  it('should refuse labels that do not exist, and those that cannot be changed', () => {
    expect(() => planned(at('inbox'), ['Folder_x'], [])).toThrow(LabelNotFound);
    expect(() => planned(at('inbox'), [], ['Folder_x'])).toThrow(LabelNotFound);
    expect(() => planned(at('sent'), [], ['SENT'])).toThrow(ProviderRejected);
    expect(() => planned(at('inbox'), ['DRAFT'], [])).toThrow(ProviderRejected);
    expect(planned(at('sent'), ['SENT'], [])).toBe('');
  });
});
