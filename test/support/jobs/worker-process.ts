import 'reflect-metadata';
import { JobsAppOptions, startJobsApp } from './jobs-app';

/** A worker in a process of its own, to be killed by tests. Says `ready` to its parent. */
async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2]!) as JobsAppOptions;
  const { app } = await startJobsApp(options);
  process.on('SIGTERM', () => {
    app.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  // Dies with its parent, however that ends.
  process.on('disconnect', () => process.exit(2));
  process.send?.('ready');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
