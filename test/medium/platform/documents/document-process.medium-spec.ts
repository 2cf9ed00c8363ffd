import { deflateRawSync } from 'node:zlib';
import {
  DOCUMENT_PROCESS_LIMITS,
  DocumentProcess,
} from '../../../../src/platform/documents/process/document-process';
import { pdfWith } from '../../../support/archive/pdf-file';

const never = new AbortController().signal;
const csv = { name: 'prices.csv', mimeType: 'text/csv' };

describe('DocumentProcess', () => {
  const processes: DocumentProcess[] = [];
  const start = (limits: Partial<typeof DOCUMENT_PROCESS_LIMITS> = {}): DocumentProcess => {
    const started = new DocumentProcess({ ...DOCUMENT_PROCESS_LIMITS, ...limits });
    processes.push(started);
    return started;
  };
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.close()));
  });

  it('should read documents one after the other', async () => {
    const sut = start({ maxDocuments: 2 });
    for (const word of ['copper', 'brass', 'zinc', 'tin']) {
      const outcome = await sut.read(csv, Buffer.from(`metal,price\n${word},42\n`), never);
      expect(outcome).toEqual({
        kind: 'read',
        reading: {
          pages: [{ member: null, kind: null, name: null, text: `metal,price\n${word},42` }],
          problem: null,
          pictures: [],
          pictureFiles: [],
        },
      });
    }
  });

  it('should read a PDF page by page', async () => {
    const outcome = await start().read({ name: 'a.pdf', mimeType: '' }, pdfWith(['copper', 'pipe']), never);
    expect(outcome).toMatchObject({
      reading: {
        pages: [
          { kind: 'page', name: '1', text: 'copper' },
          { kind: 'page', name: '2', text: 'pipe' },
        ],
        problem: null,
      },
    });
  });

  it('should kill a process that takes too long', async () => {
    const outcome = await start({ maxMs: 1 }).read(csv, Buffer.from('a,b'), never);
    expect(outcome).toEqual({ kind: 'crashed', reason: 'it did not end in time' });
  });

  it('should kill the process when its work is interrupted', async () => {
    const sut = start();
    const interruption = new AbortController();
    const reading = sut.read(csv, Buffer.from('a,b'), interruption.signal);
    interruption.abort(new Error('the service stops'));
    await expect(reading).rejects.toThrow('the service stops');
    expect((await sut.read(csv, Buffer.from('a,b'), never)).kind).toBe('read');
  });

  it('should end a process that wants too much memory', async () => {
    const sut = start({ maxMemoryBytes: 100 * 1024 * 1024 });
    const outcome = await sut.read(csv, Buffer.alloc(200 * 1024 * 1024, 'a b '), never);
    expect(outcome.kind).toBe('crashed');
    const small = await sut.read(csv, Buffer.from('a,b'), never);
    expect(small.kind).toBe('read');
  });

  it('should kill a process whose answer is too long', async () => {
    const outcome = await start({ maxAnswerBytes: 1_000 }).read(csv, Buffer.alloc(100_000, 'a b '), never);
    expect(outcome.kind === 'read' ? 'read' : outcome.reason).toBe('its answer is too long');
  });

  it('should say of a ZIP file whose member unpacks to too much that it is too large', async () => {
    const outcome = await start().read(
      { name: 'bomb.zip', mimeType: '' },
      zipOf('a'.repeat(80_000_000)),
      never,
    );
    expect(outcome).toMatchObject({ reading: { problem: { state: 'too-large', reason: 'member-limit' } } });
  });
});

/** A ZIP file with one member, whose checksum is not checked. */
function zipOf(text: string): Buffer {
  const name = Buffer.from('a.txt');
  const data = deflateRawSync(text);
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(8, 4);
  facts.writeUInt32LE(data.length, 14);
  facts.writeUInt32LE(text.length, 18);
  facts.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, data]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), facts, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
