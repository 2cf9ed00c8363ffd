import { folderRoles, type GivenRole, labelNameOf, labelOf } from './imap-folder-roles';
import type { ListedFolder } from '../session/imap-session';

const folder = (path: string, ...attributes: string[]): ListedFolder => ({
  path,
  delimiter: '/',
  attributes,
  status: null,
});
const roles = (
  folders: ListedFolder[],
  confirmed = {},
  known: Record<string, GivenRole> = {},
): Record<string, string> =>
  Object.fromEntries(
    [...folderRoles(folders, confirmed, new Map(Object.entries(known)))].map(([path, { role }]) => [
      path,
      role,
    ]),
  );

describe('folderRoles', () => {
  it('should trust the server more than names', () => {
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

  it('should trust the user more than the server', () => {
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
  ])('should recognise %s as %s when the server declares nothing', (path, role) => {
    expect(roles([folder('INBOX'), folder(path)])[path]).toBe(role);
  });

  describe('with previously assigned roles', () => {
    const byName: GivenRole = { role: 'trash', source: 'name' };

    it('should keep a role where it is when another folder gets a matching name', () => {
      const folders = [folder('Deleted Messages'), folder('INBOX'), folder('Trash')];
      expect(roles(folders, {}, { Trash: byName })).toMatchObject({
        Trash: 'trash',
        'Deleted Messages': 'user',
      });
      const odd = [folder('Trash'), folder('Old bin')];
      expect(roles(odd, {}, { 'Old bin': byName })).toMatchObject({ 'Old bin': 'trash', Trash: 'user' });
    });

    it('should follow the server when it declares another folder', () => {
      const folders = [folder('Bin', '\\trash'), folder('Trash')];
      expect(roles(folders, {}, { Trash: byName })).toMatchObject({ Bin: 'trash', Trash: 'user' });
    });

    it('should keep what the server declared when it no longer declares anything', () => {
      const folders = [folder('Bin'), folder('Trash')];
      expect(roles(folders, {}, { Bin: { role: 'trash', source: 'server' } })).toMatchObject({
        Bin: 'trash',
      });
      const both = [folder('Bin', '\\trash'), folder('Old', '\\trash')];
      expect(roles(both, {}, { Old: { role: 'trash', source: 'server' } })).toMatchObject({ Old: 'trash' });
    });

    it('should move the role to another folder when its folder is deleted', () => {
      expect(roles([folder('Deleted Messages')], {}, { Trash: byName })).toMatchObject({
        'Deleted Messages': 'trash',
      });
    });

    it('should decide again once the user has withdrawn a role', () => {
      const folders = [folder('Mine'), folder('Trash')];
      expect(roles(folders, {}, { Mine: { role: 'trash', source: 'user' } })).toMatchObject({
        Trash: 'trash',
      });
    });
  });

  it('should keep a view as a view, unless the user assigns it a role', () => {
    const folders = [folder('Trash'), folder('Work')];
    const known = { Trash: { role: 'ignored', source: 'view' } } as const;
    expect(roles(folders, {}, known)).toEqual({ Trash: 'ignored', Work: 'user' });
    expect(roles(folders, { Trash: 'trash' }, known)).toEqual({ Trash: 'trash', Work: 'user' });
  });

  it('should report the source of a role', () => {
    const given = folderRoles([folder('Sent', '\\sent'), folder('Trash'), folder('Spam')], {
      Spam: 'archive',
    });
    expect([...given.values()].map(({ source }) => source)).toEqual(['server', 'name', 'user']);
  });

  it('should not depend on the order in which folders are listed', () => {
    const folders = [folder('Papierkorb'), folder('INBOX/Trash'), folder('Deleted Items'), folder('Trash')];
    for (const listed of [folders, folders.toReversed()])
      expect(roles(listed)).toEqual({
        Trash: 'trash',
        Papierkorb: 'user',
        'INBOX/Trash': 'user',
        'Deleted Items': 'user',
      });
  });

  it('should ignore folders that cannot be opened', () => {
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
