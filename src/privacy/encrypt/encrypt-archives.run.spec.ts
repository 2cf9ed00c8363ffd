import type { ArchiveStore, NewObject } from '../../archive/files/archive-store.port';
import type { FileDeletions } from '../../archive/files/file-deletions';
import type { FileToDelete } from '../../archive/files/file-deletions.repository';
import { FilesLost, type ReservedFiles } from '../../archive/files/reserved-files';
import type { ArchiveTotals } from '../../archive/mails/archive-totals';
import { ArchiveBusy } from '../../archive/mails/archive.errors';
import { EncryptedMailsService } from '../../archive/mails/encrypted-mails.service';
import type { MailEncryptionRepository } from '../../archive/mails/mail-encryption.repository';
import type { StoredMail, StoredMails } from '../../archive/mails/stored-mails';
import type { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import type { Transaction, Transactions } from '../../platform/database/transactions';
import { MailKeys } from '../../archive/passphrases/mail-keys';
import type { JobContext } from '../../platform/jobs/job-definition';
import type { MessageIndexService } from '../../mailbox/index/message-index.service';
import type { TrackingService } from '../tracking/tracking.service';
import { waitFor } from '../../../test/support/wait';
import { EncryptArchivesRun } from './encrypt-archives.run';
import type { EncryptionCheckpoint } from './encryption-progress';
import type { MailEncryptor } from './mail-encryptor';
import type { EncryptedMail, PlainMail } from './mail-to-encrypt';

const owner = { userId: 'user', accountId: 'account' };
/** Number of mails that fills three and a half batches. */
const MAILS = 700;

const mailOf = (number: number): StoredMail => {
  const id = `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
  return {
    ...owner,
    id,
    messageId: `<${number}>`,
    subject: '',
    sender: '',
    labelIds: [],
    date: new Date(0),
    receivedAt: null,
    dateSource: null,
    archivedAt: new Date(0),
    position: { date: '1970-01-01', id },
    storage: 'local',
    storageKey: `user/account/1970/01/${id}.eml`,
    sha256: 'plain',
    sizeBytes: 10,
    isEncrypted: false,
    rebuiltFrom: null,
    envelope: null,
  };
};

/** Calls of the service, in their order. */
class World {
  readonly steps: string[] = [];
  readonly checkpoints: EncryptionCheckpoint[] = [];
  readonly released: boolean[] = [];
  readonly encrypted = new Set<string>();
  written = 0;
  reserved = 0;
  open = 0;
  /** Awaited in each transaction. */
  beforeCommit: (number: number) => Promise<void> = () => Promise.resolve();
  private commits = 0;
  readonly cancelled = new AbortController();

  readonly store = {
    putMany: async (objects: readonly NewObject[]) => {
      this.written += 1;
      this.steps.push(`written ${objects.length}`);
    },
  } as Partial<ArchiveStore> as ArchiveStore;

  private readonly job = {
    signal: this.cancelled.signal,
    savedCheckpoint: () => null,
    checkpoint: async (state: EncryptionCheckpoint) => void this.checkpoints.push(state),
    setTotal: () => undefined,
    progress: () => undefined,
    report: () => undefined,
    throwIfCancelled: () => this.cancelled.signal.throwIfAborted(),
  } as unknown as JobContext;

  private readonly mails = {
    findNext: async (_account: string, { after, limit }: { after: { id: string } | null; limit: number }) =>
      Array.from({ length: MAILS }, (_, number) => mailOf(number))
        .filter(({ id }) => id > (after?.id ?? '') && !this.encrypted.has(id))
        .slice(0, limit),
  };

  private readonly repository = {
    readClockMinutesAgo: async () => '2024-01-01',
    markEncrypted: async (_owner: unknown, mails: readonly EncryptedMail[]) => {
      const ids = mails.map(({ plain }) => plain.id);
      for (const id of ids) this.encrypted.add(id);
      return new Set(ids);
    },
  };

  private readonly encryptor = {
    prepare: async (_user: string, mails: readonly PlainMail[]) => ({
      ready: mails.map((plain) => ({ plain, store: this.store, file: Buffer.from('file'), sha256: 'file' })),
      damaged: [],
    }),
  };

  private readonly fileDeletions = {
    reserve: async (_files: readonly FileToDelete[]) => {
      this.reserved += 1;
      this.open += 1;
      return {
        keep: async () => undefined,
        release: async ({ isLost = false } = {}) => {
          this.open -= 1;
          this.released.push(isLost);
        },
      } as unknown as ReservedFiles;
    },
    enqueue: async () => undefined,
    drain: async () => 0,
  };

  private readonly transactions = {
    run: async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
      const number = (this.commits += 1);
      this.steps.push(`commit ${number}`);
      await this.beforeCommit(number);
      return work({} as Transaction);
    },
  };

  encrypt() {
    const services = {
      mails: this.mails as unknown as StoredMails,
      totals: { findTotals: async () => null } as unknown as ArchiveTotals,
      encrypted: new EncryptedMailsService(
        this.repository as unknown as MailEncryptionRepository,
        this.fileDeletions as unknown as FileDeletions,
      ),
      encryptor: this.encryptor as unknown as MailEncryptor,
      archiveLock: { acquire: async () => true } as unknown as ArchiveLock,
      transactions: this.transactions as unknown as Transactions,
      fileDeletions: this.fileDeletions as unknown as FileDeletions,
      index: { withholdSnippets: async () => [] } as unknown as MessageIndexService,
      tracking: { withholdAddresses: async () => undefined } as unknown as TrackingService,
    };
    return new EncryptArchivesRun(owner, async () => new MailKeys('correct horse'), this.job, services).run();
  }
}

describe('EncryptArchivesRun', () => {
  let world: World;

  beforeEach(() => {
    world = new World();
  });

  it('should encrypt every mail, batch after batch', async () => {
    expect(await world.encrypt()).toEqual({ encrypted: MAILS, skipped: 0, failed: 0, bytes: MAILS * 10 });
    expect(world.steps.filter((step) => step.startsWith('commit'))).toEqual(
      [1, 2, 3, 4].map((n) => `commit ${n}`),
    );
    expect(world.open).toBe(0);
  });

  it('should write the next batch while one is being committed, and note the batch before it', async () => {
    let letGo: () => void = () => undefined;
    world.beforeCommit = (number) =>
      number === 1 ? new Promise((resolve) => (letGo = resolve)) : Promise.resolve();
    const ended = world.encrypt();
    await waitFor('the second batch to be written', async () => world.written >= 2);
    expect(world.encrypted.size).toBe(0);
    expect(world.checkpoints).toHaveLength(1);
    expect(world.checkpoints[0]).toMatchObject({ after: null, encrypted: 0 });
    expect(world.checkpoints[0]!.batch).not.toBeNull();
    // Memory is that of some batches, however long a commit takes.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(world.written).toBe(2);
    letGo();
    await ended;
  });

  it('should delete written, uncommitted files when the job is cancelled', async () => {
    world.beforeCommit = async (number) => {
      if (number === 2) world.cancelled.abort(new Error('cancelled'));
    };
    await expect(world.encrypt()).rejects.toThrow('cancelled');
    expect(world.reserved).toBeGreaterThanOrEqual(2);
    expect(world.open).toBe(0);
    expect(world.released).not.toContain(true);
  });

  it('should write a batch again whose files were deleted before they were committed', async () => {
    world.beforeCommit = async (number) => {
      if (number === 2) throw new FilesLost();
    };
    expect(await world.encrypt()).toMatchObject({ encrypted: MAILS });
    expect(world.released.filter((isLost) => isLost)).toHaveLength(1);
    expect(world.open).toBe(0);
    expect(new Set(world.checkpoints.map(({ batch }) => batch)).size).toBeGreaterThanOrEqual(5);
  });

  it('should give up when that happens again and again', async () => {
    world.beforeCommit = async () => {
      throw new FilesLost();
    };
    await expect(world.encrypt()).rejects.toThrow(ArchiveBusy);
    expect(world.open).toBe(0);
  });
});
