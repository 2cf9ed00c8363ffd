import { BenchEnvironment } from './bench-environment';
import { benchArchive, benchArchiveUnderQuota } from './cases/archive.bench';
import { benchAudit } from './cases/audit.bench';
import { benchBulk } from './cases/bulk.bench';
import { benchEncryption } from './cases/encryption.bench';
import { benchEncryptJob } from './cases/encrypt-job.bench';
import { benchExport } from './cases/export.bench';
import { benchFastPath } from './cases/fast-path.bench';
import { benchImap } from './cases/imap.bench';
import { benchImport, benchImportLarge, benchImportSmall } from './cases/import.bench';
import { benchArchives } from './cases/import-archives.bench';
import { benchImportHuge, benchImportInPlace } from './cases/import-in-place.bench';
import { benchIndexing } from './cases/indexing.bench';
import { benchKeep } from './cases/keep.bench';
import { benchContinuousArchiver } from './cases/continuous-archiver.bench';
import { benchLatency } from './cases/latency.bench';
import { benchListing, benchSearch } from './cases/listing/listing.bench';
import { benchPst } from './cases/pst.bench';
import { benchReads } from './cases/listing/reads.bench';
import { benchLoad } from './cases/load.bench';
import { benchMailbox } from './cases/mailbox.bench';
import { benchOffload } from './cases/offload.bench';
import { benchPii } from './cases/pii.bench';
import { benchPipeline } from './cases/pipeline.bench';
import { benchRequestPath } from './cases/request-path.bench';
import { benchRestore } from './cases/restore.bench';
import { benchRetention } from './cases/retention.bench';
import { benchObjectStore } from './cases/objstore.bench';
import { benchStart } from './cases/start.bench';
import { benchSmtp } from './cases/smtp.bench';
import { benchTenancy } from './cases/tenancy.bench';
import { benchTracking } from './cases/tracking.bench';
import { benchWeb } from './cases/web.bench';
import { benchWebhooks } from './cases/webhooks.bench';
import { Figure, printReport } from './report';

const CASES: Readonly<Record<string, (environment: BenchEnvironment) => Promise<Figure[]>>> = {
  'request-path': benchRequestPath,
  start: benchStart,
  bulk: benchBulk,
  archive: benchArchive,
  quota: benchArchiveUnderQuota,
  encryption: benchEncryption,
  export: benchExport,
  'fast-path': benchFastPath,
  imap: benchImap,
  import: benchImport,
  archives: benchArchives,
  pst: benchPst,
  'in-place': benchImportInPlace,
  index: benchIndexing,
  'import-huge': benchImportHuge,
  'import-large': benchImportLarge,
  'import-small': benchImportSmall,
  keep: benchKeep,
  keeper: benchContinuousArchiver,
  latency: benchLatency,
  listing: benchListing,
  load: benchLoad,
  mailbox: benchMailbox,
  offload: benchOffload,
  reads: benchReads,
  restore: benchRestore,
  retention: benchRetention,
  search: benchSearch,
  objstore: benchObjectStore,
  encrypt: benchEncryptJob,
  pii: benchPii,
  pipeline: benchPipeline,
  smtp: benchSmtp,
  tenancy: benchTenancy,
  tracking: benchTracking,
  web: benchWeb,
  webhooks: benchWebhooks,
  audit: benchAudit,
};

/** Take many minutes and gigabytes, repeat others, or need a browser: only when named. */
const ON_DEMAND = new Set([
  'fast-path',
  'imap',
  'import-huge',
  'import-large',
  'import-small',
  'index',
  'keeper',
  'pipeline',
  'search',
  'tenancy',
  'web',
]);

/** `npm run bench` runs everything quick; `npm run bench -- bulk archive` only what is named. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in CASES));
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(CASES).join(', ')}`);
  const environment = await BenchEnvironment.start();
  const figures: Figure[] = [];
  try {
    for (const name of names.length > 0 ? names : Object.keys(CASES).filter((each) => !ON_DEMAND.has(each))) {
      console.log(`… ${name}`);
      figures.push(...(await CASES[name]!(environment)));
    }
  } finally {
    await environment.stop();
  }
  printReport(figures);
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
