import { Injectable } from '@nestjs/common';
import { AuditHashes, BLANK_HEAD } from './audit-hashes';
import { AuditEntriesRepository, AuditSnapshot } from './audit-entries.repository';
import { BEGINNING, ChainCheck, ChainPoint, LOOK_AHEAD, StoredEntry } from './chain-check';

const BATCH = 1_000;

export interface VerifiedLog {
  /** Entries that were checked, all of them intact. */
  readonly count: number;
  /** Time of the first checked entry; null without any. */
  readonly since: string | null;
  readonly head: ChainPoint;
}

/** The log is not as it was written. The message names the first broken entry. */
export class AuditLogBroken extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AuditLogBroken';
  }
}

/** Checks that the log is as it was written, and exports it; in constant memory, while the service adds to it. */
@Injectable()
export class AuditVerificationService {
  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly hashes: AuditHashes,
  ) {}

  /**
   * @param from a head noted earlier: it must be in the log, and only later entries are checked; null: all entries
   * @throws AuditLogBroken
   */
  verify(from: ChainPoint | null): Promise<VerifiedLog> {
    return this.entries.readSnapshot(async (snapshot) => {
      const head = await snapshot.readHead();
      if (from) await requireNoted(from, snapshot);
      const check = new ChainCheck(this.hashes, head ?? BLANK_HEAD, from ?? BEGINNING);
      let since: string | null = null;
      for await (const { entry, following } of entriesAfter(check.reached.sequence, snapshot)) {
        since ??= entry.occurredAt;
        failOn(check.checkEntry(entry, following));
      }
      failOn(check.checkEnd());
      return { count: check.fitting, since, head: check.reached };
    });
  }

  /** Passes all entries to `write`, oldest first, with hashes in hexadecimal. @returns how many */
  export(write: (entry: Readonly<Record<string, unknown>>) => Promise<void>): Promise<number> {
    return this.entries.readSnapshot(async (snapshot) => {
      let count = 0;
      for await (const { entry } of entriesAfter(0, snapshot)) {
        await write({ ...entry, hash: entry.hash.toString('hex') });
        count += 1;
      }
      return count;
    });
  }
}

async function requireNoted({ sequence, hash }: ChainPoint, snapshot: AuditSnapshot): Promise<void> {
  if (sequence === 0) return;
  const [entry] = await snapshot.readAfter(sequence - 1, 1);
  if (entry?.sequence !== sequence) {
    throw new AuditLogBroken(
      `Entry ${sequence} is missing, though it was noted: the log was rewritten or cut.`,
    );
  }
  if (!entry.hash.equals(hash)) {
    throw new AuditLogBroken(`Entry ${sequence} is not the one that was noted: the log was rewritten.`);
  }
}

function failOn(problem: string | null): void {
  if (problem !== null) throw new AuditLogBroken(problem);
}

/** Each entry with up to `LOOK_AHEAD` entries after it, which help to tell what is wrong with it. */
async function* entriesAfter(
  sequence: number,
  snapshot: AuditSnapshot,
): AsyncGenerator<{ entry: StoredEntry; following: StoredEntry[] }> {
  let batch = await snapshot.readAfter(sequence, BATCH);
  while (batch.length > 0) {
    const next = await snapshot.readAfter(batch[batch.length - 1]!.sequence, BATCH);
    const ahead = [...batch, ...next.slice(0, LOOK_AHEAD)];
    for (const [index, entry] of batch.entries()) {
      yield { entry, following: ahead.slice(index + 1, index + 1 + LOOK_AHEAD) };
    }
    batch = next;
  }
}
