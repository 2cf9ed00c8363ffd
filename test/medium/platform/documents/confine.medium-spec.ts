import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import { RESERVED_BYTES } from '../../../../src/platform/documents/process/document-process';

const CONFINE = join(__dirname, '../../../../src/platform/documents/process/confine.py');
const MIB = 1024 * 1024;

/** Runs a script of Node under the limits of the process that reads documents. */
async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', [
    '-I', '-S', '-B', CONFINE, String(512 * MIB + RESERVED_BYTES), '60', process.execPath, '--max-old-space-size=256', '-e', script,
  ]); // prettier-ignore
  return stdout.trim();
}

describe('confine.py', () => {
  it('should refuse the network', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : null;
    try {
      const script = `require('net').connect(${port}, '127.0.0.1')
        .on('error', ({ code }) => console.log(code)).on('connect', () => console.log('connected'))`;
      expect(await run(script)).toBe('EPERM');
    } finally {
      await new Promise((closed) => server.close(closed));
    }
  });

  it('should refuse to write files', async () => {
    const path = join(tmpdir(), `confine-${randomUUID()}`);
    const script = `try { require('fs').appendFileSync(${JSON.stringify(path)}, 'a') } catch ({ code }) { console.log(code) }`;
    expect(await run(script)).toBe('EFBIG');
    expect(existsSync(path)).toBe(true);
  });

  it('should refuse memory beyond the limit, also outside of the heap', async () => {
    const script = `const held = [];
      try { for (;;) held.push(Buffer.alloc(${10 * MIB}, 1)) } catch { console.log(held.length) }`;
    const pieces = Number(await run(script));
    expect(pieces).toBeGreaterThan(20);
    expect(pieces).toBeLessThan(51);
  });
});
