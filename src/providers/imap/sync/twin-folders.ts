import type { ImapFolderEntity } from '../store/imap-index.entity';

/** Two folders that may be one mailbox. */
export interface TwinFolders {
  /** The folder that keeps its role. */
  readonly original: ImapFolderEntity;
  readonly twin: ImapFolderEntity;
}

/**
 * Finds pairs of folders with the same figures, which are one mailbox if they also have the same messages. The original
 * is the folder with a role, else the first one.
 * @param folders all folders of the mailbox, in their order
 */
export function twinCandidates(folders: readonly ImapFolderEntity[]): TwinFolders[] {
  const originals: ImapFolderEntity[] = [];
  const pairs: TwinFolders[] = [];
  const usable = folders.filter(
    ({ role, problem, uidValidity, messageCount, isComplete, isSuspect }) =>
      role !== 'ignored' &&
      problem === null &&
      uidValidity > 0 &&
      messageCount > 0 &&
      isComplete &&
      !isSuspect,
  );
  const hasRole = ({ role }: ImapFolderEntity): boolean => role !== 'user';
  for (const folder of [...usable.filter(hasRole), ...usable.filter((one) => !hasRole(one))]) {
    const original = hasRole(folder) ? undefined : originals.find((other) => haveSameFigures(other, folder));
    if (original) pairs.push({ original, twin: folder });
    else originals.push(folder);
  }
  return pairs;
}

const haveSameFigures = (one: ImapFolderEntity, other: ImapFolderEntity): boolean =>
  one.uidValidity === other.uidValidity &&
  one.uidNext === other.uidNext &&
  one.messageCount === other.messageCount &&
  (one.modseq === null || other.modseq === null || one.modseq === other.modseq);
