import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectDialect } from '../../../../src/archive/imports/mbox/detect-dialect';
import { MboxSplitter } from '../../../../src/archive/imports/mbox/mbox-splitter';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { AWKWARD_MAILS } from '../../../support/archive/awkward-mails';
import type { TestUser } from '../../../support/test-user';

const COLLECTION = join(__dirname, '../../../../../shared/data/eml');

/**
 * What a message becomes on its way through an mbox: lines end with CRLF, the last one too. What stands before a line
 * feed in the file is a line end to its reader, so that of several carriage returns one is left.
 */
function asItComesBack(raw: Buffer): Buffer {
  const lines = raw.toString('latin1').replaceAll('\r\n', '\n');
  const written = lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
  return Buffer.from(written.replace(/\r?\n/g, '\r\n'), 'latin1');
}

/** The messages of an mbox file as an import stores them. */
function messagesOf(mbox: Buffer, pieceSize: number): Buffer[] {
  const dialect = detectDialect(mbox);
  if (dialect === null) throw new Error('Not an mbox file');
  const splitter = new MboxSplitter(dialect, { maxMessageBytes: 100 * 1024 * 1024 });
  const messages: Buffer[] = [];
  const take = (): void => {
    for (let entry = splitter.next(); entry; entry = splitter.next()) {
      if (entry.raw === null) throw new Error(`Damaged at ${entry.offset}: ${entry.damage?.reason}`);
      messages.push(entry.raw);
    }
  };
  for (let at = 0; at < mbox.length; at += pieceSize) {
    splitter.write(mbox.subarray(at, at + pieceSize));
    take();
  }
  splitter.end();
  take();
  return messages;
}

async function collection(): Promise<Buffer[]> {
  if (!existsSync(COLLECTION)) return [];
  const entries = await readdir(COLLECTION, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.eml'));
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name))));
}

describe('An exported mbox that is imported again', () => {
  let app: TestApp;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => app?.close());

  /** Archives messages, one a second, so that the export has them in this order. @returns the export */
  const exported = async (raws: readonly Buffer[]): Promise<{ mbox: Buffer; stored: Buffer[] }> => {
    const fixture = await ArchiveFixture.connect(
      app,
      user,
      `roundtrip${(boxes += 1)}-0@sandbox.mailroom.test`,
    );
    const ids = raws.map((raw, index) =>
      fixture.mailbox.insert(raw, { internalDate: new Date(Date.UTC(2024, 1, 29) + index * 1_000) }),
    );
    const job = await fixture.archive({ messageIds: ids }, 120_000);
    expect([job.processed, job.failed]).toEqual([raws.length, 0]);
    const { status, bytes } = await user.api.post(`/api/import/${fixture.accountId}/export-mbox`);
    expect(status).toBe(200);
    const rows = await fixture.rows();
    const stored = ids.map((id) => readFile(join(app.archiveDir, rows.get(id).storage_key as string)));
    return { mbox: bytes, stored: await Promise.all(stored) };
  };

  it('should keep every byte of messages whose lines end with CRLF', async () => {
    const { mbox, stored } = await exported(AWKWARD_MAILS.map(([, raw]) => raw));
    expect(mbox.includes('\r\n')).toBe(false);
    for (const pieceSize of [mbox.length, 65_536, 4_099]) {
      const messages = messagesOf(mbox, pieceSize);
      expect(messages).toHaveLength(AWKWARD_MAILS.length);
      for (const [index, [name, raw]] of AWKWARD_MAILS.entries()) {
        expect([name, stored[index]!.equals(raw)]).toEqual([name, true]);
        expect([name, messages[index]!.toString('latin1')]).toEqual([name, raw.toString('latin1')]);
      }
    }
  });

  it.each([
    [
      'bare line feeds become CRLF',
      'Subject: lf\n\nFrom here\ntext\n',
      'Subject: lf\r\n\r\nFrom here\r\ntext\r\n',
    ],
    ['a mixture becomes CRLF', 'Subject: m\r\n\r\none\ntwo\r\n', 'Subject: m\r\n\r\none\r\ntwo\r\n'],
    ['a line end is added to the last line', 'Subject: o\r\n\r\nopen', 'Subject: o\r\n\r\nopen\r\n'],
    ['bare carriage returns stay', 'Subject: c\r\n\r\none\rtwo\r\n', 'Subject: c\r\n\r\none\rtwo\r\n'],
    [
      'of carriage returns before a line end one stays',
      'Subject: c\r\n\r\none\r\r\n',
      'Subject: c\r\n\r\none\r\n',
    ],
  ])('should keep the text of others: %s', async (_what, raw, expected) => {
    const { mbox, stored } = await exported([Buffer.from(raw)]);
    // The archive itself, unlike an mbox, keeps every byte.
    expect(stored[0]!.toString()).toBe(raw);
    expect(messagesOf(mbox, mbox.length).map(String)).toEqual([expected]);
    expect(asItComesBack(Buffer.from(raw)).toString()).toBe(expected);
  });

  it('should keep the messages of a collection of unusual ones', async () => {
    const raws = (await collection()).filter((raw) => raw.length > 0);
    if (raws.length === 0) return;
    const { mbox } = await exported(raws);
    const messages = messagesOf(mbox, 65_536);
    expect(messages).toHaveLength(raws.length);
    // An mbox is in the order of the mails' dates, which most of these have in their headers.
    const kept = new Set(messages.map((message) => message.toString('latin1')));
    const changed = raws.filter((raw) => !kept.has(asItComesBack(raw).toString('latin1')));
    expect(changed.map((raw) => raw.subarray(0, 200).toString('latin1'))).toEqual([]);
  });
});
