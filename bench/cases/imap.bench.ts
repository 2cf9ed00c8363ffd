import { createApp } from '../../src/app.factory';
import { JsonLogger } from '../../src/platform/logging/json-logger';
import { loadConfig } from '../../src/platform/config/load-config';
import {
  type CallOptions,
  type MailboxProvider,
  MailboxProviders,
} from '../../src/providers/port/mailbox-provider.port';
import { ImapWatchStates } from '../../src/providers/imap/sync/imap-watch-states';
import { MailboxWatches } from '../../src/providers/port/mailbox-watches.port';
import { ProviderUsage } from '../../src/providers/port/provider-usage.port';
import { UsersService } from '../../src/identity/users/users.service';
import { connectImap } from '../../test/support/imap/connected-account';
import { TestImapServer } from '../../test/support/imap/imap-server';
import { arrivalOf, plainMail } from '../../test/support/imap/plain-mail';
import { waitFor } from '../../test/support/wait';
import type { BenchEnvironment } from '../bench-environment';
import type { Figure } from '../report';

const MESSAGES = Number(process.env.BENCH_IMAP_MESSAGES ?? 100_000);
const CHANGED = Math.min(10_000, Math.floor(MESSAGES / 3));
const READ = Math.min(5_000, MESSAGES);
/** Of about 4 KiB, as mail without attachments is. */
const BODY = 'A line of text as people write them, of about eighty characters in the average.\r\n'.repeat(48);
/** As many as an archive job reads at a time. */
const AT_ONCE = 64;
const background: CallOptions = { priority: 'background' };
const thousands = (count: number): string => count.toLocaleString('en');

/** A mailbox on a real IMAP server on this machine: its index, what changes cost, and all of its bytes. */
export async function benchImap(environment: BenchEnvironment): Promise<Figure[]> {
  const server = await TestImapServer.start();
  const config = loadConfig({
    ...environment.environment(null),
    // What the server can do is measured, not what it is asked at most.
    IMAP_UNITS_PER_SECOND: '100000',
    IMAP_UNITS_PER_MINUTE: '6000000',
    ROLE: 'api',
  });
  const over = new AbortController();
  const app = await (await createApp(config, new JsonLogger('warn'))).init();
  try {
    server.seed('INBOX', MESSAGES, (number) => ({
      raw: plainMail(number, { body: BODY }),
      receivedAt: arrivalOf(number),
    }));
    const user = await app
      .get(UsersService)
      .create({ email: 'imap-bench@users.test', name: null, passwordHash: null });
    const id = await connectImap({ app }, user, server);
    const account = { id, userId: user.id, email: server.user, provider: 'imap' };
    const mailbox = app.get(MailboxProviders).forAccount(account);
    const commands = async (): Promise<number> =>
      (await app.get(ProviderUsage).report(user.id, id)).lastDay.calls;
    const states = app.get(ImapWatchStates);
    const bench = new ImapBench(server, mailbox, commands, () => states.isQuiet(id));
    const indexed = await bench.index();
    const watching = app
      .get(MailboxWatches)
      .watch(account, { signal: over.signal, onChange: () => undefined });
    await waitFor('the watch to begin', async () => (await states.getWatchState(id)) !== null);
    const figures = [indexed, await bench.quiet(), await bench.oneChange()];
    over.abort();
    await watching;
    return [...figures, await bench.largeChange(), await bench.bytes()];
  } finally {
    over.abort();
    await app.close();
    await server.stop();
  }
}

class ImapBench {
  private ids: string[] = [];

  constructor(
    private readonly server: TestImapServer,
    private readonly mailbox: MailboxProvider,
    private readonly commands: () => Promise<number>,
    private readonly isQuiet: () => Promise<boolean>,
  ) {}

