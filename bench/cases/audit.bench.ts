import type { INestApplicationContext } from '@nestjs/common';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import { AuditHashes, microseconds, NewAuditEntry } from '../../src/platform/audit/audit-hashes';
import type { BenchEnvironment } from '../bench-environment';
import type { Figure } from '../report';
import { serviceContext } from '../service-context';

const ENTRIES = 100_000;
const BATCH = 5_000;
const WATCH_MS = 50;

/** The command `audit:verify`, as operators run it, over a long log. */
export async function benchAudit(environment: BenchEnvironment): Promise<Figure[]> {
  const context = await serviceContext(environment);
  const total = await fill(context).finally(() => context.close());
  const { output, seconds, peak } = await verify(environment);
  const fitting = Number(/^(\d+) entries fit/.exec(output)?.[1]);
  const figure: Figure = {
    work: `audit:verify of ${total.toLocaleString('en')} entries, with the start of the command`,
    measured: `${seconds.toFixed(1)} s, ${(fitting / seconds).toFixed(0)} entries/s, ${fitting} fit, peak RSS ${peak.toFixed(0)} MiB`,
    budget: 'all fit, < 400 MB',
    met: fitting === total && peak < 381,
  };
  return [figure];
}

/** Adds entries as the service writes them. @returns how many there are then */
async function fill(context: INestApplicationContext): Promise<number> {
  const dataSource = context.get(DataSource);
  const hashes = context.get(AuditHashes);
  const userId = randomUUID();
  return dataSource.transaction(async (manager) => {
    await manager.query(
      `INSERT INTO audit_head (id, sequence, hash, mac) VALUES (1, 0, '', '') ON CONFLICT DO NOTHING`,
    );
    const [head] = await manager.query<{ sequence: string; hash: Buffer }[]>(
      'SELECT sequence, hash FROM audit_head WHERE id = 1 FOR UPDATE',
    );
    let { hash } = head!;
    let sequence = Number(head!.sequence);
    const end = sequence + ENTRIES;
    while (sequence < end) {
      const rows: Record<string, unknown>[] = [];
      while (sequence < end && rows.length < BATCH) {
        sequence += 1;
        const entry = newEntry(sequence, userId);
        hash = hashes.ofEntry({ ...entry, occurredAt: microseconds(entry.occurredAt) }, hash);
        rows.push({ ...entry, hash: hash.toString('hex') });
      }
      await manager.query(
        `INSERT INTO audit_entries (sequence, id, occurred_at, action, outcome, actor_kind, actor_id, user_id, account_id,
                                    target_type, target_id, address, request_id, api_key_id, job_id, details, hash)
         SELECT sequence, id, "occurredAt", action, outcome, "actorKind", "actorId", "userId", "accountId", "targetType",
                "targetId", address, "requestId", "apiKeyId", "jobId", details, decode(hash, 'hex')
         FROM jsonb_to_recordset($1) AS entry (
           sequence bigint, id uuid, "occurredAt" timestamptz, action text, outcome text, "actorKind" text,
           "actorId" uuid, "userId" uuid, "accountId" uuid, "targetType" text, "targetId" text, address text,
           "requestId" text, "apiKeyId" uuid, "jobId" text, details jsonb, hash text)`,
        [JSON.stringify(rows)],
      );
    }
    await manager.query('UPDATE audit_head SET sequence = $1, hash = $2, mac = $3 WHERE id = 1', [
      sequence,
      hash,
      hashes.ofHead({ sequence, hash }),
    ]);
    return sequence;
  });
}

const newEntry = (sequence: number, userId: string): NewAuditEntry => ({
  sequence,
  id: randomUUID(),
  occurredAt: new Date(),
  action: 'messages.bulk-completed',
  outcome: 'success',
  actorKind: 'user',
  actorId: userId,
  userId,
  accountId: null,
  targetType: null,
  targetId: null,
  address: '203.0.113.7',
  requestId: randomUUID(),
  apiKeyId: null,
  jobId: `bulk_operation-${sequence}`,
  details: { action: 'trash', changed: sequence % 100, processed: sequence % 100 },
});

async function verify(
  environment: BenchEnvironment,
): Promise<{ output: string; seconds: number; peak: number }> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [join(__dirname, '../../src/operations/cli/main.js'), 'audit:verify'],
    {
      env: { PATH: process.env.PATH, ...environment.environment(null) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, peakOf(child.pid))), WATCH_MS);
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(watch);
  if (child.exitCode !== 0) throw new Error(`audit:verify ended with code ${child.exitCode}`);
  return { output, seconds: (performance.now() - startedAt) / 1_000, peak };
}

/** MiB; 0 when the process is gone. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
