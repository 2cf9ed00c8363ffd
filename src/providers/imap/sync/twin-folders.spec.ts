import type { ImapFolderEntity } from '../store/imap-index.entity';
import { twinCandidates } from './twin-folders';

const folder = (path: string, more: Partial<ImapFolderEntity> = {}): ImapFolderEntity => ({
  id: path,
  accountId: 'account',
  path,
  delimiter: '/',
  role: 'user',
  roleSource: 'name',
  problem: null,
  problemAt: null,
  viewOf: null,
  viewAskedIn: 0,
  isViewUndecided: false,
  labelId: null,
  uidValidity: 7,
  uidNext: 3,
  modseq: '5',
  messageCount: 2,
  unseen: 0,
  isComplete: true,
  isSuspect: false,
  flagsReadAt: null,
  version: 1,
  ...more,
});
const pairs = (...folders: readonly ImapFolderEntity[]): string[] =>
  twinCandidates(folders).map(({ original, twin }) => `${twin.path} of ${original.path}`);

describe('Folders that may be one mailbox', () => {
  it('should be paired when their figures match, with the first one', () => {
    expect(pairs(folder('A'), folder('B'), folder('C'))).toEqual(['B of A', 'C of A']);
  });
  it('should be paired with the one that has a role', () => {
    expect(pairs(folder('A'), folder('B', { role: 'archive' }))).toEqual(['A of B']);
  });
  it('should not be paired when both have roles', () => {
    expect(pairs(folder('A', { role: 'sent' }), folder('B', { role: 'archive' }))).toEqual([]);
  });
  it('should be paired when the server keeps no mod-sequences', () => {
    expect(pairs(folder('A', { modseq: null }), folder('B', { modseq: null }))).toEqual(['B of A']);
  });
  it.each<Partial<ImapFolderEntity>>([
    { uidValidity: 8 },
    { uidNext: 4 },
    { messageCount: 1 },
    { modseq: '6' },
    { isComplete: false },
    { isSuspect: true },
    { problem: 'closed' },
    { role: 'ignored' },
  ])('should not be paired with %j', (more) => {
    expect(pairs(folder('A'), folder('B', more))).toEqual([]);
  });
  it.each<Partial<ImapFolderEntity>>([{ uidValidity: 0 }, { messageCount: 0 }])(
    'should not be paired when both have %j',
    (more) => {
      expect(pairs(folder('A', more), folder('B', more))).toEqual([]);
    },
  );
});
