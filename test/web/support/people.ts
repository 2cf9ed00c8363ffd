import { expect, type APIResponse, type Page } from '@playwright/test';
import { ADMINISTRATOR } from './web-service';
import { patient } from './patience';

export const PASSWORD = 'correct horse battery';

let people = 0;

interface SignUpOptions {
  readonly mailbox?: boolean;
  /** Of their mailbox. */
  readonly messages?: number;
  /** Of their mailbox; without it each has one of their own. */
  readonly address?: string;
  /** Of the page of mailboxes, in the language of the browser. */
  readonly title?: string;
}

/**
 * A new person of the service, signed in, on the page of mailboxes; with a mailbox of their own if they are to have one.
 * The page that registers has a test of its own: here it is done as the page does it, without the page.
 * @returns their e-mail address
 */
export async function signUp(
  page: Page,
  { mailbox = false, messages = 600, address, title = 'Mailboxes' }: SignUpOptions = {},
): Promise<string> {
  people += 1;
  const name = `person-${process.pid}-${people}`;
  const email = `${name}@example.org`;
  await done(page.request.post('/api/auth/register', { data: { email, password: PASSWORD } }));
  if (mailbox) await connectMailbox(page, address ?? `${name}-${messages}@sandbox.mailroom.test`);
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  return email;
}

/** The administrator that every service has which was in use before. */
export async function signInAsAdministrator(page: Page): Promise<void> {
  await page.context().clearCookies();
  await done(page.request.post('/api/auth/login', { data: { email: ADMINISTRATOR, password: PASSWORD } }));
  await page.goto('/settings');
  await expect(page.getByRole('link', { name: 'Administration' })).toBeVisible();
}

/** The id of the person's first mailbox. */
async function accountOf(page: Page): Promise<string> {
  const me = await done(page.request.get('/api/auth/me'));
  const { mailboxAccounts } = (await me.json()) as { mailboxAccounts: { id: string }[] };
  return mailboxAccounts[0]!.id;
}

/**
 * Saves the person's whole mailbox to the archive, which takes a while.
 * @returns settles when that is done
 */
export async function archiveAll(page: Page): Promise<() => Promise<void>> {
  return startJob(page, `/api/archive/${await accountOf(page)}/archive`, { query: 'larger:1' });
}

/** Sets the person's passphrase, and encrypts everything in the archive of their mailbox. */
export async function encryptArchive(page: Page, passphrase: string): Promise<void> {
  const options = { data: { passphrase }, headers: originOf(page) };
  await done(page.request.post('/api/privacy/encryption/setup', options));
  const address = `/api/privacy/${await accountOf(page)}/encryption/encrypt`;
  await (
    await startJob(page, address, { passphrase })
  )();
}

/** @returns settles when the job has been done */
export async function startJob(page: Page, address: string, data: object): Promise<() => Promise<void>> {
  const started = await done(page.request.post(address, { data, headers: originOf(page) }));
  const { jobId } = (await started.json()) as { jobId: string };
  const status = async (): Promise<string> => {
    const job = await done(page.request.get(`/api/jobs/${jobId}`));
    return ((await job.json()) as { status: string }).status;
  };
  return () => expect.poll(status, { timeout: patient(40_000), intervals: [100] }).toBe('completed');
}

const originOf = (page: Page): { origin: string } => ({ origin: new URL(page.url()).origin });

/** The provider's consent, which sandbox mailboxes give at once. */
export async function connectMailbox(page: Page, mailbox: string): Promise<void> {
  const start = await done(page.request.get('/api/auth/mailbox/connect?provider=gmail'));
  const consent = new URL(((await start.json()) as { url: string }).url);
  consent.searchParams.set('login_hint', mailbox);
  const landed = await page.request.get(consent.href);
  expect(new URL(landed.url()).searchParams.get('mailbox'), 'what came of the consent').toBe('connected');
}

async function done(asked: Promise<APIResponse>): Promise<APIResponse> {
  const answer = await asked;
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`);
  return answer;
}
