import { setTimeout as delay } from 'node:timers/promises';
import { asksForBytes, ScriptedImapServer } from '../../imap/scripted-imap-server';
import { waitFor } from '../../wait';
import { WebhookReceiver } from '../../webhooks/receiver';
import { Attack, type Attacker } from '../attack';
import { bulkChanges, htmlMessage, htmlOf, importMessages, PASSPHRASE, post, succeeded } from '../clients';
import { Flood } from '../flood';
import { HostileStore } from '../hostile-store';
import { SILENT_DOMAIN } from '../tenancy-host';
import type { ActionName } from '../victim';

const MIB = 1024 * 1024;

/** A user whose mail is in a store of their own. */
abstract class StoreAttack extends Attack {
  protected store!: HostileStore;

  protected async openStore({ user }: Attacker): Promise<HostileStore> {
    this.store = await HostileStore.start();
    this.atEnd(() => this.store.stop());
    succeeded('The storage', await user.api.put('/api/storage/config', this.store.configuration));
    return this.store;
  }
}

/** A bucket without end, of an account that is to be deleted. */
export class EndlessListing extends StoreAttack {
  readonly name = 'a purge of a bucket that never ends';
  override readonly aims: readonly ActionName[] = ['purge'];

  async start(attacker: Attacker): Promise<void> {
    const store = await this.openStore(attacker);
    const { user, accountIds } = attacker;
    for (const id of accountIds) await importMessages(user, id, [htmlMessage(htmlOf(1_000))]);
    store.mode = 'endless';
    for (const id of accountIds)
      succeeded('Disconnecting', await user.api.delete(`/api/auth/mailbox/${id}?purge=true`));
    await waitFor('the bucket to be listed', () => store.listings >= 3);
  }
}

/** Announces a large message and sends a byte now and then. */
export class TricklingImap extends Attack {
  readonly name = 'IMAP servers that trickle';
  override readonly aims: readonly ActionName[] = ['mbox import'];

  async start({ user, accountIds }: Attacker): Promise<void> {
    const raw = Buffer.from(htmlMessage(htmlOf(MIB)));
    const server = await ScriptedImapServer.start(new Map([[1, { raw, size: 140 * MIB }]]));
    this.atEnd(() => server.stop());
    let trickling = 0;
    server.misbehave = (line, socket) => {
      if (!asksForBytes(line, 1)) return undefined;
      const [, start = '0', length = '0'] = /<(\d+)\.(\d+)>/.exec(line) ?? [];
      socket.write(`* 1 FETCH (UID 1 BODY[]<${start}> {${length}}\r\n`);
      trickling += 1;
      void (async () => {
        for (; !socket.destroyed; await delay(500)) socket.write('x');
      })();
      return true;
    };
    const body = { host: server.host, port: server.port, secure: false, user: 'anybody', pass: 'anything' };
    for (const id of accountIds) await post(user, `/api/import/${id}/imap`, body);
    await waitFor('a message to trickle', () => trickling > 0);
  }
}

/** Mails above a megabyte, read from a store that sends a byte now and then. */
export class TricklingStore extends StoreAttack {
  readonly name = 'a store that trickles large mails';
  override readonly aims: readonly ActionName[] = ['large mail', 'safe HTML', 'export'];

  async start(attacker: Attacker): Promise<void> {
    const store = await this.openStore(attacker);
    const { user, accountIds } = attacker;
    const accountId = accountIds[0]!;
    const large = Array.from({ length: 6 }, () => htmlMessage(htmlOf(8 * MIB)));
    await importMessages(user, accountId, large);
    const { body } = await user.api.get(`/api/archive/${accountId}/mails`);
    const mailIds = (body.mails as { id: string }[]).map(({ id }) => id);
    store.mode = 'trickle';
    const ofMails = mailIds.flatMap((id) => {
      const mail = `/api/archive/${accountId}/mails/${id}`;
      return [{ path: mail }, { path: `${mail}/safe-html` }, { path: `${mail}/eml` }];
    });
    const zip = JSON.stringify({ mailIds });
    const flood = new Flood(user, 60, [
      ...ofMails,
      { method: 'POST', path: `/api/archive/${accountId}/export-zip`, body: zip },
      { method: 'POST', path: `/api/import/${accountId}/export-mbox`, body: '{}' },
    ]);
    this.atEnd(() => flood.stop());
    await waitFor('mails to trickle', () => store.held >= 3);
  }
}

