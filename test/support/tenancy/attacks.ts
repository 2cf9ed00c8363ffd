import type { Attack } from './attack';
import { SlowDownloads, TricklingUploads, UnreadMails } from './attacks/clients';
import {
  EventStreams,
  ExpensiveSearches,
  HangingProvider,
  HeavyRendering,
  ManyLargeJobs,
  RightPassphrases,
  RightPasswords,
} from './attacks/floods';
import {
  EndlessListing,
  ExhaustedPassphrase,
  HangingReceivers,
  SilentNames,
  SilentStoreTests,
  TricklingImap,
  TricklingStore,
} from './attacks/hosts';
import {
  FilledArchiveQueue,
  FilledBulkQueue,
  FilledEncryptionQueue,
  FilledImportQueue,
  FilledIndexQueue,
  FilledMaintenanceQueue,
  FilledRulesQueue,
  FilledScanQueue,
} from './attacks/queues';

/** Every attack there is. Each can be made once. */
export const allAttacks = (): Attack[] => [
  new EndlessListing(),
  new TricklingImap(),
  new TricklingStore(),
  new ExhaustedPassphrase(),
  new SilentStoreTests(),
  new SilentNames(),
  new ManyLargeJobs(),
  new TricklingUploads(),
  new RightPassphrases(),
  new RightPasswords(),
  new ExpensiveSearches(),
  new HangingReceivers(),
  new EventStreams(),
  new HangingProvider(),
  new SlowDownloads(),
  new UnreadMails(),
  new HeavyRendering(),
  new FilledArchiveQueue(),
  new FilledBulkQueue(),
  new FilledRulesQueue(),
  new FilledIndexQueue(),
  new FilledScanQueue(),
  new FilledImportQueue(),
  new FilledEncryptionQueue(),
  new FilledMaintenanceQueue(),
];
