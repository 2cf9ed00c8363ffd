import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReadableFailure, ROOT, run } from '../lib/commands.mjs';
import { followJob } from './jobs.mjs';
import { fact, formatBytes, step } from './progress.mjs';

const OFFLOADED = 100;
/** The ledger follows the mailbox by itself; here it has just been switched on. */
const LEDGER_TIMEOUT_MS = 60_000;

/**
 * Shows what became of each message, offloads messages with a receipt, and restores them: at the end the mailbox is as it
 * was.
 * @param archivedIds messages that are in the archive
 */
export async function keepEverything(api, account, archivedIds, receiptsDir) {
  await showCoverage(api, account);
  const planId = await offload(api, account, archivedIds.slice(0, OFFLOADED));
  if (planId === null) return;
  await checkReceipt(api, account, planId, receiptsDir);
  await restore(api, account, planId);
}

/** Shows the coverage without copying anything by itself: `mode: "keep"` would archive the whole mailbox. */
async function showCoverage(api, { id }) {
  step('Looking what became of each message of the mailbox');
  const { mode } = await api.get(`/api/archiving/${id}`);
  if (mode === 'off') await api.put(`/api/archiving/${id}`, { mode: 'watch' });
  const giveUpAt = Date.now() + LEDGER_TIMEOUT_MS;
  for (;;) {
    const coverage = await api.get(`/api/coverage/${id}`);
    if (coverage.exact) {
      const { total, verified, archived, excluded, failed, pending } = coverage;
      fact(
        `${total} messages: ${verified} verified, ${archived} archived, ${excluded} excluded, ${failed} failed, ${pending} not archived`,
      );
      return;
    }
    if (Date.now() > giveUpAt) throw new ReadableFailure('The ledger does not become exact.');
    await sleep(200);
  }
}

/** @returns the plan's id; null when no message can go */
async function offload(api, { id }, messageIds) {
  step(`Making room: ${messageIds.length} archived messages go to the mailbox's trash`);
  const plans = `/api/offload/${id}/plans`;
  const { planId, jobId } = await api.post(plans, {
    select: { messageIds },
    allow: { starred: true, important: true },
  });
  await followJob(api, jobId);
  const { digest, offloadable, blocked, blockedBy, bytes } = await api.get(`${plans}/${planId}`);
  fact(`${offloadable} can go, ${formatBytes(bytes)}; ${blocked} stay ${JSON.stringify(blockedBy)}`);
  if (offloadable === 0) return null;
  const confirmed = await api.post(`${plans}/${planId}/confirm`, { digest, count: offloadable });
  await followJob(api, confirmed.jobId);
  fact('each copy was read and compared with its message before that went to the trash');
  return planId;
}

async function checkReceipt(api, { id }, planId, folder) {
  step('Checking the receipt, without the service');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = ['json', 'ndjson', 'pem'].map((extension) => join(folder, `receipt-${planId}.${extension}`));
  const [receiptFile, itemsFile, keyFile] = files;
  const receipt = await api.get(`/api/offload/${id}/receipts/${planId}`);
  writeFileSync(receiptFile, JSON.stringify(receipt));
  writeFileSync(itemsFile, await api.text(`/api/offload/${id}/receipts/${planId}/items`));
  const keys = await api.get('/api/offload/keys');
  writeFileSync(keyFile, keys.find(({ keyId }) => keyId === receipt.keyId).publicKey);
  const command = [
    'dist/src/cli/main.js',
    'receipt:verify',
    receiptFile,
    '--items',
    itemsFile,
    '--key',
    keyFile,
  ];
  const { ok, output } = await run('node', command, { capture: true, cwd: ROOT });
  if (!ok) throw new ReadableFailure(`The receipt was refused:\n${output}`);
  for (const line of output.trim().split('\n')) fact(line);
}

async function restore(api, { id }, planId) {
  step('Taking them back');
  const planned = await api.post(`/api/restore/${id}`, { select: { planId }, target: { accountId: id } });
  await followJob(api, planned.jobId);
  const started = await api.post(`/api/restore/${id}/${planned.restoreId}/start`);
  await followJob(api, started.jobId);
  const { counts } = await api.get(`/api/restore/${id}/${planned.restoreId}`);
  fact(
    `${counts.untrashed} came back from the trash, ${counts.inserted} were added, ${counts.failed} failed`,
  );
}
