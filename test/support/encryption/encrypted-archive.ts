import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassphrasesService } from '../../../src/archive/passphrases/passphrases.service';
import { FileDeletions } from '../../../src/archive/files/file-deletions';
import { ArchiveFixture } from '../archive/archive-fixture';
import type { ServiceUser, TestedService } from '../tested-service';

export const PASSPHRASE = 'correct horse battery staple';

const keys = new Map<string, Buffer>();

/** The contract's file layout and key derivation, written down once more, with nothing of the service's. */
export function decryptByTheBook(file: Buffer, passphrase = PASSPHRASE): Buffer {
  if (file.subarray(0, 7).toString('latin1') !== 'MBENC01') throw new Error('no encrypted file');
  const salt = file.subarray(7, 39);
  const name = `${salt.toString('hex')} ${passphrase}`;
  const key = keys.get(name) ?? pbkdf2Sync(passphrase, salt, 100_000, 32, 'sha512');
  keys.set(name, key);
  const decipher = createDecipheriv('aes-256-gcm', key, file.subarray(39, 51));
  decipher.setAuthTag(file.subarray(51, 67));
  return Buffer.concat([decipher.update(file.subarray(67)), decipher.final()]);
}

export const saltOf = (file: Buffer): string => file.subarray(7, 39).toString('hex');

/** The defects of an archive, and its encrypted mails. */
export interface Inspection {
  readonly problems: string[];
  readonly encrypted: number;
  readonly plain: number;
  readonly salts: Set<string>;
}

export interface InspectOptions {
  readonly read?: (key: string) => Promise<Buffer>;
  readonly files?: () => Promise<string[]>;
  /** Files that no row names are no problem: a process has just been killed. */
  readonly leftoversAllowed?: boolean;
}

/** An archive that is encrypted with `PASSPHRASE`. */
export class EncryptedArchive extends ArchiveFixture {
  static override async connect(
    app: TestedService,
    user: ServiceUser,
    email: string,
  ): Promise<EncryptedArchive> {
    const { accountId, mailbox } = await ArchiveFixture.connect(app, user, email);
    return new EncryptedArchive(app, user, accountId, mailbox);
  }

  get encryptionPath(): string {
    return `/api/privacy/${this.accountId}/encryption`;
  }

  async setUp(passphrase = PASSPHRASE): Promise<void> {
    await this.app.get(PassphrasesService).setUp(this.user.id, passphrase);
  }

  async startEncrypting(passphrase = PASSPHRASE): Promise<string> {
    const answer = await this.user.api.post(`${this.encryptionPath}/encrypt`, { passphrase });
    if (answer.status !== 202)
      throw new Error(`encrypt answered ${answer.status}: ${answer.bytes.toString()}`);
    return answer.body.jobId as string;
  }

  async encrypt(passphrase = PASSPHRASE, timeoutMs?: number): Promise<any> {
    return this.user.jobEnd(await this.startEncrypting(passphrase), timeoutMs);
  }

  /** Compares rows, files and the mailbox's messages with each other. */
  async inspect(options: InspectOptions = {}): Promise<Inspection> {
    const read = options.read ?? ((key: string) => readFile(join(this.app.archiveDir, key)));
    const problems: string[] = [];
    const salts = new Set<string>();
    let encrypted = 0;
    const rows = await this.rows();
    for (const [messageId, row] of rows) {
      const file = await read(row.storage_key as string).catch(() => null);
      if (!file) {
        problems.push(`${messageId}: no file`);
        continue;
      }
      if (createHash('sha256').update(file).digest('hex') !== row.sha256)
        problems.push(`${messageId}: sha256`);
      if (row.is_encrypted) {
        encrypted += 1;
        salts.add(saltOf(file));
      }
      const plain = row.is_encrypted ? decryptByTheBook(file) : file;
      if (!plain.equals(this.mailbox.raw(messageId))) problems.push(`${messageId}: another message`);
      if (row.is_encrypted && row.snippet !== '') problems.push(`${messageId}: snippet`);
    }
    if (!options.leftoversAllowed) {
      const files = await (options.files ?? (() => this.files()))();
      const named = [...rows.values()].map((row) => row.storage_key as string).sort();
      if (JSON.stringify(files) !== JSON.stringify(named)) {
        problems.push(`${files.length} files, ${named.length} named`);
        problems.push(...files.filter((file) => !named.includes(file)).slice(0, 5));
      }
    }
    const { kept, counted } = await this.totals();
    if (JSON.stringify(kept) !== JSON.stringify(counted)) problems.push(JSON.stringify({ kept, counted }));
    return { problems, encrypted, plain: rows.size - encrypted, salts };
  }

  /** Removes files whose removal is registered, as the schedule would. */
  async catchUp(): Promise<void> {
    await this.app.get(FileDeletions).drain(this.accountId);
  }
}
