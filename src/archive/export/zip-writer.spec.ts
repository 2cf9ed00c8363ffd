import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportedMail, MailContent } from './exported-mail';
import { unzip } from '../../../test/support/archive/exports';
import { waitFor } from '../../../test/support/wait';
import { joinChunks } from './mail-exports.service';
import { zipOf } from './zip-writer';
import { ZIPS_HERE } from '../../../test/support/archive/zips-here';

const mail = (id: string): ExportedMail => ({
  id,
  messageId: id,
  subject: 'Subject',
  sender: 'alice@example.com',
  date: new Date('2024-02-29T00:00:00Z'),
  receivedAt: null,
  dateSource: null,
  sizeBytes: 3,
  sha256: '',
  storage: 'local',
  storageKey: id,
  accountId: 'account',
  isEncrypted: false,
  rebuiltFrom: null,
  envelope: null,
});

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

async function* failingAfterAChunk(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(100_000);
  throw new Error('disk failure');
}

describe('zipOf', () => {
  it.each([[false], [true]])('should fail when a content fails halfway, deflating: %s', async (compress) => {
    const opened = async function* (): AsyncGenerator<MailContent[]> {
      yield [
        { mail: mail('first-000'), content: Buffer.from('x') },
        { mail: mail('broken-00'), content: async () => Readable.from(failingAfterAChunk()) },
      ];
    };
    await expect(pipeline(joinChunks(zipOf(opened(), ZIPS_HERE, { compress })), nowhere())).rejects.toThrow(
      'disk failure',
    );
  });

  it('should fail when a content cannot be read at all', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zip-'));
    const opened = async function* (): AsyncGenerator<MailContent[]> {
      yield [{ mail: mail('directory'), content: async () => createReadStream(directory) }];
    };
    await expect(
      pipeline(joinChunks(zipOf(opened(), ZIPS_HERE, { compress: false })), nowhere()),
    ).rejects.toThrow('EISDIR');
    await rm(directory, { recursive: true });
  });

  it('should write and list mails in order, whether they are read or streamed', async () => {
    const contents = ['first', 'second', 'third', 'fourth'].map((text) => Buffer.from(text));
    const opened = async function* (): AsyncGenerator<MailContent[]> {
      yield [
        { mail: mail('00000000-1'), content: contents[0]! },
        { mail: mail('00000000-2'), content: async () => Readable.from([contents[1]!]) },
        { mail: mail('00000000-3'), content: contents[2]! },
      ];
      yield [{ mail: mail('00000000-4'), content: contents[3]! }];
    };
    const pieces: Buffer[] = [];
    for await (const some of zipOf(opened(), ZIPS_HERE, { compress: false })) pieces.push(...some);
    const { entries } = await unzip(Buffer.concat(pieces));
    const { mails } = JSON.parse(entries.get('manifest.json')!.toString()) as {
      mails: { id: string; file: string; size_bytes: number; sha256: string }[];
    };
    expect(mails.map(({ id }) => id)).toEqual(['00000000-1', '00000000-2', '00000000-3', '00000000-4']);
    expect([...entries.keys()]).toEqual([...mails.map(({ file }) => file), 'manifest.json']);
    expect(mails.map(({ file }) => entries.get(file))).toEqual(contents);
    expect(mails.map((each) => [each.size_bytes, each.sha256])).toEqual(
      contents.map((content) => [content.length, createHash('sha256').update(content).digest('hex')]),
    );
  });

  it('should close the open file when the reader goes away', async () => {
    const content = new Readable({ read: () => undefined });
    const opened = async function* (): AsyncGenerator<MailContent[]> {
      yield [{ mail: mail('endless-0'), content: async () => content }];
    };
    const zip = zipOf(opened(), ZIPS_HERE, { compress: false });
    content.push(Buffer.alloc(10));
    await zip.next();
    await zip.return(undefined);
    await new Promise((resolve) => content.once('close', resolve));
    expect(content.destroyed).toBe(true);
  });

  it('should not read further ahead than a slow reader allows', async () => {
    let taken = 0;
    const opened = async function* (): AsyncGenerator<MailContent[]> {
      for (; taken < 200; taken += 1) yield [{ mail: mail(`mail-${taken}`), content: Buffer.alloc(100_000) }];
    };
    const zip = zipOf(opened(), ZIPS_HERE, { compress: false });
    await zip.next();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(taken).toBeLessThan(30);
    let bytes = 0;
    for await (const pieces of zip) {
      for (const piece of pieces) bytes += piece.length;
    }
    expect(taken).toBe(200);
    expect(bytes).toBeGreaterThan(19_000_000);
  });

  it('should stop reading when the reader goes away', async () => {
    let taken = 0;
    let ended = false;
    const opened = async function* (): AsyncGenerator<MailContent[]> {
      try {
        for (; taken < 200; taken += 1)
          yield [{ mail: mail(`mail-${taken}`), content: Buffer.alloc(100_000) }];
      } finally {
        ended = true;
      }
    };
    const zip = zipOf(opened(), ZIPS_HERE, { compress: false });
    await zip.next();
    await zip.return(undefined);
    await waitFor('the mails to be ended', async () => ended);
    const atTheEnd = taken;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken).toBe(atTheEnd);
    expect(taken).toBeLessThan(30);
  });
});
