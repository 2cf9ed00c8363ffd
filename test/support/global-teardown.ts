import { rm } from 'node:fs/promises';
import { closePooledApps } from './app-pool';
import { dropWorkerDatabase } from './medium/worker-database';

/** Stops what the global set-up started and removes its files. */
export default async function stopTestServices(): Promise<void> {
  // Those of the specs that ran in this process; a worker closes its own.
  await closePooledApps();
  await dropWorkerDatabase();
  const started = globalThis.mailroomTestServices;
  if (!started) return;
  await started.services.stop();
  await rm(started.directory, { recursive: true, force: true });
  globalThis.mailroomTestServices = undefined;
}
