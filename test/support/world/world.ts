import { v7 } from 'uuid';
import { SecretBox } from '../../../src/platform/crypto/secret-box';
import { RedisService } from '../../../src/platform/redis/redis.service';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import type { TestApp } from '../app';
import { quickHash } from '../quick-hashes';
import type { TestUser } from '../test-user';
import { waitFor } from '../wait';
import type { WebhookReceiver } from '../webhooks/receiver';
import { Operation, OPERATIONS, resolve } from './operations';
import { fill, toWire } from './requests';

const PASSPHRASE = 'a passphrase of a world';

/** A message that is everything at once: with an attachment, HTML, and of a newsletter. */
const message = (name: string, number: number): string =>
  [
    `From: "News of ${name}" <news@${name}.example>`,
    `To: <reader@${name}.example>`,
    `Subject: Number ${number} of ${name}`,
    `Message-ID: <${number}@${name}.example>`,
    `Date: Mon, 0${number} Jun 2026 10:00:00 +0000`,
    `List-Unsubscribe: <https://${name}.example/leave>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>Hello <img src="https://pixel.${name}.example/p.gif" width="1" height="1"> 4111 1111 1111 1111</p>`,
    '--b',
    'Content-Type: text/plain; name=notes.txt',
    'Content-Disposition: attachment; filename=notes.txt',
    '',
    `Notes of ${name}`,
    '--b--',
    '',
  ].join('\r\n');

export interface WorldOptions {
  /** A part of its addresses that no other user's addresses contain. */
  readonly name: string;
  /**
   * Mailboxes of the sandbox number their messages and labels alike: those of a world with a higher serial are unknown
   * to mailboxes of lower ones.
   */
  readonly serial: number;
  readonly admin: TestUser;
  /** The address of its webhook. */
  readonly receiver: WebhookReceiver;
}

/** A user with one real resource for every path parameter of openapi.json. */
export class World {
  /** Values of the path parameters, by name. */
  readonly parameters: Record<string, string> = {};
  /** Values of other fields that only this user has, by name. */
  readonly values: Record<string, string> = { passphrase: PASSPHRASE };
  /** Nothing listens there. */
  readonly imapServer = { email: 'ada@imap.test', password: 'x', host: '127.0.0.1', port: 1 };
  /** A second account of the user's; a job of it is under way for ever. */
  spareAccountId = '';
  encryptedMailId = '';
  secondSearchId = '';

  private constructor(
    readonly app: TestApp,
    readonly options: WorldOptions,
    readonly user: TestUser,
    /** The user whom administrators change. */
    readonly subject: TestUser,
    readonly mailbox: SandboxMailbox,
  ) {}

  static async create(app: TestApp, options: WorldOptions): Promise<World> {
    const { name } = options;
    const user = await app.user(name);
    const subject = await app.user(`${name}-subject`);
    const email = `${name}-12@sandbox.mailroom.test`;
    const accountId = await user.connect(email);
    const world = new World(app, options, user, subject, app.sandbox.mailbox(email));
    Object.assign(world.parameters, { accountId, userId: subject.id });
    Object.assign(world.values, { password: user.password, current: user.password });
    world.spareAccountId = await user.connect(`${name}-spare-2@sandbox.mailroom.test`);
    await world.fillMailbox();
    await world.fillArchive();
    await world.makeRecords();
    await world.insertRows();
    await world.storeConsent();
    await world.createByDocument();
    await world.settled();
    return world;
  }

  get accountId(): string {
    return this.parameters['accountId']!;
  }

  get refreshToken(): string {
    return this.values['refresh_token']!;
  }

  /** The value of a field of that name, where only this user has one; `mailboxAccountId` is an `accountId`. */
  valueOf(field: string): string | undefined {
    const name = field.endsWith('AccountId') ? 'accountId' : field;
    return this.parameters[name] ?? this.values[name];
  }

  get token(): string {
    return this.user.api.token!;
  }

  /** Resolves when nothing of the user's is running but the job that always is. */
  async settled(): Promise<void> {
    await waitFor(`jobs of ${this.options.name} to end`, async () => {
      const { body } = await this.user.api.get<{ status: string; queue_id: string }[]>('/api/jobs?limit=500');
      return body.every(
        ({ status, queue_id: id }) =>
          id === this.parameters['jobId'] || !['pending', 'active'].includes(status),
      );
    });
  }

  /** Deletes uploads that are under way, but the one that always is, and waits for the imports of those that are complete. */
  async endUploads(): Promise<void> {
    const path = `/api/import/${this.accountId}/uploads`;
    const { body } = await this.user.api.get<{ id: string }[]>(path);
    const others = body.filter(({ id }) => id !== this.parameters['uploadId']);
    for (const { id } of others) await this.user.api.delete(`${path}/${id}`);
    await this.settled();
  }

