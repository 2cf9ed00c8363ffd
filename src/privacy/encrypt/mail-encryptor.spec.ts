import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveStore, ArchiveStores } from '../../archive/files/archive-store.port';
import { LocalArchiveStore } from '../../archive/files/local-archive-store';
import type { WorkerPool } from '../../platform/workers/worker-pool';
import { decryptMail } from '../../archive/passphrases/encrypted-file';
import { encryptMails, type MailsToEncrypt } from './encrypt-mails.task';
import { MailEncryptor } from './mail-encryptor';
import type { PlainMail, PreparedMails } from './mail-to-encrypt';

const cipher = { key: randomBytes(32), salt: randomBytes(32) };
const { signal } = new AbortController();

const mailOf = (text: string): PlainMail => ({
  id: text,
  messageId: text,
  position: { date: '2024-01-01', id: text },
  storage: 'local',
  storageKey: `user/account/2024/01/${text}.eml`,
  sizeBytes: text.length,
  sha256: createHash('sha256').update(text).digest('hex'),
  isRecent: false,
});

/** Runs the task here; notes whether mails were handed over or left to it to be read. */
class PoolHere {
  readonly inputs: string[] = [];

  run(_task: unknown, input: MailsToEncrypt): Promise<unknown> {
    this.inputs.push('paths' in input.mails ? 'paths' : 'bytes');
    return new Promise((resolve) => {
      const moved = encryptMails(input) as Record<symbol, unknown>;
      const value = Object.getOwnPropertySymbols(moved).find((symbol) => /value/i.test(String(symbol)));
      resolve(value ? moved[value] : moved);
    });
  }
}

describe('MailEncryptor', () => {
  const mails = ['one', 'two', 'three'].map(mailOf);
  let root: string;
  let store: LocalArchiveStore;
  let pool: PoolHere;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mailroom-encryptor-'));
    store = await LocalArchiveStore.open(root);
    pool = new PoolHere();
    for (const { id, storageKey } of mails) await store.put(storageKey, Buffer.from(id));
  });
  afterEach(async () => {
    await store.close();
    await rm(root, { recursive: true });
  });

  const prepare = (from: ArchiveStore = store): Promise<PreparedMails> => {
    const stores = { find: () => Promise.resolve(from) } as Partial<ArchiveStores> as ArchiveStores;
    return new MailEncryptor(stores, pool as unknown as WorkerPool).prepare('user', mails, cipher, signal);
  };
  const outcome = ({ ready, damaged }: PreparedMails): object => ({
    ready: ready.map((mail) => 'file' in mail && decryptMail(mail.file, cipher.key).toString()),
    damaged: damaged.map(({ plain, problem }) => `${plain.id} ${problem}`),
  });

  it('should leave local files to the thread, and read others', async () => {
    expect(outcome(await prepare())).toEqual({ ready: ['one', 'two', 'three'], damaged: [] });
    const elsewhere = { get: (key: string) => store.get(key) } as Partial<ArchiveStore> as ArchiveStore;
    expect(outcome(await prepare(elsewhere))).toEqual({ ready: ['one', 'two', 'three'], damaged: [] });
    expect(pool.inputs).toEqual(['paths', 'bytes']);
  });

  it('should report which are missing and which altered', async () => {
    await store.delete(mails[0]!.storageKey);
    await store.put(mails[2]!.storageKey, Buffer.from('THREE'));
    expect(outcome(await prepare())).toEqual({
      ready: ['two'],
      damaged: ['one archived-file-missing', 'three archived-file-altered'],
    });
  });

  it('should encrypt the others when one cannot be read', async () => {
    await store.delete(mails[1]!.storageKey);
    await mkdir(store.pathOf(mails[1]!.storageKey), { recursive: true });
    expect(outcome(await prepare())).toEqual({
      ready: ['one', 'three'],
      damaged: ['two archived-file-altered'],
    });
    expect(pool.inputs).toEqual(['paths', 'bytes']);
  });
});
