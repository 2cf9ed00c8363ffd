import { RawClient } from '../../raw-http';
import { waitFor } from '../../wait';
import type { TestUser } from '../../test-user';
import { Attack, type Attacker } from '../attack';
import { htmlMessage, htmlOf, importMessages } from '../clients';
import type { ActionName } from '../victim';

const UPLOADS = 40;
const GIB = 1024 ** 3;
/** Between two bytes of an upload. */
const DRIP_MS = 1_000;

/** Uploads that announce more than there is room for, together, and come byte by byte. */
export class TricklingUploads extends Attack {
  readonly name = 'uploads of 40 GiB that trickle';
  override readonly aims: readonly ActionName[] = ['mbox import'];

  async start({ user, accountIds }: Attacker): Promise<void> {
    const clients = Array.from({ length: UPLOADS }, (_, n) => {
      const client = new RawClient(user.api.baseUrl);
      const part = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.mbox"\r\n\r\n';
      return client.send(
        [
          `POST /api/import/${accountIds[n % accountIds.length]}/mbox HTTP/1.1`,
          'Host: localhost',
          `Authorization: Bearer ${user.api.token}`,
          'Content-Type: multipart/form-data; boundary=cut',
          `Content-Length: ${40 * GIB}`,
          '',
          part,
        ].join('\r\n'),
      );
    });
    this.atEnd(() => {
      for (const client of clients) client.leave();
    });
    const drip = setInterval(() => {
      for (const client of clients) if (!client.closed) client.send('x');
    }, DRIP_MS);
    this.atEnd(() => clearInterval(drip));
    // Refused clients are answered at once; the others wait.
    await waitFor('the uploads to be taken up', () =>
      clients.some((client) => client.socket.bytesWritten > 0),
    );
  }
}

/** Between two bytes that are read. */
const READ_MS = 1_000;

/** A request of which nothing is read but a byte now and then. */
function slowReader(
  { user, atEnd }: { user: TestUser; atEnd(end: () => void): void },
  [method, path, content]: readonly [method: string, path: string, content: string],
): RawClient {
  const client = new RawClient(user.api.baseUrl, false);
  client.socket.pause();
  const reading = setInterval(() => client.socket.read(1), READ_MS);
  atEnd(() => {
    clearInterval(reading);
    client.leave();
  });
  return client.send(
    [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${user.api.token}`,
      'Content-Type: application/json',
      `Content-Length: ${content.length}`,
      '',
      content,
    ].join('\r\n'),
  );
}

const READERS = 300;

/** The largest mail that is sent in one piece, asked for again and again and never read. */
export class UnreadMails extends Attack {
  readonly name = 'mails of 20 MiB that nobody reads';
  override readonly aims: readonly ActionName[] = ['large mail', 'safe HTML'];

  async start({ user, accountIds }: Attacker): Promise<void> {
    const accountId = accountIds[0]!;
    await importMessages(user, accountId, [htmlMessage(htmlOf(20 * 1024 * 1024))]);
    const { body } = await user.api.get(`/api/archive/${accountId}/mails`);
    const path = `/api/archive/${accountId}/mails/${body.mails[0].id}`;
    const atEnd = (end: () => void): void => this.atEnd(end);
    const clients = Array.from({ length: READERS }, () => slowReader({ user, atEnd }, ['GET', path, '']));
    await waitFor('answers to begin', () => clients.some(({ socket }) => socket.bytesRead > 0));
  }
}

const DOWNLOADS = 60;
const MAILS = 24;

/** Downloads of whole archives by clients that read a byte now and then. */
export class SlowDownloads extends Attack {
  readonly name = 'downloads that are read byte by byte';
  override readonly aims: readonly ActionName[] = ['export', 'large mail'];

  async start({ user, accountIds }: Attacker): Promise<void> {
    const accountId = accountIds[0]!;
    const messages = Array.from({ length: MAILS }, () => htmlMessage(htmlOf(1024 * 1024)));
    await importMessages(user, accountId, messages);
    const { body } = await user.api.get(`/api/archive/${accountId}/mails?limit=50`);
    const mailIds = (body.mails as { id: string }[]).map(({ id }) => id);
    const requests = [
      ['POST', `/api/import/${accountId}/export-mbox`, '{}'],
      ['POST', `/api/archive/${accountId}/export-zip`, JSON.stringify({ mailIds })],
      ['GET', `/api/archive/${accountId}/mails/${mailIds[0]}/eml`, ''],
      ['GET', `/api/archive/${accountId}/mails/${mailIds[1]}/safe-html`, ''],
    ] as const;
    const atEnd = (end: () => void): void => this.atEnd(end);
    const clients = Array.from({ length: DOWNLOADS }, (_, n) =>
      slowReader({ user, atEnd }, requests[n % requests.length]!),
    );
    await waitFor('downloads to begin', () => clients.some(({ socket }) => socket.bytesRead > 0));
  }
}
