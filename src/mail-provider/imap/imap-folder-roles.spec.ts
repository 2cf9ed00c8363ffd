import { folderRoles, labelNameOf, labelOf } from './imap-folder-roles';
import type { ListedFolder } from './imap-session';

const folder = (path: string, ...attributes: string[]): ListedFolder => ({
  path,
  delimiter: '/',
  attributes,
  status: null,
});
const roles = (folders: ListedFolder[], confirmed = {}): Record<string, string> =>
  Object.fromEntries(folderRoles(folders, confirmed));

describe('folderRoles', () => {
  it('should believe the server before names', () => {
    expect(
      roles([
        folder('INBOX'),
        folder('Trash'),
        folder('Bin', '\\trash'),
        folder('Sent', '\\sent'),
        folder('All', '\\all'),
      ]),
    ).toEqual({ INBOX: 'inbox', Trash: 'user', Bin: 'trash', Sent: 'sent', All: 'ignored' });
  });

  it('should believe the user before the server', () => {
    expect(roles([folder('INBOX'), folder('A', '\\trash'), folder('B')], { B: 'trash' })).toEqual({
      INBOX: 'inbox',
      A: 'user',
      B: 'trash',
    });
  });

  it.each([
    ['Gesendet', 'sent'],
    ['Deleted Items', 'trash'],
    ['INBOX/Drafts', 'drafts'],
    ['Clients/Archive', 'user'],
    ['Sentinel', 'user'],
    ['Brouillons', 'drafts'],
  ])('should take %s for %s where the server says nothing', (path, role) => {
    expect(roles([folder('INBOX'), folder(path)])[path]).toBe(role);
  });

  it('should ignore what cannot be opened', () => {
    expect(roles([folder('[Mail]', '\\noselect')])).toEqual({ '[Mail]': 'ignored' });
  });
});

describe('labels of folders', () => {
  it('should be those of Gmail for roles, and short names for others', () => {
    expect(['inbox', 'sent', 'drafts', 'junk', 'trash', 'archive', 'ignored'].map((role) => labelOf('x', role as never))).toEqual([
      'INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', null, null,
    ]); // prettier-ignore
    expect(labelOf('Été/2024', 'user')).toMatch(/^Folder_[\w-]{16}$/);
    expect(labelOf('a', 'user')).not.toBe(labelOf('b', 'user'));
    expect(labelNameOf('INBOX.Bills.2024', '.')).toBe('INBOX/Bills/2024');
  });
});
