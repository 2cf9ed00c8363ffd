import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReadableFailure, secondsSince } from '../lib/commands.mjs';
import { followJob } from './jobs.mjs';
import { keepEverything } from './keep-everything.mjs';
import { fact, formatBytes, step } from './progress.mjs';
import { MAIL_WITH_DOCUMENTS } from './service.mjs';

const EMAIL = 'demo@mailroom.local';
const MARK_READ = 1_000;
const ARCHIVE = 500;
const PAGE = 500;
const ARCHIVE_PAGE = 100;

/** The demo's log-in, generated on the first start and kept in the data directory. */
export function demoCredentials(dataDir) {
  const file = join(dataDir, 'demo-credentials.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const created = { email: EMAIL, password: randomBytes(12).toString('base64url') };
  writeFileSync(file, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 });
  return created;
}

/** Logs in as the demo user, who is registered on the first start. */
export async function logIn(api, credentials, dataDir) {
  step(`Logging in as ${credentials.email}`);
  try {
    await api.authenticate('/api/auth/login', credentials);
    fact('welcome back');
  } catch (error) {
    if (error.status !== 401) throw error;
    try {
      await api.authenticate('/api/auth/register', { ...credentials, name: 'Demo' });
    } catch (problem) {
      if (problem.status !== 409) throw problem;
      throw new ReadableFailure(
        `The demo user exists with another password: restore ${join(dataDir, 'demo-credentials.json')} or set DATA_DIR to another directory.`,
      );
    }
    fact('registered');
  }
}

/** The demo user's mailbox account, connected through the provider's log-in when there is none. */
export async function connectMailbox(api) {
  const find = async () => {
    const { mailboxAccounts } = await api.get('/api/auth/me');
    return mailboxAccounts.find((account) => account.status === 'connected');
  };
  let account = await find();
  if (!account) {
    step('Connecting the sandbox mailbox');
    const { url } = await api.get('/api/auth/mailbox/connect?provider=gmail');
    const page = await api.followLogin(url, '/settings');
    if (page.searchParams.get('mailbox') !== 'connected') {
      throw new ReadableFailure(`The mailbox was not connected: ${page.searchParams.get('code')}.`);
    }
    account = await find();
    if (!account) throw new ReadableFailure('The mailbox was connected, but the account is not listed.');
  }
  step(`Mailbox ${account.email}`);
  const profile = await api.get(`/api/mailbox/${account.id}/profile`);
  fact(`${profile.messagesTotal} messages in ${profile.threadsTotal} threads`);
  return account;
}

/** Marks messages read, archives some, finds, reads and exports them, makes room in the mailbox and takes it back. */
export async function tour(api, account, exportsDir) {
  const messageIds = await listMessages(api, account, MARK_READ);
  step(`Marking ${messageIds.length} messages read`);
  const bulk = { action: 'mark_read', messageIds };
  const marking = await api.post(`/api/mailbox/${account.id}/messages/bulk`, bulk);
  await followJob(api, marking.jobId);

  const chosen = messageIds.slice(0, ARCHIVE);
  step(`Archiving ${chosen.length} messages`);
  const archiving = await api.post(`/api/archive/${account.id}/archive`, { messageIds: chosen });
  await followJob(api, archiving.jobId);
  const mails = `/api/archive/${account.id}/mails`;
  await archiveDocuments(api, account);
  const { total } = await api.get(`${mails}?limit=1`);
  fact(`${total} messages are in the archive`);

  await searchAndRead(api, mails);
  await exportArchive(api, account, mails, exportsDir);
  await keepEverything(api, account, chosen, exportsDir);
}

