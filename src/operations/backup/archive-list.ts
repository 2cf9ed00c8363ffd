/** An archived mail, from its row. */
export interface MailRow {
  readonly id: string;
  /** Name of the mail's store, as in `archived_mails`. */
  readonly storage: string;
  readonly key: string;
  readonly bytes: number;
  /** SHA-256 of the file, 64 hex digits. */
  readonly sha256: string;
}

/** A line of the archive list: a mail and the path of its bytes in the backup. */
export interface ArchiveListEntry extends MailRow {
  /**
   * State of the file:
   * - `sound`: the file matches its row
   * - `altered`: it does not; `found` describes the bytes found, which are kept
   * - `missing`: the store has no such file
   * - `unreadable`: the store could not be read
   */
  readonly state: 'sound' | 'altered' | 'missing' | 'unreadable';
  /** Path below `archive/` in the set; null when there is no file. */
  readonly path: string | null;
  readonly found?: { readonly bytes: number; readonly sha256: string };
  readonly reason?: string;
}

/** One path segment: no hidden name, no `..`, no separators. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Whether a path of a list may be joined to a folder without leaving it. */
export function isArchivePath(path: string): boolean {
  return path.split('/').every((segment) => SEGMENT.test(segment));
}

/** The expected content at an entry's path. */
export function contentOf(entry: ArchiveListEntry): { readonly bytes: number; readonly sha256: string } {
  return entry.found ?? entry;
}

/**
 * Joins rows with the entries of an earlier list that have the same key and the same bytes. Both are sorted by key, so that
 * only one entry is in memory at a time.
 */
export async function* joinKnown(
  rows: AsyncIterable<MailRow>,
  known: AsyncIterable<ArchiveListEntry>,
): AsyncGenerator<{ row: MailRow; known: ArchiveListEntry | null }> {
  const entries = known[Symbol.asyncIterator]();
  try {
    let next = await entries.next();
    for await (const row of rows) {
      while (!next.done && next.value.key < row.key) next = await entries.next();
      const entry = next.done ? null : next.value;
      const isSame = entry?.key === row.key && entry.sha256 === row.sha256 && entry.state === 'sound';
      yield { row, known: isSame ? entry : null };
    }
  } finally {
    await entries.return?.();
  }
}
