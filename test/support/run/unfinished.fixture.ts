import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp } from '../app';
import { TestImapServer } from '../imap/imap-server';
import { ServiceProcess } from '../service-process';

/** Servers of every kind: in this process, the built service, one of Debian's. None is stopped. */
it('should be ended with all processes it has started', async () => {
  const app = await startTestApp({ own: true });
  await TestImapServer.start();
  const service = await ServiceProcess.start({ ...app.env, ROLE: 'all' });
  appendFileSync(join(tmpdir(), 'started'), `${JSON.stringify([process.pid, service.pid])}\n`);
  if (process.env.UNFINISHED === 'fail') throw new Error('It fails.');
  await new Promise(() => undefined);
}, 600_000);
