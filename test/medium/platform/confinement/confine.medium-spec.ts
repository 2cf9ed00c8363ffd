import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import {
  CONFINED_ENVIRONMENT,
  type Confinement,
  confinedCommand,
} from '../../../../src/platform/confinement/confined-command';
import { RESERVED_BYTES } from '../../../../src/platform/documents/process/document-process';

const MIB = 1024 * 1024;

/** Runs a program confined. */
async function confine(program: readonly string[], limits: Partial<Confinement> = {}): Promise<string> {
  const confinement = {
    maxDataBytes: 512 * MIB + RESERVED_BYTES,
    maxCpuSeconds: 60,
    readable: null,
    isAlone: false,
    ...limits,
  };
  const [command, parameters] = confinedCommand(confinement, program);
  const { stdout } = await promisify(execFile)(command, [...parameters], { env: CONFINED_ENVIRONMENT });
  return stdout.trim();
}

/** Runs a script of Node under the limits of the process that reads documents. */
const run = (script: string): Promise<string> =>
  confine([process.execPath, '--max-old-space-size=256', '-e', script]);

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

  it('should refuse further processes to a program that runs alone', async () => {
    const shell = ['sh', '-c', 'ls /usr > /dev/null && echo started'];
    expect(await confine(shell)).toBe('started');
    await expect(confine(shell, { isAlone: true })).rejects.toThrow(/fork/i);
  });

  it('should let a program read nothing but what it is allowed to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'confine-'));
    const file = join(folder, 'mail.eml');
    await writeFile(file, 'of another user');
    const program = ['cat', file];
    const readable = ['/usr', '/lib', '/lib64', '/bin', '/etc/ld.so.cache'];
    expect(await confine(program, { readable: [...readable, folder] })).toBe('of another user');
    await expect(confine(program, { readable })).rejects.toThrow('Permission denied');
  });

  it('should say that a program is not there', async () => {
    await expect(confine(['no-such-program'])).rejects.toMatchObject({ code: 127 });
  });
});
