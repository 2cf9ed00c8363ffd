import type { ImapFoldersRepository } from './store/imap-folders.repository';
import { ImapFolderChecks } from './imap-folder-checks';
import type { ImapFolderEntity } from './store/imap-index.entity';
import type { Place, ImapPlacesRepository } from './store/imap-places.repository';
import { FolderMissing, type ImapSession, type OpenFolder } from './session/imap-session';

const place = (uid: number): Place => ({
  ...{ messageId: `${uid}`, folderId: 'f', uidValidity: 7, uid, size: 1, internalDate: new Date(0) },
  ...{ flags: [], labels: [], trashedFrom: null, copyGroup: null },
});

describe('ImapFolderChecks', () => {
  const commands: string[] = [];
  let uidNext: number;
  let opened: Pick<OpenFolder, 'uidNext'> | null;
  let idAt: (uid: number) => string | null;

  const open = (): { folder: unknown } => {
    commands.push('SELECT');
    opened = { uidNext };
    return { folder: opened };
  };
  const session = {
    open,
    enter: () => {
      if (!opened) open();
    },
    get openFolder() {
      return opened;
    },
    fetches: {
      fetchIdentities: (uids: readonly number[]) => {
        commands.push(`FETCH ${uids.join()}`);
        const found = uids.flatMap((uid) => {
          const messageId = idAt(uid);
          return messageId === null ? [] : [[uid, { gmail: { messageId } }] as const];
        });
        return new Map(found);
      },
    },
  } as unknown as ImapSession;
  const distrust = jest.fn();
  const newest = jest.fn(() => [place(9), place(8), place(7)]);
  const sut = new ImapFolderChecks(
    { distrust } as unknown as ImapFoldersRepository,
    { findNewest: newest } as unknown as ImapPlacesRepository,
  );
  const folder = { id: 'f', accountId: 'a', path: 'INBOX', uidValidity: 7, uidNext: 10 } as ImapFolderEntity;
  const enter = (...places: Place[]): Promise<void> =>
    sut.enter(session, folder, { folderId: 'f', uidValidity: 7, places });

  beforeEach(() => {
    commands.length = 0;
    distrust.mockClear();
    opened = null;
    uidNext = 10;
    idAt = String;
  });

  it('should check once while the folder stays open', async () => {
    await enter(place(1));
    await enter(place(2));
    expect(commands).toEqual(['SELECT', 'FETCH 9,8,7']);
  });

  it('should compare the messages themselves, every time, when the newest have gone', async () => {
    idAt = (uid) => (uid > 6 ? null : String(uid));
    await enter(place(1));
    await enter(place(2));
    expect(commands).toEqual(['SELECT', 'FETCH 9,8,7', 'FETCH 1', 'FETCH 9,8,7', 'FETCH 2']);
    idAt = (uid) => (uid > 6 ? null : 'other');
    await expect(enter(place(2))).rejects.toBeInstanceOf(FolderMissing);
  });

  it('should reopen a folder that was opened before others saw the new messages', async () => {
    uidNext = 9;
    open();
    uidNext = 10;
    await enter(place(1));
    expect(commands).toEqual(['SELECT', 'SELECT', 'FETCH 9,8,7']);
    expect(distrust).not.toHaveBeenCalled();
  });

  it('should refuse, and have the folder read again, when UIDNEXT has gone back', async () => {
    uidNext = 9;
    await expect(enter(place(1))).rejects.toBeInstanceOf(FolderMissing);
    expect(distrust).toHaveBeenCalledWith({ accountId: 'a', id: 'f', uidValidity: 7 });
    expect(commands.filter((command) => command.startsWith('FETCH'))).toEqual([]);
  });

  it('should refuse when one of the newest messages is a different one', async () => {
    idAt = (uid) => (uid === 9 ? 'other' : String(uid));
    await expect(enter(place(1))).rejects.toBeInstanceOf(FolderMissing);
    expect(distrust).toHaveBeenCalledTimes(1);
  });

  it('should not refuse when the server does not report UIDNEXT', async () => {
    uidNext = 0;
    await enter(place(1));
    expect(commands).toEqual(['SELECT', 'FETCH 9,8,7']);
  });
});
