import {
  MailboxProviders,
  type CallOptions,
  type MailboxProvider,
} from '../../../../src/providers/port/mailbox-provider.port';
import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { nightly } from '../../../support/nightly';
import { TcpProxy } from '../../../support/tcp-proxy';
import { waitFor } from '../../../support/wait';

const background: CallOptions = { priority: 'background' };
const MESSAGES = 12;

describe('Connections to an IMAP server that break', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let proxy: TcpProxy;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sut = await startTestApp();
    sut.tune(GatewayTimings, { firstBackoffMs: 20, minBackoffMs: 5, maxBackoffMs: 100 });
  });
  afterAll(() => sut?.close());

  beforeEach(async () => {
    server = await TestImapServer.start();
    proxy = await TcpProxy.to(`tcp://127.0.0.1:${server.tlsPort}`);
    const user = await sut.user();
    const port = Number(new URL(proxy.url).port);
    const id = await connectImap(sut, user, server, { port });
    mailbox = sut.app
      .get(MailboxProviders)
      .forAccount({ id, userId: user.id, email: server.user, provider: 'imap' });
    await server.append(
      'INBOX',
      Array.from({ length: MESSAGES }, (_, number) => ({
        raw: plainMail(number + 1),
        receivedAt: arrivalOf(number + 1),
      })),
    );
  });
  afterEach(async () => {
    await proxy.close();
    await server.stop();
  });

  const ids = async (): Promise<string[]> =>
    (await mailbox.listMessages({ maxResults: 100, includeSpamTrash: true }, background)).messages.map(
      ({ id }) => id,
    );
  /** Every copy in every folder, as another client sees it. */
  const everywhere = (): Promise<Record<string, string[]>> =>
    server.session(async (client) => {
      const found: Record<string, string[]> = {};
      for (const { path } of await client.list()) {
        const { exists } = await client.mailboxOpen(path, { readOnly: true });
        if (exists === 0) continue;
        found[path] = [];
        for await (const { envelope } of client.fetch('1:*', { envelope: true }))
          found[path].push(envelope?.subject ?? '');
        found[path].sort();
      }
      return found;
    });
  const all = Array.from({ length: MESSAGES }, (_, number) => `Message ${number + 1}`).sort();

  /** Cuts at many places of the exchange, which the shortest change still has: in commands, and in answers. */
  const cuts = (places: number): [string, 'to' | 'from', number][] =>
    (
      [
        ['to', 100],
        ['from', 600],
      ] as const
    ).flatMap(([direction, last]) =>
      Array.from({ length: places }, (_, index): [string, 'to' | 'from', number] => {
        const bytes = 1 + Math.round((index * last) / (places - 1));
        return [`${bytes} bytes ${direction} the server`, direction, bytes];
      }),
    );

  const spec = async (direction: 'to' | 'from', bytes: number): Promise<void> => {
    const found = await ids();
    const { id: label } = await mailbox.createLabel('Kept', background);
    const broken = async (work: () => Promise<void>): Promise<void> => {
      proxy.breakAfter(direction, bytes);
      // The gateway tries again; when it has given up, a job would.
      await waitFor('the change to be made', async () => {
        try {
          await work();
          return true;
        } catch (error) {
          if ((error as { code?: string }).code !== 'provider-unavailable') throw error;
          return false;
        }
      });
    };
    await broken(() => mailbox.modify(found, { add: [label], remove: [] }, background));
    expect(await everywhere()).toEqual({ INBOX: all, Kept: all });
    await broken(() => mailbox.modify(found, { add: [], remove: ['INBOX'] }, background));
    // Copies that the server has not named, because the answer was lost, are put aside rather than expunged.
    const { Archive: aside = [], ...folders } = await everywhere();
    expect(folders).toEqual({ Kept: all });
    expect([[], all]).toContainEqual(aside);
    await broken(() => mailbox.trash(found, background));
    expect(await everywhere()).toEqual({ Trash: [...all, ...aside].sort() });
    // When the answer that named them there was lost as well, they count as messages of their own.
    expect([...new Set((await ids()).map((id) => id.split('~')[0]))]).toEqual(found);
    expect(proxy.cuts).toBe(3);
  };

  it('should be replaced by one that serves all later calls', async () => {
    await ids();
    proxy.vanish();
    proxy.restore();
    for (let call = 0; call < 3; call += 1) await ids();
    expect(proxy.connections).toBe(1);
  });

  it.each(cuts(2))('should neither lose nor duplicate a message: cut after %s', (_name, direction, bytes) =>
    spec(direction, bytes),
  );
  nightly.each(cuts(12))(
    'should neither lose nor duplicate a message, cut after %s',
    (_name, direction, bytes) => spec(direction, bytes),
  );
});