const WRONG_GUESSES = 12;

/** Encryption jobs that find their user's attempts at the passphrase used up. */
export class ExhaustedPassphrase extends StoreAttack {
  readonly name = 'encryption jobs without attempts left';
  override readonly aims: readonly ActionName[] = ['encryption'];

  async start(attacker: Attacker): Promise<void> {
    const store = await this.openStore(attacker);
    const { user, accountIds } = attacker;
    for (const id of accountIds) await importMessages(user, id, [htmlMessage(htmlOf(1_000))]);
    await post(user, '/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
    // The first is held by its store until no attempt is left for the others.
    store.mode = 'silent';
    const jobs: string[] = [];
    for (const id of accountIds) {
      const { jobId } = await post(user, `/api/privacy/${id}/encryption/encrypt`, { passphrase: PASSPHRASE });
      jobs.push(jobId as string);
    }
    await waitFor('the first to read its mail', () => store.held > 0);
    const guess = JSON.stringify({ passphrase: 'not the right one' });
    const flood = new Flood(user, 2, [
      { method: 'POST', path: '/api/privacy/encryption/verify', body: guess },
    ]);
    this.atEnd(() => flood.stop());
    await waitFor('the attempts to be used up', () => (flood.answers.get(429) ?? 0) > 0);
    if (flood.answers.get(200) === undefined || flood.answers.get(200)! > WRONG_GUESSES)
      throw new Error(`Wrong passphrases were answered ${JSON.stringify([...flood.answers])}`);
    store.mode = 'honest';
    await user.jobEnd(jobs[0]!);
  }
}

const WEBHOOKS = 50;
/** Each for every webhook. */
const EVENTS = 20;

/** Receivers that never answer, or byte by byte, for more events than can be sent at a time. */
export class HangingReceivers extends Attack {
  readonly name = 'webhook receivers that do not answer';

  async start({ user, accountIds, host, mailboxes }: Attacker): Promise<void> {
    const receiver = await WebhookReceiver.start();
    this.atEnd(() => receiver.close());
    const hanging = receiver.on('/hanging', () => undefined);
    const trickling = receiver.on('/trickling', (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 500);
      response.once('close', () => clearInterval(drip));
    });
    for (let n = 0; n < WEBHOOKS; n += 1) {
      const url = n % 2 === 0 ? hanging : trickling;
      await post(user, '/api/webhooks', { name: `Hook ${n}`, url, events: ['job.completed', 'job.failed'] });
    }
    await bulkChanges({ user, accountIds, host, mailboxes }, EVENTS);
    await waitFor('receivers to be called', () => receiver.received.length >= 4);
  }
}

/** Tests of stores, and webhooks, whose names no server answers for. */
export class SilentNames extends Attack {
  readonly name = 'names that are never answered';

  async start(attacker: Attacker): Promise<void> {
    const { user, host } = attacker;
    const url = (n: number): string => `http://n${n}.${SILENT_DOMAIN}:9`;
    for (let n = 0; n < WEBHOOKS; n += 1)
      await post(user, '/api/webhooks', { name: `Hook ${n}`, url: url(n), events: ['job.completed'] });
    const requests = Array.from({ length: 40 }, (_, n) => ({
      method: 'POST',
      path: '/api/storage/test-objstore',
      body: JSON.stringify({ endpoint: url(WEBHOOKS + n), accessKeyId: 'a', secretAccessKey: 'b' }),
    }));
    const flood = new Flood(user, requests.length, requests);
    this.atEnd(() => flood.stop());
    await bulkChanges(attacker, EVENTS);
    await waitFor('names to be asked for', () => host.dns.asked.size > 1);
  }
}

/** Sends as many tests as possible of a store that does not answer. */
export class SilentStoreTests extends StoreAttack {
  readonly name = 'forty tests of a store that does not answer';

  async start(attacker: Attacker): Promise<void> {
    const store = await HostileStore.start();
    this.atEnd(() => store.stop());
    store.mode = 'silent';
    const body = JSON.stringify({ endpoint: store.endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
    const flood = new Flood(attacker.user, 40, [
      { method: 'POST', path: '/api/storage/test-objstore', body },
    ]);
    this.atEnd(() => flood.stop());
    await waitFor('the store to be asked', () => store.held > 0);
  }
}
