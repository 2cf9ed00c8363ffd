import { describe, expect, it } from 'vitest';
import { foldersOf, treeOf } from './label-tree';

const label = (id: string, name = id, type: 'system' | 'user' = 'user', unread: number | null = 0) => ({
  id,
  name,
  type,
  messagesTotal: null,
  messagesUnread: unread,
});

describe('foldersOf', () => {
  it('should have the folders of the mailbox in the usual order, with what is unread in the inbox', () => {
    const labels = ['TRASH', 'UNREAD', 'INBOX'].map((id) => label(id, id, 'system', 7));
    expect(foldersOf(labels)).toMatchObject([
      { id: 'INBOX', term: 'in:inbox', unread: 7 },
      { id: 'TRASH', term: 'in:trash', unread: 0 },
    ]);
  });
});

describe('treeOf', () => {
  it('should put labels below those that their names begin with', () => {
    const labels = [
      label('3', 'Work/Invoices', 'user', 2),
      label('1', 'Travel'),
      label('2', 'Work'),
      label('4', 'Old/2019/Trips'),
      label('INBOX', 'INBOX', 'system'),
    ];
    expect(treeOf(labels)).toMatchObject([
      {
        id: '',
        name: 'Old',
        term: '',
        children: [{ id: '', name: '2019', children: [{ id: '4', name: 'Trips' }] }],
      },
      { id: '1', name: 'Travel', term: 'label:Travel', children: [] },
      {
        id: '2',
        name: 'Work',
        children: [{ id: '3', name: 'Invoices', term: 'label:"Work/Invoices"', unread: 2 }],
      },
    ]);
  });
});
