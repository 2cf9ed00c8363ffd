import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxServer, startSandbox } from './sandbox-server';
import type { SandboxOptions } from './types';
import { signIn, type SignIn } from './sign-in';

const SAMPLES = join(__dirname, '../../../shared/data/eml');

let sandbox: SandboxServer;
let tokens: SignIn;

async function start(options: SandboxOptions): Promise<void> {
  sandbox = await startSandbox(options);
  tokens = await signIn(sandbox);
}
afterEach(() => sandbox.close());

const call = (path: string): Promise<Response> =>
  fetch(`${sandbox.url}${path}`, { headers: { authorization: `Bearer ${tokens.accessToken}` } });

describe('mailbox content', () => {
  it('should add a folder’s mail byte for byte, with ids that survive a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-mail-'));
    try {
      mkdirSync(join(folder, 'deep'));
      const bytes = Buffer.concat([
        Buffer.from('Date: Tue, 1 Jul 2003 10:52:37 +0200\nSubject: caf\xe9\n\n\0bare', 'latin1'),
        Buffer.from([0xff, 0]),
      ]);
      writeFileSync(join(folder, 'deep', 'one.EML'), bytes);
      writeFileSync(join(folder, 'empty.eml'), '');
      writeFileSync(join(folder, 'ignored.txt'), 'x');
      await start({ messages: 5, mailDir: folder });
      const ids = sandbox.mailbox().ids();
      expect(ids).toHaveLength(7);
      const old = ids.find((id) => sandbox.mailbox().internalDate(id).getUTCFullYear() === 2003) as string;
      expect(sandbox.mailbox().labels(old)).toEqual(['INBOX']);
      const answer = (await (await call(`/gmail/v1/users/me/messages/${old}?format=raw`)).json()) as {
        raw: string;
      };
      expect(Buffer.from(answer.raw, 'base64url').equals(bytes)).toBe(true);
      for (const format of ['full', 'metadata', 'minimal']) {
        for (const id of ids)
          expect((await call(`/gmail/v1/users/me/messages/${id}?format=${format}`)).status).toBe(200);
      }
      await sandbox.close();
      await start({ messages: 5, mailDir: folder });
      expect(sandbox.mailbox().ids()).toEqual(ids);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  (existsSync(SAMPLES) ? it : it.skip)('should serve real and broken mail in every format', async () => {
    const paths = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.eml'),
    );
    await start({ messages: 0, mailDir: SAMPLES });
    const ids = sandbox.mailbox().ids();
    expect(ids).toHaveLength(paths.length);
    const served: string[] = [];
    for (const id of ids) {
      for (const format of ['full', 'metadata', 'minimal']) {
        expect((await call(`/gmail/v1/users/me/messages/${id}?format=${format}`)).status).toBe(200);
      }
      const { raw } = (await (await call(`/gmail/v1/users/me/messages/${id}?format=raw`)).json()) as {
        raw: string;
      };
      served.push(Buffer.from(raw, 'base64url').toString('hex'));
    }
    expect(served.sort()).toEqual(
      paths.map((path) => readFileSync(join(SAMPLES, path)).toString('hex')).sort(),
    );
  });

  it('should open 200,000 messages in little memory', async () => {
    const before = process.memoryUsage();
    await start({ messages: 200_000 });
    const list = (await (await call('/gmail/v1/users/me/messages?maxResults=500&q=is:unread')).json()) as {
      messages: unknown[];
    };
    expect(list.messages).toHaveLength(500);
    const after = process.memoryUsage();
    expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(
      150_000_000,
    );
  }, 30_000);
});
