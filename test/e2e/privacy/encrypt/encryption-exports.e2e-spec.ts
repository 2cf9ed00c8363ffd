import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MailExportsService } from '../../../../src/archive/export/mail-exports.service';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { asMboxKeepsIt, parseMbox, unzip } from '../../../support/archive/exports';
import {
  encryptMails,
  PASSPHRASE,
  PASSPHRASE_HEADER,
  setUpPassphrase,
} from '../../../support/encryption/encrypted-mail';
import { importMbox } from '../../../support/imports';
import { TestObjectStore } from '../../../support/object-store/object-store';
import type { TestUser } from '../../../support/test-user';
import { nightly } from '../../../support/nightly';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
const LARGE = 3 * MIB;

describe('Exports of encrypted mails', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  let ids: string[];
  let messages: Map<string, Buffer>;
  let boxes = 0;

  const connect = (of = user): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, of, `exported-${(boxes += 1)}-0@sandbox.mailroom.test`);
  const header = (passphrase = PASSPHRASE) => ({ headers: { [PASSPHRASE_HEADER]: passphrase } });
  const zipPath = (own = sut): string => `${own.path}/export-zip`;
  const mboxPath = (own = sut): string => `/api/import/${own.accountId}/export-mbox`;
  const manifestOf = (entries: Map<string, Buffer>): any =>
    JSON.parse(entries.get('manifest.json')!.toString('utf8'));
  const collect = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const largeMessage = (subject: string): Buffer =>
    Buffer.concat([
      Buffer.from(`Subject: ${subject}\r\nMessage-ID: <${subject}@example.com>\r\n\r\n`),
      Buffer.alloc(LARGE, `line of ${subject}\r\n`),
    ]);

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    await setUpPassphrase(user);
    sut = await connect();
    const raws = [
      eml('Subject: quoting', 'Message-ID: <q@example.com>', '', 'From here on', '>From there', '', 'end'),
      eml('Subject: plain', 'Message-ID: <p@example.com>', '', 'stays plain'),
      eml('Subject: d\u00e9j\u00e0 vu', 'Message-ID: <d@example.com>', '', 'no newline at the end'),
      largeMessage('large'),
    ];
    ids = await sut.insertAndArchive(...raws);
    messages = new Map(ids.map((id, index) => [id, raws[index]!]));
    // Two jobs: two salts.
    await encryptMails(sut, [ids[0]!]);
    await encryptMails(sut, [ids[2]!, ids[3]!]);
  });

  afterAll(() => app?.close());

  describe('before the stream', () => {
    it('should require the passphrase', async () => {
      for (const answer of [
        await user.api.post(zipPath(), { mailIds: ids }),
        await user.api.post(mboxPath(), {}),
        await user.api.post(mboxPath(), { mailIds: [ids[0]] }),
      ])
        expect([answer.status, answer.body.code]).toEqual([409, 'mails-encrypted']);
      // Mails that are none of them need none.
      expect((await user.api.post(zipPath(), { mailIds: [ids[1]] })).status).toBe(200);
    });

    it('should refuse a wrong passphrase, and a malformed one', async () => {
      for (const [path, body] of [
        [zipPath(), { mailIds: ids }],
        [mboxPath(), {}],
      ] as const) {
        const wrong = await user.api.post(path, body, header('not the passphrase'));
        expect([wrong.status, wrong.body.code]).toEqual([403, 'passphrase-invalid']);
        const malformed = await user.api.post(path, body, header("UTF-8''%ff"));
        expect(malformed.status).toBe(400);
        expect(JSON.stringify(malformed.body)).toContain('X-Archive-Passphrase');
      }
    });

    it('should check ownership and existence first', async () => {
      const stranger = await app.user('stranger');
      const foreign = await stranger.api.post(mboxPath(), {}, header());
      expect([foreign.status, foreign.body.code]).toEqual([403, 'account-not-owned']);
      const unknown = { mailIds: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'] };
      expect((await user.api.post(zipPath(), unknown, header('not the passphrase'))).status).toBe(404);
      expect((await app.anonymous.post(zipPath(), { mailIds: ids }, header())).status).toBe(401);
    });

    it('should ignore a passphrase that nothing requires, however often it is sent', async () => {
      const own = await connect();
      const [id] = await own.insertAndArchive(eml('Subject: open', '', 'x'));
      for (let count = 0; count < 12; count += 1) {
        const answer = await user.api.post(zipPath(own), { mailIds: [id] }, header('not the passphrase'));
        expect(answer.status).toBe(200);
      }
      expect((await user.api.post(mboxPath(own), {}, header('not the passphrase'))).status).toBe(200);
      // No attempt was counted.
      expect((await user.api.post(zipPath(), { mailIds: [ids[0]] }, header())).status).toBe(200);
    });

    it('should report that no passphrase was ever set up, and limit guessing', async () => {
      const other = await app.user();
      const own = await connect(other);
      const [id] = await own.insertAndArchive(eml('Subject: x', '', 'x'));
      await encryptMails(own);
      const none = await other.api.post(zipPath(own), { mailIds: [id] }, header());
      expect([none.status, none.body.code]).toEqual([409, 'encryption-not-configured']);
      await setUpPassphrase(other);
      for (let count = 0; count < 10; count += 1)
        expect((await other.api.post(mboxPath(own), {}, header('a wrong guess'))).status).toBe(403);
      expect((await other.api.post(mboxPath(own), {}, header())).status).toBe(429);
    });
  });

  describe('a ZIP', () => {
    it.each(['', '?compress=true'])(
      'should contain the messages, and their hashes and sizes%s',
      async (query) => {
        const { status, bytes } = await user.api.post(`${zipPath()}${query}`, { mailIds: ids }, header());
        expect(status).toBe(200);
        const { entries } = await unzip(bytes);
        const { mails, missing, left_out: leftOut } = manifestOf(entries);
        expect([mails.length, missing, leftOut]).toEqual([4, [], []]);
        for (const { id, file, ...facts } of mails) {
          const message = messages.get(id as string)!;
          expect(entries.get(file as string)!.equals(message)).toBe(true);
          expect(facts).toMatchObject({ sha256: sha256(message), size_bytes: message.length, intact: true });
        }
      },
    );

    it('should report a mail whose encrypted file was altered, and contain the others', async () => {
      for (const [index, size] of [
        [0, 'small'],
        [3, 'large'],
      ] as const) {
        const row = [...(await sut.rows()).values()].find(({ id }) => id === ids[index]);
        const path = join(app.archiveDir, row.storage_key as string);
        const original = await readFile(path);
        const altered = Buffer.from(original);
        altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1);
        await writeFile(path, altered);
        const { entries } = await unzip((await user.api.post(zipPath(), { mailIds: ids }, header())).bytes);
        await writeFile(path, original);
        const { mails, missing, left_out: leftOut } = manifestOf(entries);
        expect([size, leftOut]).toEqual([
          size,
          [{ id: ids[index], mailbox_message_id: row.mailbox_message_id, reason: 'altered' }],
        ]);
        expect([mails.length, entries.size, missing]).toEqual([3, 4, []]);
      }
    });
  });

  describe('an mbox', () => {
    it('should be imported again as the same messages', async () => {
      const { status, bytes } = await user.api.post(mboxPath(), {}, header());
      expect(status).toBe(200);
      const texts = parseMbox(bytes).map(({ message }) => message);
      expect(texts.sort()).toEqual([...messages.values()].map(asMboxKeepsIt).sort());

      const target = await connect();
      const job = await importMbox(user, target.accountId, bytes);
      expect([job.status, job.processed]).toEqual(['completed', 4]);
      const imported = [...(await target.rows()).values()];
      expect(imported.map(({ message_id_header: id }) => id as string).sort()).toEqual(
        ['<d@example.com>', '<large@example.com>', '<p@example.com>', '<q@example.com>'].sort(),
      );
      const again = await user.api.post(mboxPath(target), {});
      expect(
        parseMbox(again.bytes)
          .map(({ message }) => message)
          .sort(),
      ).toEqual(texts);
    });

    it('should be cut rather than leave out a mail that cannot be decrypted', async () => {
      const row = [...(await sut.rows()).values()].find(({ id }) => id === ids[2]);
      const path = join(app.archiveDir, row.storage_key as string);
      const original = await readFile(path);
      await writeFile(path, original.subarray(0, -1));
      await expect(user.api.post(mboxPath(), {}, header())).rejects.toThrow();
      await writeFile(path, original);
      expect((await user.api.post(mboxPath(), {}, header())).status).toBe(200);
    });
  });

  describe('of mails that are encrypted in the meantime', () => {
    let own: ArchiveFixture;
    let late: string[];
    let raws: Buffer[];

    const exporter = (passphrase: string | null) => ({
      userId: user.id,
      accountId: own.accountId,
      passphrase,
    });
    const exports = (): MailExportsService => app.app.get(MailExportsService);
    /** Starts a request that is checked before the encryption, and streams after it. */
    const begun = async <T>(start: Promise<T>): Promise<T> => {
      const stream = await start;
      await encryptMails(own);
      return stream;
    };

    beforeEach(async () => {
      own = await connect();
      raws = [eml('Subject: small', '', 'small'), largeMessage('late')];
      late = await own.insertAndArchive(...raws);
    });

    it('should contain them when the passphrase was sent with the request', async () => {
      const stream = await begun(exports().zip(exporter(PASSPHRASE), late, { compress: false }));
      const { entries } = await unzip(await collect(stream));
      const { mails, missing, left_out: leftOut } = manifestOf(entries);
      expect([missing, leftOut]).toEqual([[], []]);
      expect(mails.map((mail: any) => [mail.id, mail.sha256, mail.intact]).sort()).toEqual(
        late.map((id, index) => [id, sha256(raws[index]!), true]).sort(),
      );
    });

    it.each([null, 'not the passphrase'])(
      'should report them as encrypted with passphrase %p',
      async (passphrase) => {
        const stream = await begun(exports().zip(exporter(passphrase), late, { compress: false }));
        const { entries } = await unzip(await collect(stream));
        const { mails, missing, left_out: leftOut } = manifestOf(entries);
        expect([mails, missing]).toEqual([[], []]);
        expect(leftOut.map(({ id, reason }: any) => [id, reason]).sort()).toEqual(
          late.map((id) => [id, 'encrypted']).sort(),
        );
      },
    );

    it('should cut an mbox with the reason, unless the passphrase was sent', async () => {
      const cut = await begun(exports().mbox(exporter(null), null));
      await expect(collect(cut)).rejects.toThrow('was encrypted during the export');
      own = await connect();
      const [id] = await own.insertAndArchive(raws[0]!);
      const whole = await begun(exports().mbox(exporter(PASSPHRASE), [id!]));
      expect(parseMbox(await collect(whole)).map(({ message }) => message)).toEqual([
        asMboxKeepsIt(raws[0]!),
      ]);
    });

    nightly('should find those whose rows were read before, however slow the reader', async () => {
      // There are enough mails that the first page, but not most files, has been read when the first bytes arrive.
      own = await connect();
      const many = Array.from({ length: 12 }, (_, index) => largeMessage(`slow-${index}`));
      const wanted = await own.insertAndArchive(...many);
      const response = await user.api.fetch('POST', zipPath(own), { body: { mailIds: wanted }, ...header() });
      const reader = response.body!.getReader();
      const first = await reader.read();
      await encryptMails(own);
      const chunks: Uint8Array[] = [first.value!];
      for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
      const { entries } = await unzip(Buffer.concat(chunks));
      const { mails, missing, left_out: leftOut } = manifestOf(entries);
      expect([mails.length, missing, leftOut]).toEqual([12, [], []]);
      expect(mails.every(({ intact }: { intact: boolean }) => intact)).toBe(true);
    });
  });

  it('should work with an object store as well', async () => {
    const store = await TestObjectStore.start();
    const other = await app.user();
    await setUpPassphrase(other);
    expect((await other.api.put('/api/storage/config', store.configuration('exports'))).status).toBe(200);
    const own = await connect(other);
    const raws = [eml('Subject: one', '', '1'), largeMessage('two'), eml('Subject: three', '', '3')];
    const wanted = await own.insertAndArchive(...raws);
    await encryptMails(own, wanted.slice(0, 2));
    const { status, bytes } = await other.api.post(zipPath(own), { mailIds: wanted }, header());
    expect(status).toBe(200);
    const { mails } = manifestOf((await unzip(bytes)).entries);
    expect(mails.map((mail: any) => [mail.id, mail.sha256, mail.intact]).sort()).toEqual(
      wanted.map((id, index) => [id, sha256(raws[index]!), true]).sort(),
    );
  });
});
