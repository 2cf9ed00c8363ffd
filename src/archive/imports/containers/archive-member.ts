import type { ByteSource } from './byte-source';
import { PART_DAMAGED, type ReadDamage } from './read-damage';

/** Most characters of a name. */
const MAX_NAME = 4_096;

/** An entry of an archive. Its name is for labels and reports; nothing is ever stored under it. */
export interface ArchiveMember {
  /** Name in the archive, with `/` between levels. */
  readonly name: string;
  /** `other`: a link, a device, or something else without content. `damaged`: a part of the archive in which no file is found. */
  readonly type: 'file' | 'directory' | 'other' | 'damaged';
  /** The bytes of a file; null: they cannot be read, for the reason in `damage`. */
  readonly source: ByteSource | null;
  readonly damage: ReadDamage | null;
}

/** An archive that is open. */
export interface Archive {
  /** Reason why members are missing, once `members` has ended; null: none. */
  readonly damage: ReadDamage | null;
  /**
   * The members in the order of the archive, which is the same each time. The bytes of a member can be read until the
   * next one is requested.
   */
  members(): AsyncGenerator<ArchiveMember, void, undefined>;
}

/** A name as an archive has it, for people: without control characters, `\` as `/`, and of a bounded length. */
export const memberName = (name: string): string =>
  name
    .replaceAll('\\', '/')
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, MAX_NAME);

/** A part of an archive in which no file is found. @param at offset in the archive */
export const damagedPart = (at: number): ArchiveMember => ({
  name: `part at byte ${at}`,
  type: 'damaged',
  source: null,
  damage: PART_DAMAGED,
});
