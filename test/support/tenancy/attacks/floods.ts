import { DataSource } from 'typeorm';
import { generateArchivedMails } from '../../archive/generated-mails';
import { EventStream } from '../../event-stream';
import { waitFor } from '../../wait';
import { Attack, type Attacker } from '../attack';
import { bulkChanges, htmlMessage, importMessages, PASSPHRASE, post } from '../clients';
import { Flood, type FloodRequest } from '../flood';
import type { ActionName } from '../victim';

/** A request, or some, that are repeated by many clients at a time. */
abstract class FloodAttack extends Attack {
  protected abstract readonly atOnce: number;

  async start(attacker: Attacker): Promise<void> {
    const requests = await this.prepare(attacker);
    const flood = new Flood(attacker.user, this.atOnce, requests);
    this.atEnd(() => flood.stop());
    await flood.inFull(this.atOnce);
  }

  protected abstract prepare(attacker: Attacker): Promise<readonly FloodRequest[]>;
}

/** Job rows as large as they may be. */
export class ManyLargeJobs extends FloodAttack {
  readonly name = 'jobs of 50,000 ids each';
  protected readonly atOnce = 10;

  protected async prepare({ accountIds }: Attacker): Promise<readonly FloodRequest[]> {
    const messageIds = Array.from({ length: 50_000 }, (_, n) => n.toString(16).padStart(16, '0'));
    const body = JSON.stringify({ action: 'mark_read', messageIds });
    return accountIds.map((id) => ({ method: 'POST', path: `/api/mailbox/${id}/messages/bulk`, body }));
  }
}

/** The right passphrase: nothing of it counts as guessing. */
export class RightPassphrases extends FloodAttack {
  readonly name = 'right passphrases, again and again';
  override readonly aims: readonly ActionName[] = ['unlock', 'encryption'];
  protected readonly atOnce = 40;

  protected async prepare({ user }: Attacker): Promise<readonly FloodRequest[]> {
    await post(user, '/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
    const body = JSON.stringify({ passphrase: PASSPHRASE });
    return [{ method: 'POST', path: '/api/privacy/encryption/verify', body }];
  }
}

/** The right password of a known user: signing in costs the service a quarter of a second of a core. */
export class RightPasswords extends FloodAttack {
  readonly name = 'right passwords, again and again';
  override readonly aims: readonly ActionName[] = ['unlock'];
  protected readonly atOnce = 40;

  protected async prepare({ user }: Attacker): Promise<readonly FloodRequest[]> {
    const body = JSON.stringify({ email: user.email, password: user.password });
    return [{ method: 'POST', path: '/api/auth/login', body }];
  }
}

const MAILS = 60_000;

/** Words that nearly every mail has, fragments of every sender, the last pages: of a large archive. */
export class ExpensiveSearches extends FloodAttack {
  readonly name = 'fifty expensive searches at a time';
  override readonly aims: readonly ActionName[] = ['large mail'];
  protected readonly atOnce = 50;

  protected async prepare({ host, user, accountIds }: Attacker): Promise<readonly FloodRequest[]> {
    const accountId = accountIds[0]!;
    const database = await new DataSource({ type: 'postgres', url: host.databaseUrl }).initialize();
    try {
      await generateArchivedMails(database, { accountId, userId: user.id, count: MAILS });
    } finally {
      await database.destroy();
    }
    const mails = `/api/archive/${accountId}/mails`;
    const threads = `/api/archive/${accountId}/threads`;
    return [
      'q=w1',
      'q=w1&page=400',
      'sender=e',
      'q=w1%20w2&page=900',
      'has_attachments=true&page=200',
      'page=1100',
    ]
      .map((query) => `${query}&limit=50`)
      .flatMap((query) => [{ path: `${mails}?${query}` }, { path: `${threads}?${query}` }]);
  }
}

const SEAMS =
  '<table><tr><td style="color:red;background:url(x)"><b>text</b><a href="https://shop.test/?u=1">link</a>';

/** Mails whose rendering keeps a thread busy for as long as can be. */
export class HeavyRendering extends FloodAttack {
  readonly name = 'mails that take long to render';
  override readonly aims: readonly ActionName[] = ['safe HTML', 'PII scan'];
  protected readonly atOnce = 40;

  protected async prepare({ user, accountIds }: Attacker): Promise<readonly FloodRequest[]> {
    const accountId = accountIds[0]!;
    await importMessages(
      user,
      accountId,
      Array.from({ length: 4 }, () => htmlMessage(`${SEAMS}\n`.repeat(8_000))),
    );
    const { body } = await user.api.get(`/api/archive/${accountId}/mails`);
    return (body.mails as { id: string }[]).map(({ id }) => ({
      path: `/api/archive/${accountId}/mails/${id}/safe-html`,
    }));
  }
}

const ENDPOINTS = { endpoint: 'messages.get', times: 'always', answer: { kind: 'hang' } } as const;

/** Reading live mail while the provider does not answer for this mailbox. */
export class HangingProvider extends FloodAttack {
  readonly name = 'a provider that does not answer';
  override readonly aims: readonly ActionName[] = ['newsletter scan'];
  protected readonly atOnce = 60;

  protected async prepare({ host, user, accountIds, mailboxes }: Attacker): Promise<readonly FloodRequest[]> {
    const lists = accountIds.map((id) => `/api/mailbox/${id}/messages`);
    const requests: FloodRequest[] = [];
    for (const path of lists) {
      const { body } = await user.api.get(`${path}?maxResults=10`);
      for (const { id } of body.messages as { id: string }[]) requests.push({ path: `${path}/${id}/full` });
    }
    this.atEnd(() => host.sandbox.clearFaults());
    for (const email of mailboxes) host.sandbox.fault({ ...ENDPOINTS, email });
    // Background calls hold memory for as long as the provider lets them.
    for (const id of accountIds) await post(user, `/api/archive/${id}/archive`, { query: 'in:anywhere' });
    return requests;
  }
}

/** The number of events sent to every stream. */
const EVENTS = 40;

/** More event streams than a user may have, all unread, with many events to send. */
export class EventStreams extends Attack {
  readonly name = 'event streams up to the limit';

  async start(attacker: Attacker): Promise<void> {
    const streams: EventStream[] = [];
    this.atEnd(() => {
      for (const stream of streams) stream.close();
    });
    for (const path of ['/api/jobs/events', '/api/notifications/events']) {
      await waitFor(`the limit of ${path}`, async () => {
        const stream = await EventStream.open(attacker.user.api, path);
        streams.push(stream);
        return stream.status === 429;
      });
    }
    await bulkChanges(attacker, EVENTS);
  }
}
