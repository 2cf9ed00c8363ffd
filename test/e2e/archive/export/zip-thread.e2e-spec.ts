import type { Worker } from 'node:worker_threads';
import type { ZipAnswer, ZipRequest, ZipStep } from '../../../../src/archive/export/zip-archive';
import { ZipThread } from '../../../../src/archive/export/zip-thread';
import { unzip } from '../../../support/archive/exports';
import { waitFor } from '../../../support/wait';

const STORED = { compress: false };
/** The bytes of a request are handed over, so each has bytes of its own. */
const end = (): ZipRequest => ({ steps: [{ do: 'end' }], bytes: new ArrayBuffer(0) });

const add = (name: string, text: string): ZipRequest => {
  const content = Buffer.from(text);
  const entry = { name, date: Date.parse('2024-02-29') };
  const step: ZipStep = { do: 'add', entry, length: content.length, isHashed: false };
  return { steps: [step], bytes: new Uint8Array(content).buffer };
};

/** The entries of a ZIP by their names. */
async function contentOf(answers: readonly ZipAnswer[]): Promise<Record<string, string>> {
  const blocks = answers.flatMap((answer) => answer.blocks.map((block) => Buffer.from(block)));
  const { entries } = await unzip(Buffer.concat(blocks));
  return Object.fromEntries([...entries].map(([name, bytes]) => [name, bytes.toString()]));
}

describe('The thread that writes ZIP files', () => {
  let sut: ZipThread;

  const worker = (): Worker => (sut as unknown as { running: { worker: Worker } }).running.worker;
  const isAlive = (): boolean => (sut as unknown as { running: { isAlive: boolean } }).running.isAlive;

  beforeEach(() => {
    sut = new ZipThread();
  });

  afterEach(() => sut.onApplicationShutdown());

  it('should write several ZIPs at a time', async () => {
    const zips = ['one', 'two', 'three'].map((name) => ({ name, zip: sut.begin(STORED) }));
    const answers = await Promise.all(
      zips.map(({ name, zip }) =>
        Promise.all([zip.run(add('a.eml', `${name} a`)), zip.run(add('b.eml', `${name} b`)), zip.run(end())]),
      ),
    );
    for (const [index, { name, zip }] of zips.entries()) {
      zip.close();
      expect(await contentOf(answers[index]!)).toEqual({ 'a.eml': `${name} a`, 'b.eml': `${name} b` });
    }
  });

  it('should continue with others when one is cancelled halfway', async () => {
    const other = sut.begin(STORED);
    const first = await other.run(add('a.eml', 'a'));
    const given = sut.begin(STORED);
    const entry = { name: 'open.eml', date: 0 };
    await given.run({
      steps: [
        { do: 'open', entry, isHashed: true },
        { do: 'write', length: 1 },
      ],
      bytes: new ArrayBuffer(1),
    });
    given.close();
    expect(await contentOf([first, await other.run(end())])).toEqual({ 'a.eml': 'a' });
    other.close();
  });

  it('should fail the ZIP whose steps archiver rejects, and no other', async () => {
    const other = sut.begin(STORED);
    const refused = sut.begin(STORED);
    await expect(refused.run(add('', 'x'))).rejects.toThrow('name');
    await expect(refused.run(end())).rejects.toThrow('name');
    refused.close();
    expect(await contentOf([await other.run(add('a.eml', 'a')), await other.run(end())])).toEqual({
      'a.eml': 'a',
    });
    other.close();
  });

  it('should fail the ZIPs of a thread that ends, and start another thread', async () => {
    const zip = sut.begin(STORED);
    await zip.run(add('a.eml', 'a'));
    const pending = zip.run({
      steps: [{ do: 'open', entry: { name: 'b.eml', date: 0 }, isHashed: false }, { do: 'close' }],
      bytes: new ArrayBuffer(0),
    });
    void worker().terminate();
    await expect(pending).rejects.toThrow('has ended');
    await expect(zip.run(end())).rejects.toThrow('has ended');
    const next = sut.begin(STORED);
    expect(await contentOf([await next.run(add('a.eml', 'a')), await next.run(end())])).toEqual({
      'a.eml': 'a',
    });
    zip.close();
    next.close();
  });

  it('should finish running ZIPs at shutdown, and then end', async () => {
    const zip = sut.begin(STORED);
    const first = await zip.run(add('a.eml', 'a'));
    await sut.onApplicationShutdown();
    expect(await contentOf([first, await zip.run(end())])).toEqual({ 'a.eml': 'a' });
    expect(isAlive()).toBe(true);
    zip.close();
    await waitFor('the thread to end', async () => worker().threadId === -1);
  });

  it('should start with any options of the process', async () => {
    process.execArgv.push('--max-old-space-size=4096');
    try {
      const zip = sut.begin(STORED);
      expect(await contentOf([await zip.run(end())])).toEqual({});
      zip.close();
    } finally {
      process.execArgv.pop();
    }
  });
});
