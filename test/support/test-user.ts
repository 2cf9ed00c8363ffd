import { ApiClient } from './api-client';
import { waitFor } from './wait';

const FINISHED = ['completed', 'failed', 'cancelled'];

/** A registered user with a client of their own. */
export class TestUser {
  constructor(
    readonly id: string,
    readonly email: string,
    readonly password: string,
    readonly api: ApiClient,
  ) {}

  /**
   * Connects a sandbox mailbox through the real OAuth flow.
   * @param mailbox its address; `name-<count>@…` makes a mailbox of that many generated messages
   * @returns the account id
   */
  async connect(mailbox: string): Promise<string> {
    const start = await this.api.get<{ url: string }>('/api/auth/mailbox/connect?provider=gmail');
    if (start.status !== 200) throw new Error(`connect answered ${start.status}: ${start.bytes.toString()}`);
    const consent = new URL(start.body.url);
    consent.searchParams.set('login_hint', mailbox);
    const granted = await fetch(consent, { redirect: 'manual' });
    const callback = granted.headers.get('location');
    if (!callback) throw new Error(`The provider answered ${granted.status} without a redirect`);
    const target = new URL(callback);
    const done = await this.api.fetch('GET', `${target.pathname}${target.search}`);
    const landing = done.headers.get('location') ?? '';
    if (!landing.includes('mailbox=connected'))
      throw new Error(`The callback answered ${done.status} to ${landing}`);
    const me = await this.api.get<{ mailboxAccounts: { id: string; email: string }[] }>('/api/auth/me');
    const account = me.body.mailboxAccounts.find((candidate) => candidate.email === mailbox.toLowerCase());
    if (!account) throw new Error(`${mailbox} is not among the user's accounts`);
    return account.id;
  }

  /** Waits until a job has ended, whatever way, and returns its record. */
  async jobEnd(jobId: string, timeoutMs = 60_000): Promise<any> {
    return waitFor(
      `job ${jobId} to end`,
      async () => {
        const { status, body } = await this.api.get(`/api/jobs/${jobId}`);
        if (status !== 200) throw new Error(`job ${jobId} answered ${status}`);
        return FINISHED.includes(body.status) && body.completed_at !== null ? body : undefined;
      },
      timeoutMs,
      100,
    );
  }
}
