import { rm } from 'node:fs/promises';

/** Stops what the global set-up started and removes its files. */
export default async function stopTestServices(): Promise<void> {
  const started = globalThis.mailroomTestServices;
  if (!started) return;
  await started.services.stop();
  await rm(started.directory, { recursive: true, force: true });
  globalThis.mailroomTestServices = undefined;
}
