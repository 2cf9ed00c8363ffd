import { Injectable, Logger } from '@nestjs/common';
import type { PlaceGroup } from './writes/imap-change-plan';
import { ImapFoldersRepository } from './store/imap-folders.repository';
import type { ImapFolderEntity } from './store/imap-index.entity';
import { isSameMessage } from './writes/imap-message-check';
import { type Place, ImapPlacesRepository } from './store/imap-places.repository';
import { FolderMissing, type ImapSession, type OpenFolder } from './session/imap-session';

/** Known messages of a folder that are compared when it is opened for a change. */
const SAMPLE = 3;

/**
 * Opens folders for changes. An equal UIDVALIDITY does not prove that a UID is still that of its message: a server that goes
 * back to an earlier state gives UIDs again. While a folder stays open its UIDs stay (RFC 3501 §2.3.1.1), so what is found
 * out counts until it is opened again.
 */
@Injectable()
export class ImapFolderChecks {
  private readonly logger = new Logger(ImapFolderChecks.name);
  /** Openings of folders in which the UIDs were found to be those of the known messages. */
  private readonly proved = new WeakSet<OpenFolder>();

  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
  ) {}

  /**
   * Makes sure that a folder is open, and that its UIDs are those of the messages that are to be changed. UIDs are given in
   * ascending order: if the newest known message that is left has its UID still, so have all before it.
   * @throws FolderMissing when the folder is gone or UIDs are of other messages: it is read anew before anything is done in it
   */
  async enter(session: ImapSession, folder: ImapFolderEntity, group: PlaceGroup): Promise<void> {
    const { uidValidity, places } = group;
    await session.enter(folder.path, uidValidity);
    const known = folder.uidValidity === uidValidity ? folder.uidNext : 0;
    const uidNext = places.reduce((most, { uid }) => Math.max(most, uid + 1), known);
    if (isBefore(session.openFolder, uidNext)) {
      // It was opened before other connections have seen what came.
      const { folder: now } = await session.open(folder.path);
      await session.enter(folder.path, uidValidity);
      if (isBefore(now, uidNext)) await this.refuse(folder, uidValidity);
    }
    const { openFolder } = session;
    if (!openFolder || this.proved.has(openFolder)) return;
    const newest = await this.places.newest(folder.id, SAMPLE);
    if (newest.some((place) => place.uidValidity !== uidValidity))
      throw new FolderMissing('The folder has been read anew');
    const shown = await this.shown(session, folder, { ...group, places: newest });
    if (shown.length > 0) this.proved.add(openFolder);
    else await this.shown(session, folder, group);
  }

  /**
   * Finds the places whose messages the open folder shows at their UIDs.
   * @throws FolderMissing when another message lies at one of them: the folder is read anew before anything is done in it
   */
  async shown(
    session: ImapSession,
    folder: ImapFolderEntity,
    { uidValidity, places }: PlaceGroup,
  ): Promise<Place[]> {
    const headers = await session.fetches.identities(places.map(({ uid }) => uid));
    const shown = places.filter(({ uid }) => headers.has(uid));
    if (!shown.every((place) => isSameMessage(place, headers.get(place.uid)!)))
      await this.refuse(folder, uidValidity);
    return shown;
  }

  /**
   * Whether new messages of a folder have UIDs that it had given before: then it has gone back, and the next look reads it anew.
   * @param folder as it was known before the messages came
   */
  async goesBack(folder: ImapFolderEntity, uids: readonly number[]): Promise<boolean> {
    if (!uids.some((uid) => uid < folder.uidNext)) return false;
    await this.folders.distrust(folder);
    return true;
  }

  private async refuse({ accountId, id }: ImapFolderEntity, uidValidity: number): Promise<never> {
    this.logger.warn(
      `Known UIDs of folder ${id} of account ${accountId} are of other messages; it is read anew`,
    );
    await this.folders.distrust({ accountId, id, uidValidity });
    throw new FolderMissing('Other messages have the UIDs');
  }
}

/** Whether a folder has given fewer UIDs than are known. */
const isBefore = (open: OpenFolder | null, uidNext: number): boolean =>
  open !== null && open.uidNext > 0 && open.uidNext < uidNext;