/** Archives the mail with documents, whose text is read in the background. */
async function archiveDocuments(api, account) {
  const identifiers = readdirSync(MAIL_WITH_DOCUMENTS).map(
    (file) => /^Message-ID: <(.+)>/im.exec(readFileSync(join(MAIL_WITH_DOCUMENTS, file), 'latin1'))[1],
  );
  const q = `{${identifiers.map((identifier) => `rfc822msgid:${identifier}`).join(' ')}}`;
  const { messages } = await api.get(
    `/api/mailbox/${account.id}/messages?${new URLSearchParams({ q, maxResults: String(PAGE) })}`,
  );
  if (messages.length === 0) return;
  const messageIds = messages.map((message) => message.id);
  const { jobId } = await api.post(`/api/archive/${account.id}/archive`, { messageIds });
  await followJob(api, jobId);
  fact(
    `${messageIds.length} of them have documents, which are searchable within two minutes: plumber copper, piano lessons, HX-88120`,
  );
}

async function listMessages(api, account, wanted) {
  const ids = [];
  let pageToken = null;
  do {
    const query = new URLSearchParams({ maxResults: String(Math.min(PAGE, wanted - ids.length)) });
    if (pageToken) query.set('pageToken', pageToken);
    const page = await api.get(`/api/mailbox/${account.id}/messages?${query}`);
    ids.push(...page.messages.map((message) => message.id));
    pageToken = page.nextPageToken;
  } while (pageToken && ids.length < wanted);
  return ids;
}

async function searchAndRead(api, mails) {
  const newest = await api.get(`${mails}?limit=${ARCHIVE_PAGE}`);
  const word = newest.mails.flatMap((mail) => mail.subject?.match(/\p{L}{5,}/gu) ?? [])[0];
  if (!word) throw new ReadableFailure('No archived message has a word in its subject to search for.');
  step(`Searching the archive for “${word}”`);
  const startedAt = performance.now();
  const hits = await api.get(`${mails}?${new URLSearchParams({ q: word, limit: '5' })}`);
  fact(`${hits.total} found in ${Math.round(performance.now() - startedAt)} ms`);
  if (hits.total === 0) throw new ReadableFailure(`The search does not find “${word}”.`);
  for (const mail of hits.mails) fact(`${mail.date.slice(0, 10)}  ${mail.sender}  ${mail.subject}`);

  const withAttachment = await api.get(`${mails}?has_attachments=true&limit=1`);
  const chosen = withAttachment.mails[0] ?? hits.mails[0];
  const mail = await api.get(`${mails}/${chosen.id}`);
  step('Reading one message');
  fact(`From     ${mail.sender}`);
  fact(`To       ${mail.recipient}`);
  fact(`Subject  ${mail.subject}`);
  fact(`Date     ${mail.date}`);
  fact(`Size     ${formatBytes(mail.size_bytes)} of EML, sha256 ${mail.sha256.slice(0, 16)}…`);
  for (const { filename, mime_type: type, size_bytes: size } of mail.attachments) {
    fact(`Attached ${filename} (${type}, ${formatBytes(size)})`);
  }
}

async function exportArchive(api, account, mails, exportsDir) {
  mkdirSync(exportsDir, { recursive: true, mode: 0o700 });
  const mailIds = [];
  for (let page = 1; mailIds.length < ARCHIVE; page += 1) {
    const listed = await api.get(`${mails}?limit=${ARCHIVE_PAGE}&page=${page}`);
    mailIds.push(...listed.mails.map((mail) => mail.id));
    if (listed.mails.length < ARCHIVE_PAGE) break;
  }
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const exports = [
    {
      name: 'ZIP',
      path: `/api/archive/${account.id}/export-zip`,
      body: { mailIds },
      file: `archive-${stamp}.zip`,
      begins: 'PK',
    },
    {
      name: 'mbox',
      path: `/api/import/${account.id}/export-mbox`,
      body: { mailIds },
      file: `archive-${stamp}.mbox`,
      begins: 'From ',
    },
  ];
  for (const { name, path, body, file, begins } of exports) {
    step(`Exporting ${mailIds.length} messages as ${name}`);
    const startedAt = Date.now();
    const target = join(exportsDir, file);
    const bytes = await api.download(path, body, target);
    const start = readFileSync(target).subarray(0, begins.length).toString('latin1');
    if (start !== begins) throw new ReadableFailure(`The ${name} export in ${target} is damaged.`);
    fact(`${formatBytes(bytes)} in ${secondsSince(startedAt)}: ${target}`);
  }
}
