import { LabelNotFound, ProviderRejected } from '../mail-provider.errors';
import { FolderWanted, planChange, type FolderView } from './imap-change-plan';
import type { Place } from './imap-places.repository';

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
    trashedFrom: folderId === 'trash' ? ['bills', 'inbox'] : null,
  }));

/** `>` a move, `+` a copy, `-` a removal. */
const planned = (places: Place[], add: string[], remove: string[], folders = FOLDERS): string => {
  const { moves, copies, removals, flags } = planChange(places, { add, remove }, folders);
  return [
    ...moves.map(({ from, to }) => `${from.folderId}>${to}`),
    ...copies.map(({ to }) => `+${to}`),
    ...removals.map(({ folderId }) => `-${folderId}`),
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
    ['a label taken', ['inbox', 'bills'], [], ['Folder_bills'], '-bills'],
    ['the last label taken', ['bills'], [], ['Folder_bills'], 'bills>archive'],
    ['a label it does not have', ['inbox'], [], ['Folder_bills'], ''],
    ['one label for another', ['bills'], ['Folder_trips'], ['Folder_bills'], 'bills>trips'],
    ['out of the inbox', ['inbox'], [], ['INBOX'], 'inbox>archive'],
    ['out of the inbox, with another label', ['inbox', 'bills'], [], ['INBOX'], '-inbox'],
    ['back to the inbox', ['archive'], ['INBOX'], [], 'archive>inbox'],
    ['to the trash', ['inbox', 'bills'], ['TRASH'], ['INBOX'], 'inbox>trash -bills'],
    ['to the trash again', ['trash'], ['TRASH'], ['INBOX'], ''],
    ['from the trash to the inbox', ['trash'], ['INBOX'], ['TRASH'], 'trash>bills +inbox -\\Deleted'],
    ['from the trash to where it was', ['trash'], [], ['TRASH'], 'trash>bills -\\Deleted'],
    ['to spam', ['inbox'], ['SPAM'], ['INBOX'], 'inbox>junk'],
    ['from spam', ['junk'], ['INBOX'], ['SPAM'], 'junk>inbox'],
    ['from the trash by a label', ['trash'], ['Folder_trips'], [], 'trash>trips'],
  ])('should plan %s', (_case, from, add, remove, expected) => {
    expect(planned(at(...from), add, remove)).toBe(expected);
  });

  it('should remember the folders that a message in the trash comes from', () => {
    const { trashedFrom } = planChange(at('inbox', 'bills'), { add: ['TRASH'], remove: [] }, FOLDERS);
    expect(trashedFrom).toEqual(['inbox', 'bills']);
  });

  it.each([
    ['archive', [], ['INBOX']],
    ['trash', ['TRASH'], []],
    ['junk', ['SPAM'], []],
  ])('should ask for a folder that the mailbox lacks: %s', (role, add, remove) => {
    const folders = FOLDERS.filter((folder) => folder.role !== role);
    expect(() => planChange(at('inbox'), { add, remove }, folders)).toThrow(FolderWanted);
  });

  it('should refuse labels that are not there, and those that cannot be changed', () => {
    expect(() => planned(at('inbox'), ['Folder_x'], [])).toThrow(LabelNotFound);
    expect(() => planned(at('inbox'), [], ['Folder_x'])).toThrow(LabelNotFound);
    expect(() => planned(at('sent'), [], ['SENT'])).toThrow(ProviderRejected);
    expect(() => planned(at('inbox'), ['DRAFT'], [])).toThrow(ProviderRejected);
    expect(planned(at('sent'), ['SENT'], [])).toBe('');
  });
});
