import { ScriptedImapServer } from '../../imap/scripted-imap-server';
import { waitFor } from '../../wait';
import { Attack, type Attacker } from '../attack';
import { htmlMessage, htmlOf, importMessages, PASSPHRASE, post, succeeded } from '../clients';
import { HostileStore } from '../hostile-store';
import type { ActionName } from '../victim';

const JOBS_PER_ACCOUNT = 3;

/** Jobs of every mailbox in one queue, each waiting for a host of the attacker's. */
abstract class FilledQueue extends Attack {
  async start(attacker: Attacker): Promise<void> {
    const begun = await this.prepare(attacker);
    for (let n = 0; n < JOBS_PER_ACCOUNT; n += 1)
      for (const id of attacker.accountIds) await this.startJob(attacker, id);
    await waitFor('a job to wait for its host', begun);
  }

  /** @returns whether a job has come to where it waits */
  protected abstract prepare(attacker: Attacker): Promise<() => boolean>;

  protected abstract startJob(attacker: Attacker, accountId: string): Promise<unknown>;

  /** The provider does not answer for the attacker's mailboxes. */
  protected hangProvider({ host, mailboxes }: Attacker): () => boolean {
    this.atEnd(() => host.sandbox.clearFaults());
    for (const email of mailboxes) host.sandbox.fault({ email, times: 'always', answer: { kind: 'hang' } });
    const calls = (): number =>
      mailboxes
        .flatMap((email) => Object.values(host.sandbox.stats.byMailbox[email] ?? {}))
        .reduce((sum, count) => sum + count, 0);
    const before = calls();
    return () => calls() > before;
  }

  /** The mail is in a store that does not answer any more. */
  protected async silentStore({ user, accountIds }: Attacker): Promise<() => boolean> {
    const store = await HostileStore.start();
    this.atEnd(() => store.stop());
    succeeded('The storage', await user.api.put('/api/storage/config', store.configuration));
    for (const id of accountIds) await importMessages(user, id, [htmlMessage(htmlOf(1_000))]);
    store.mode = 'silent';
    return () => store.held > 0;
  }
}

export class FilledArchiveQueue extends FilledQueue {
  readonly name = 'the archive queue filled';

  protected async prepare(attacker: Attacker): Promise<() => boolean> {
    return this.hangProvider(attacker);
  }

  protected startJob({ user }: Attacker, accountId: string): Promise<unknown> {
    return post(user, `/api/archive/${accountId}/archive`, { query: 'in:anywhere' });
  }
}

export class FilledBulkQueue extends FilledQueue {
  readonly name = 'the bulk queue filled';

  protected async prepare(attacker: Attacker): Promise<() => boolean> {
    return this.hangProvider(attacker);
  }

  protected startJob({ user }: Attacker, accountId: string): Promise<unknown> {
    const body = { action: 'mark_read', messageIds: ['0000000000000001'] };
    return post(user, `/api/mailbox/${accountId}/messages/bulk`, body);
  }
}

export class FilledRulesQueue extends FilledQueue {
  readonly name = 'the rules queue filled';
  override readonly aims: readonly ActionName[] = ['rule run'];
  private readonly rules = new Map<string, string>();

  protected async prepare(attacker: Attacker): Promise<() => boolean> {
    for (const accountId of attacker.accountIds) {
      const { id } = await post(attacker.user, `/api/rules/${accountId}`, {
        name: 'Waits',
        conditions: [{ field: 'subject', operator: 'contains', value: 'a' }],
        action: { type: 'mark_read' },
      });
      this.rules.set(accountId, id as string);
    }
    return this.hangProvider(attacker);
  }

  protected startJob({ user }: Attacker, accountId: string): Promise<unknown> {
    return post(user, `/api/rules/${accountId}/${this.rules.get(accountId)}/run`);
  }
}

export class FilledIndexQueue extends FilledQueue {
  readonly name = 'the index queue filled';
  override readonly aims: readonly ActionName[] = ['newsletter scan'];

  protected async prepare(attacker: Attacker): Promise<() => boolean> {
    return this.hangProvider(attacker);
  }

  protected startJob({ user }: Attacker, accountId: string): Promise<unknown> {
    return post(user, `/api/unsubscribe/${accountId}/scan`);
  }
}

export class FilledScanQueue extends FilledQueue {
  readonly name = 'the scan queue filled';
  override readonly aims: readonly ActionName[] = ['PII scan'];

  protected async prepare(attacker: Attacker): Promise<() => boolean> {
    return this.hangProvider(attacker);
  }

  protected startJob({ user }: Attacker, accountId: string): Promise<unknown> {
    return post(user, `/api/privacy/${accountId}/tracking/scan`, { maxMessages: 50 });
  }
}

export class FilledImportQueue extends FilledQueue {
  readonly name = 'the import queue filled';
  override readonly aims: readonly ActionName[] = ['mbox import'];
  private server!: ScriptedImapServer;

  protected async prepare(): Promise<() => boolean> {
    this.server = await ScriptedImapServer.start(new Map());
    this.atEnd(() => this.server.stop());
    // Taken for busy, as it always says that it is.
    this.server.misbehave = (_line, socket) => {
      const alive = setInterval(() => socket.write('* OK still here\r\n'), 1_000);
      socket.once('close', () => clearInterval(alive));
      return true;
    };
    return () => this.server.connections > 0;
  }

  protected startJob({ user }: Attacker, accountId: string): Promise<unknown> {
    const { host, port } = this.server;
    const body = { host, port, secure: false, user: 'anybody', pass: 'anything' };
    return post(user, `/api/import/${accountId}/imap`, body);
  }
}

export class FilledEncryptionQueue extends FilledQueue {
  readonly name = 'the encryption queue filled';
  override readonly aims: readonly ActionName[] = ['encryption'];

  protected async prepare(attacker: Attacker): Promise<() => boolean> {
    await post(attacker.user, '/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
    return this.silentStore(attacker);
  }

  protected startJob({ user }: Attacker, accountId: string): Promise<unknown> {
    return post(user, `/api/privacy/${accountId}/encryption/encrypt`, { passphrase: PASSPHRASE });
  }
}

export class FilledMaintenanceQueue extends FilledQueue {
  readonly name = 'the maintenance queue filled';
  override readonly aims: readonly ActionName[] = ['purge'];
  private readonly begun = new Set<string>();

  protected prepare(attacker: Attacker): Promise<() => boolean> {
    return this.silentStore(attacker);
  }

  protected async startJob({ user }: Attacker, accountId: string): Promise<unknown> {
    // An account is deleted once.
    if (this.begun.has(accountId)) return undefined;
    this.begun.add(accountId);
    return succeeded('Disconnecting', await user.api.delete(`/api/auth/mailbox/${accountId}?purge=true`));
  }
}
