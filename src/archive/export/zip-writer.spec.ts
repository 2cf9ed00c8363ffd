import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OpenedMail } from './exported-mail';
import { zipOf } from './zip-writer';

const mail = (id: string): OpenedMail['mail'] => ({
  id,
  messageId: id,
  subject: 'Subject',
  sender: 'alice@example.com',
  date: new Date('2024-02-29T00:00:00Z'),
  sizeBytes: 3,
  sha256: '',
  storage: 'local',
  storageKey: id,
});

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

async function* failingAfterAChunk(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(100_000);
  throw new Error('disk failure');
}

describe('zipOf', () => {
  it.each([[false], [true]])(
    'should fail with a content that fails midway, deflating: %s',
    async (compress) => {
      const opened = async function* (): AsyncGenerator<OpenedMail> {
        yield { mail: mail('first-000'), content: Buffer.from('x') };
        yield { mail: mail('broken-00'), content: Readable.from(failingAfterAChunk()) };
      };
      await expect(pipeline(zipOf(opened(), { compress }), nowhere())).rejects.toThrow('disk failure');
    },
  );

  it('should fail with a content that cannot be read at all', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zip-'));
    const opened = async function* (): AsyncGenerator<OpenedMail> {
      yield { mail: mail('directory'), content: createReadStream(directory) };
    };
    await expect(pipeline(zipOf(opened(), { compress: false }), nowhere())).rejects.toThrow('EISDIR');
    await rm(directory, { recursive: true });
  });

  it('should close the file at hand when the reader goes away', async () => {
    const content = new Readable({ read: () => undefined });
    const opened = async function* (): AsyncGenerator<OpenedMail> {
      yield { mail: mail('endless-0'), content };
    };
    const zip = zipOf(opened(), { compress: false });
    zip.resume();
    content.push(Buffer.alloc(10));
    await new Promise((resolve) => setImmediate(resolve));
    zip.destroy();
    await new Promise((resolve) => content.once('close', resolve));
    expect(content.destroyed).toBe(true);
  });
});