  async index(): Promise<Figure> {
    const { seconds, sent } = await this.measured(async () => {
      let pageToken: string | undefined;
      do {
        const page = await this.mailbox.listMessages({ maxResults: 500, pageToken }, background);
        this.ids.push(...page.messages.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken);
    });
    return {
      work: `IMAP: ${thousands(MESSAGES)} messages indexed`,
      measured: `${seconds.toFixed(0)} s, ${sent} commands, ${thousands(this.ids.length)} listed`,
      budget: '< 10 min',
      met: seconds < 600 && this.ids.length === MESSAGES,
    };
  }

  async quiet(): Promise<Figure> {
    const { historyId } = await this.mailbox.getProfile(background);
    await waitFor('the watch to be quiet', async () => {
      await this.mailbox.listChanges(historyId, undefined, background);
      return this.isQuiet();
    });
    const { seconds, sent, result } = await this.measured(() =>
      this.mailbox.listChanges(historyId, undefined, background),
    );
    return {
      work: 'IMAP: a look when nothing has happened',
      measured: `${sent} commands, ${(seconds * 1_000).toFixed(0)} ms`,
      budget: '0 commands',
      met: sent === 0 && result.changes.length === 0,
    };
  }

  async oneChange(): Promise<Figure> {
    const { historyId } = await this.mailbox.getProfile(background);
    await this.server.append('INBOX', [plainMail(MESSAGES + 1)]);
    await waitFor('the watch to tell', async () => !(await this.isQuiet()));
    const { seconds, sent, result } = await this.measured(() =>
      this.mailbox.listChanges(historyId, undefined, background),
    );
    return {
      work: 'IMAP: one message has come',
      measured: `${sent} commands, ${(seconds * 1_000).toFixed(0)} ms`,
      budget: '≤ 3 commands',
      met: sent <= 3 && result.changes.length === 1,
    };
  }

  /** Every third message goes to the trash, and the history tells of each. */
  async largeChange(): Promise<Figure> {
    const chosen = this.ids.filter((_id, index) => index % 3 === 0).slice(0, CHANGED);
    const { historyId } = await this.mailbox.getProfile(background);
    let told = 0;
    const { seconds, sent } = await this.measured(async () => {
      const { maxIdsPerChange } = this.mailbox;
      for (let start = 0; start < chosen.length; start += maxIdsPerChange) {
        await this.mailbox.trash(chosen.slice(start, start + maxIdsPerChange), background);
      }
      let pageToken: string | undefined;
      do {
        const page = await this.mailbox.listChanges(historyId, pageToken, background);
        told += page.changes.filter(({ labelsAdded }) => labelsAdded?.includes('TRASH')).length;
        pageToken = page.nextPageToken;
      } while (pageToken);
    });
    return {
      work: `IMAP: ${thousands(chosen.length)} scattered messages to the trash, each told by the history`,
      measured: `${sent} commands, ${seconds.toFixed(1)} s, ${thousands(told)} told`,
      budget: '≤ 20 commands',
      met: sent <= 20 && told === chosen.length,
    };
  }

  async bytes(): Promise<Figure> {
    const chosen = this.ids.slice(-READ);
    let bytes = 0;
    const { seconds } = await this.measured(async () => {
      let next = 0;
      const reader = async (): Promise<void> => {
        while (next < chosen.length) {
          const id = chosen[next++] as string;
          const { bytes: read } = await this.mailbox.fetchRaw(id, background);
          bytes += read.length;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, reader));
    });
    const perSecond = chosen.length / seconds;
    return {
      work: `IMAP: ${thousands(chosen.length)} messages of ${Math.round(bytes / chosen.length / 1024)} KiB read`,
      measured: `${perSecond.toFixed(0)} messages/s`,
      budget: '≥ 300 messages/s',
      met: perSecond >= 300,
    };
  }

  private async measured<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly seconds: number; readonly sent: number }> {
    const before = await this.commands();
    const startedAt = performance.now();
    const result = await work();
    return {
      result,
      seconds: (performance.now() - startedAt) / 1_000,
      sent: (await this.commands()) - before,
    };
  }
}
