import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import Redis from 'ioredis';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { SandboxServer } from '../../sandbox/src/sandbox-server';
import { emptyTables, readRows, type InitialRows } from './empty-tables';

/** An application that is lent to a spec. */
export interface PooledApp {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  sandbox: SandboxServer;
  close(): Promise<void>;
}

interface Kept extends PooledApp {
  /** Rows the service has as soon as it runs, by table. */
  readonly initial: InitialRows;
}

/** The event that a worker receives when it has no spec left (test/support/jest/worker.js). */
const END_OF_WORKER = 'end';
/** A job that does not end belongs to a spec that did not wait for it: such an application is not used again. */
const UNENDED = 'SELECT 1 FROM jobs WHERE completed_at IS NULL LIMIT 1';
const QUIET_MS = 2_000;

/** Applications that no spec uses, by their options. */
const free = new Map<string, Kept>();
/** Rows that an application had when it was new. */
const initial = new WeakMap<PooledApp, InitialRows>();

process.on('message', (message) => {
  // Closing takes long. The databases, folders and servers are the run's.
  if (message === END_OF_WORKER) process.exit();
});

/** An application with these options that another spec of the worker has finished with, as good as new. */
export function takePooledApp(options: string): PooledApp | undefined {
  const app = free.get(options);
  if (!app) return undefined;
  free.delete(options);
  initial.set(app, app.initial);
  return app;
}

/** Must be called before the first use of an application that may be returned. */
export async function notePooledApp(app: PooledApp): Promise<void> {
  initial.set(app, await readRows(app.app.get(DataSource)));
}

/** Takes an application back: makes it as good as new for the next spec, or closes it. */
export async function returnPooledApp(options: string, app: PooledApp): Promise<void> {
  const rows = initial.get(app);
  if (!rows || free.has(options) || !(await isQuiet(app.app.get(DataSource)))) return app.close();
  await app.sandbox.close();
  await forgetEverything(app, rows);
  free.set(options, Object.assign(app, { initial: rows }));
}

async function isQuiet(dataSource: DataSource): Promise<boolean> {
  for (const deadline = Date.now() + QUIET_MS; Date.now() < deadline;) {
    if ((await dataSource.query(UNENDED)).length === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function forgetEverything(app: PooledApp, initial: Kept['initial']): Promise<void> {
  const dataSource = app.app.get(DataSource);
  await emptyTables(dataSource, initial);
  await forgetKeys(app.env);
  await forgetFiles(app.env.DATA_DIR!);
  restoreMethods(app);
}

/** Marks a function that a spec puts in front of a provider's method until the application is passed on. */
export const asDouble = <F extends object>(method: F): F => Object.assign(method, { isDouble: true });

const isDouble = (value: unknown): boolean =>
  typeof value === 'function' && ('isDouble' in value || '_isMockFunction' in value);

/** Takes away what specs have put in front of methods of the application's providers. */
function restoreMethods(app: PooledApp): void {
  for (const module of app.app.get(ModulesContainer).values()) {
    for (const { instance } of module.providers.values()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const provider = instance as Record<string, unknown>;
      const methods = Object.getPrototypeOf(provider) as Record<string, unknown>;
      for (const name of Object.keys(provider)) {
        if (isDouble(provider[name]) && typeof methods?.[name] === 'function') delete provider[name];
      }
    }
  }
}

/** Folders of users go; the service remembers that the others are there. */
async function forgetFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !isUuid(entry.name)) await forgetFiles(path);
    else await rm(path, { recursive: true, force: true });
  }
}

async function forgetKeys(env: Readonly<Record<string, string>>): Promise<void> {
  const redis = new Redis(env.REDIS_URL!);
  try {
    for await (const keys of redis.scanStream({ match: `*${env.REDIS_PREFIX}*`, count: 1_000 }))
      if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
  } finally {
    redis.disconnect();
  }
}
