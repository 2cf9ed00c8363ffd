export interface ArchiveKey {
  readonly userId: string;
  readonly accountId: string;
  readonly mailId: string;
  /** Up to and with the last slash. */
  readonly folder: string;
}

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const MONTH = '\\d{4}/(?:0[1-9]|1[0-2])';
/** Of the attempt that wrote an encrypted file. */
const RUN = '[0-9a-f]{16}';
const KEY = new RegExp(`^((${ID})/(${ID})/${MONTH}/(?:${RUN}/)?)(${ID})\\.eml$`);

/** The parts of a key of exactly the form `storageKey` or `encryptedStorageKey` gives it; null for anything else. */
export function parseArchiveKey(key: string): ArchiveKey | null {
  const match = KEY.exec(key);
  if (!match) return null;
  const [, folder, userId, accountId, mailId] = match as unknown as [string, string, string, string, string];
  return { userId, accountId, mailId, folder };
}
