import { Injectable, Logger } from '@nestjs/common';
import type { PlaceGroup } from './writes/imap-change-plan';
import { ImapFoldersRepository } from './store/imap-folders.repository';
import type { ImapFolderEntity } from './store/imap-index.entity';
import { isSameMessage } from './writes/imap-message-check';
import { type Place, ImapPlacesRepository } from './store/imap-places.repository';
import { FolderMissing, type ImapSession, type OpenFolder } from './session/imap-session';

/** Number of known messages of a folder that are compared when it is opened for a change. */
const SAMPLE = 3;

/**
 * Opens folders for changes. An equal UIDVALIDITY does not prove that a UID is still that of its message: a server that
 * is set back to an earlier state assigns UIDs again. While a folder stays open its UIDs do not change (RFC 3501
 * §2.3.1.1), so a check holds until it is opened again.
 */
@Injectable()
export class ImapFolderChecks {
  private readonly logger = new Logger(ImapFolderChecks.name);
  /** Opened folders whose UIDs were found to be those of the known messages. */
  private readonly proved = new WeakSet<OpenFolder>();

  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
  ) {}

  /**
   * Opens a folder unless it is open, and checks that its UIDs are those of the messages to change. UIDs are assigned
   * in ascending order: when the newest known message still has its UID, so have all before it.
   * @throws FolderMissing when the folder is gone or its UIDs are of other messages; it must then be read anew before
   *   it is changed
   */
  async enter(session: ImapSession, folder: ImapFolderEntity, group: PlaceGroup): Promise<void> {
    const { uidValidity, places } = group;
    await session.enter(folder.path, uidValidity);
    const known = folder.uidValidity === uidValidity ? folder.uidNext : 0;
    const uidNext = places.reduce((most, { uid }) => Math.max(most, uid + 1), known);
    if (isBefore(session.openFolder, uidNext)) {
      // The folder was opened before other connections learnt of new messages.
      const { folder: now } = await session.open(folder.path);
      await session.enter(folder.path, uidValidity);
      if (isBefore(now, uidNext)) await this.refuse(folder, uidValidity);
    }
    const { openFolder } = session;
    if (!openFolder || this.proved.has(openFolder)) return;
    const newest = await this.places.findNewest(folder.id, SAMPLE);
    if (newest.some((place) => place.uidValidity !== uidValidity))
      throw new FolderMissing('The folder has been read anew');
    const findShown = await this.findShown(session, folder, { ...group, places: newest });
    if (findShown.length > 0) this.proved.add(openFolder);
    else await this.findShown(session, folder, group);
  }

  /**
   * Finds the places whose messages the open folder shows at their UIDs.
   * @throws FolderMissing when another message lies at one of them; the folder must then be read anew before it is
   *   changed
   */
  async findShown(
    session: ImapSession,
    folder: ImapFolderEntity,
    { uidValidity, places }: PlaceGroup,
  ): Promise<Place[]> {
    const headers = await session.fetches.fetchIdentities(places.map(({ uid }) => uid));
    const shown = places.filter(({ uid }) => headers.has(uid));
    if (!shown.every((place) => isSameMessage(place, headers.get(place.uid)!)))
      await this.refuse(folder, uidValidity);
    return shown;
  }

  /**
   * Checks whether new messages of a folder have UIDs that it had assigned before. Then the server is back at an
   * earlier state, and the next sync reads the folder anew.
   * @param folder the folder as it was known before the messages came
   */
  async goesBack(folder: ImapFolderEntity, uids: readonly number[]): Promise<boolean> {
    if (!uids.some((uid) => uid < folder.uidNext)) return false;
    await this.folders.distrust(folder);
    return true;
  }

  private async refuse({ accountId, id }: ImapFolderEntity, uidValidity: number): Promise<never> {
    this.logger.warn(
      `Known UIDs of folder ${id} of account ${accountId} belong to other messages; reading it again`,
    );
    await this.folders.distrust({ accountId, id, uidValidity });
    throw new FolderMissing('Other messages have the UIDs');
  }
}

/** Whether an open folder has assigned fewer UIDs than are known. */
const isBefore = (open: OpenFolder | null, uidNext: number): boolean =>
  open !== null && open.uidNext > 0 && open.uidNext < uidNext;