  private async fillMailbox(): Promise<void> {
    const { name, serial } = this.options;
    for (let number = 1; number <= serial + 1; number += 1) {
      const messageId = this.mailbox.insert(message(name, number), { labelIds: ['INBOX', 'UNREAD'] });
      const label = await this.post(`/api/mailbox/${this.accountId}/labels`, { name: `${name} ${number}` });
      Object.assign(this.parameters, {
        messageId,
        partId: '1',
        labelId: label.id as string,
        threadId: this.mailbox.threadId(messageId),
        senderEmail: `news@${name}.example`,
      });
    }
    // Reads the newest messages' headers, so that nothing starts to index later.
    await this.get(`/api/unsubscribe/${this.accountId}/newsletters`);
    const { nextPageToken } = await this.get(`/api/mailbox/${this.accountId}/messages?maxResults=2`);
    this.values['pageToken'] = nextPageToken as string;
  }

  private async fillArchive(): Promise<void> {
    const { accountId, messageId } = this.parameters;
    const [other] = this.mailbox.ids().filter((id) => id !== messageId);
    await this.post('/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
    await this.app.dataSource.query('UPDATE encryption_passphrases SET hash = $2 WHERE user_id = $1', [
      this.user.id,
      quickHash(PASSPHRASE),
    ]);
    await this.runJob(`/api/archive/${accountId}/archive`, { messageIds: [other] });
    await this.runJob(`/api/privacy/${accountId}/encryption/encrypt`, { passphrase: PASSPHRASE });
    await this.runJob(`/api/archive/${accountId}/archive`, { messageIds: [messageId] });
    await this.runJob(`/api/privacy/${accountId}/pii/scan`);
    await this.runJob(`/api/privacy/${accountId}/tracking/scan`);
    const { mails } = await this.get(`/api/archive/${accountId}/mails`);
    const idOf = (message: string | undefined): string =>
      (mails as { id: string; mailbox_message_id: string }[]).find(
        ({ mailbox_message_id: id }) => id === message,
      )!.id;
    this.parameters['mailId'] = idOf(messageId);
    this.encryptedMailId = idOf(other);
    const { attachments } = await this.get(`/api/archive/${accountId}/mails/${this.parameters['mailId']}`);
    this.parameters['attachmentId'] = attachments[0].id as string;
  }

  private async makeRecords(): Promise<void> {
    const { accountId } = this.parameters;
    const { email, password } = this.user;
    const selection = await this.post(`/api/mailbox/${accountId}/selections`, { query: '' });
    const session = await this.post('/api/auth/login', { email, password });
    // A session beside those in use; the one signed in last is listed first.
    await this.post('/api/auth/login', { email, password });
    const [ended] = await this.get('/api/auth/sessions');
    const passkeyId = v7();
    await this.app.dataSource.query(
      `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, is_synced)
       VALUES ($1::uuid, $2, 'World', uuid_send($1::uuid), '\\x00', 0, false)`,
      [passkeyId, this.user.id],
    );
    const upload = await this.post(`/api/import/${accountId}/uploads`, { filename: 'a.mbox', size: 1_000 });
    Object.assign(this.values, {
      selectionId: selection.id as string,
      refresh_token: session.refresh_token as string,
    });
    Object.assign(this.parameters, {
      sessionId: ended.id as string,
      uploadId: upload.id as string,
      passkeyId,
    });
  }

  /**
   * A resource for every path parameter that has none yet: `POST /api/rules/{accountId}` makes the `ruleId` of
   * `GET /api/rules/{accountId}/{ruleId}`.
   */
  private async createByDocument(): Promise<void> {
    for (const { path } of OPERATIONS) {
      const [, collection, name] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
      const create = OPERATIONS.find(
        ({ key, answer }) => key === `POST ${collection}` && answer && resolve(answer).properties?.['id'],
      );
      if (name && create && !this.parameters[name]) this.parameters[name] = await this.create(create);
    }
    // The last to expire, and the last to make room for others.
    await this.app.dataSource.query(
      `UPDATE prepared_exports SET created_at = now() + interval '1 day', expires_at = now() + interval '2 days'
        WHERE id = $1`,
      [this.parameters['exportId']],
    );
    this.secondSearchId = await this.create(
      OPERATIONS.find(({ key }) => key === 'POST /api/saved-searches')!,
    );
  }

  /** @returns the id of what a valid request of the operation makes */
  private async create(operation: Operation): Promise<string> {
    const { target } = toWire(fill(operation, this), null);
    return (await this.post(target, fill(operation, this).body as object)).id as string;
  }

  /** Stores a consent with a code that has ended, which needs an issuer otherwise. */
  private async storeConsent(): Promise<void> {
    const [redis, secretBox] = [this.app.app.get(RedisService), this.app.app.get(SecretBox)];
    const consentId = v7();
    const consent = {
      ...{ userId: this.user.id, sessionId: v7(), provider: 'microsoft', accountId: null, deviceCode: '' },
      ...{ expiresAt: new Date().toISOString(), intervalSeconds: 5 },
      result: { status: 'connected', accountId: this.accountId, email: 'world@outlook.example' },
    };
    const key = redis.key('device-consent', consentId);
    await redis.client.set(key, secretBox.seal(consent, consentId), 'EX', 3_600);
    this.parameters['consentId'] = consentId;
  }

  /** Inserts rows that would take detours over the API. */
  private async insertRows(): Promise<void> {
    const { dataSource } = this.app;
    const suggestionId = v7();
    const restoreId = v7();
    // Its dry run has expired: it is shown, and cannot be started.
    await dataSource.query(
      `INSERT INTO restores (id, user_id, account_id, target_account_id, selection, labels, on_different, verify, status,
         job_id, mails, planned_at, expires_at)
       VALUES ($1, $2, $3, $3, '{"all": true}', 'original', 'skip', true, 'ready', 'restore_mails-1', 1, now(), now())`,
      [restoreId, this.user.id, this.accountId],
    );
    await dataSource.query(
      `INSERT INTO restore_items (restore_id, account_id, position, mail_id, source_thread) VALUES ($1, $2, 0, $3, 'x')`,
      [restoreId, this.accountId, this.parameters['mailId']],
    );
    this.parameters['restoreId'] = restoreId;
    await dataSource.query(
      `INSERT INTO cleanup_suggestions
         (id, user_id, account_id, type, subject_of, title, description, sender, email_count, total_size_bytes, query, computed_at)
       VALUES ($1, $2, $3, 'bulk_unread', 'world', 'World', 'World', 'x@world.example', 20, 1, 'from:(x)', now())`,
      [suggestionId, this.user.id, this.accountId],
    );
    await dataSource.query(
      `INSERT INTO archiving_settings (account_id, mode) VALUES ($1, 'watch'), ($2, 'watch')`,
      [this.accountId, this.spareAccountId],
    );
    await dataSource.query(
      `INSERT INTO ledger_messages (account_id, message_id, class, due_at) VALUES ($1, $2, 'pending', now())`,
      [this.accountId, this.parameters['messageId']],
    );
    const notificationId = v7();
    await dataSource.query(
      `INSERT INTO notifications (id, user_id, type, title, body, data, event_key)
       VALUES ($1, $2, 'job_completed', 'World', 'World', '{}', $3)`,
      [notificationId, this.user.id, notificationId],
    );
    const planId = await this.insertOffload();
    // Some process holds it until tomorrow.
    const jobRecordId = v7();
    this.values['before'] = jobRecordId;
    const [job] = await dataSource.query(
      `INSERT INTO jobs (id, type, lane, user_id, mailbox_account_id, status, payload, lease_token, lease_until, started_at)
       VALUES ($1, 'bulk_operation', 'interactive-bulk', $2, $3, 'active', '{"action": "mark_read", "messageIds": ["1"]}',
               gen_random_uuid(), now() + interval '1 day', now())
       RETURNING number`,
      [jobRecordId, this.user.id, this.spareAccountId],
    );
    Object.assign(this.parameters, {
      suggestionId,
      notificationId,
      planId,
      jobId: `bulk_operation-${job.number as string}`,
    });
  }

  /** An offload that is done, of a message that has gone since, and a schedule that does nothing. */
  private async insertOffload(): Promise<string> {
    const { dataSource } = this.app;
    const planId = v7();
    const owner = [this.user.id, this.accountId];
    await dataSource.query(
      `INSERT INTO offload_plans (id, user_id, account_id, selection, mode, allowed, status, figures, counts, digest, ended_at)
       VALUES ($3, $1, $2, '{"query": ""}', 'fast', '{"starred": false, "important": false, "unread": false}', 'done',
         '{"selected": 1, "offloadable": 1, "bytes": 1, "encrypted": 0, "starred": 0, "important": 0, "oldest": null, "newest": null}',
         '{"trashed": 1, "trashedBytes": 1, "blocked": 0, "left": 0, "blockedBy": {}}', repeat('0', 64), now())`,
      [...owner, planId],
    );
    await dataSource.query(
      `INSERT INTO offload_items (plan_id, account_id, position, message_id, mail_id, sha256, size_bytes, labels, state,
         verified_at, trashed_at)
       VALUES ($2, $1, 0, 'gone', $2, repeat('0', 64), 1, '{}', 'trashed', now(), now())`,
      [this.accountId, planId],
    );
    await dataSource.query(
      `INSERT INTO offload_receipts (plan_id, user_id, account_id, statement, signature, key_id)
       VALUES ($3, $1, $2, '{}', '', repeat('0', 32))`,
      [...owner, planId],
    );
    await dataSource.query(
      `INSERT INTO offload_schedules (user_id, account_id, selection, mode, grace_days, max_per_night, is_active)
       VALUES ($1, $2, '{"query": ""}', 'fast', 30, 10, false)`,
      owner,
    );
    return planId;
  }

  private async get(path: string): Promise<any> {
    const { status, body, bytes } = await this.user.api.get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${bytes.toString()}`);
    return body;
  }

  private async post(path: string, request?: object): Promise<any> {
    const { status, body, bytes } = await this.user.api.post(path, request);
    if (status >= 300) throw new Error(`${path} answered ${status}: ${bytes.toString()}`);
    return body;
  }

  private async runJob(path: string, request?: object): Promise<void> {
    const { jobId } = await this.post(path, request);
    const { status, error, failed } = await this.user.jobEnd(jobId as string);
    if (status !== 'completed' || failed > 0)
      throw new Error(`${path}: ${status}, ${failed} failed, ${error}`);
  }
}
