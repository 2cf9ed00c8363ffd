import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that records what the tests have reached, for `scripts/test-coverage.mjs`; without it nothing is recorded. */
const FOLDER = process.env.TEST_COVERAGE;

const noted = new Set<string>();

function note(entry: readonly (string | number)[]): void {
  const line = JSON.stringify(entry);
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(FOLDER!, `${process.pid}.jsonl`), `${line}\n`);
}

function callerOf({ user, headers }: Request): string {
  if (user) return user.apiKey ? 'api key' : user.role;
  return headers.authorization || headers.cookie ? 'bad token' : 'nobody';
}

/** Notes every request that comes to a route: who asked, and what was answered. */
export function noteRequests(app: INestApplication): void {
  if (!FOLDER) return;
  app.use((request: Request, response: Response, next: NextFunction) => {
    // Streams have no other end than that of the connection.
    response.setMaxListeners(response.getMaxListeners() + 1);
    response.once('close', () => {
      const route = (request.route as { path?: string } | undefined)?.path;
      if (route && response.headersSent)
        note(['route', `${request.method} ${route}`, callerOf(request), response.statusCode]);
    });
    next();
  });
}

/** Notes how the jobs of a database have ended, and whether a process was lost over them. */
export async function noteJobs(query: (sql: string) => Promise<unknown>): Promise<void> {
  if (!FOLDER) return;
  const rows = (await query(
    `SELECT DISTINCT type, status, coalesce(error_code, '') AS code,
            attempts > 1 AND resumptions = 0 AND postponements = 0 AS lost
     FROM jobs WHERE completed_at IS NOT NULL`,
  )) as { type: string; status: string; code: string; lost: boolean }[];
  for (const { type, status, code, lost } of rows)
    note(['job', type, code ? `${status} ${code}` : status, lost ? 'process lost' : 'undisturbed']);
}

/** Notes a fault of the provider that a test has asked for. */
export function noteFault(fault: object): void {
  if (!FOLDER) return;
  const { endpoint, answer } = fault as { endpoint?: string; answer: { kind?: string; status?: number } };
  note(['fault', endpoint ?? 'any', [answer.kind, answer.status].filter(Boolean).join(' ')]);
}
