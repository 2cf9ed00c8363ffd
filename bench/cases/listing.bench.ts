import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/common/database/data-source-options';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { generateArchivedMails } from '../archive-table';
import { BenchEnvironment, setStage, Stage } from '../bench-environment';
import { Figure, latency, quantile } from '../report';

const SIZES = [20_000, 1_000_000];
const REQUESTS = 100;

interface Listing {
  readonly name: string;
  /** Query string of the n-th request; varied, so that no answer is a repetition. */
  readonly query: (n: number, size: number) => string;
  /** p95 in milliseconds, by size of the archive. */
  readonly budget: Readonly<Record<number, number>>;
  readonly requests?: number;
}

const LISTINGS: readonly Listing[] = [
  {
    name: 'list, first pages',
    query: (n) => `page=${1 + (n % 20)}&limit=50`,
    budget: { 20_000: 10, 1_000_000: 20 },
  },
  {
    name: 'search, selective word',
    // In quotes: the last word would otherwise stand for every word that begins with it.
    query: (n, size) => `q=%22mail${1 + ((n * 7919) % size)}%22`,
    budget: { 20_000: 10, 1_000_000: 20 },
  },
  {
    name: 'search, two words',
    query: (n) => `q=w${300 + n}%20%22w${40 + (n % 50)}%22`,
    budget: { 20_000: 10, 1_000_000: 100 },
  },
  {
    name: 'search, common word with total',
    query: (n) => `q=%22w${3 + (n % 5)}%22`,
    budget: { 20_000: 100, 1_000_000: 100 },
    requests: 20,
  },
  { name: 'list by sender', query: (n) => `sender=person${100 + n}@`, budget: { 20_000: 10, 1_000_000: 20 } },
];

/** Archive list, search and figures over the HTTP interface, at 20,000 and at 1,000,000 mails. */
export async function benchListing(environment: BenchEnvironment): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of SIZES) {
    const stage = await setStage(environment, { messages: 1, latencyMs: 0 });
    try {
      await fill(environment, stage, size);
      for (const listing of LISTINGS) figures.push(await measure(stage, listing, size));
      figures.push(await measureStats(stage, size));
    } finally {
      await stage.stop();
    }
  }
  return figures;
}

async function fill(environment: BenchEnvironment, stage: Stage, count: number): Promise<void> {
  const options = dataSourceOptions(
    environment.services.databaseUrl,
    { entities: ENTITIES, migrations: MIGRATIONS },
    2,
  );
  const dataSource = await new DataSource(options).initialize();
  try {
    await generateArchivedMails(dataSource, { accountId: stage.accountId, userId: stage.user.id, count });
  } finally {
    await dataSource.destroy();
  }
}

async function measure(stage: Stage, listing: Listing, size: number): Promise<Figure> {
  const samples: number[] = [];
  const requests = listing.requests ?? REQUESTS;
  let found = 0;
  // A tenth more than counted: the first ones fill caches.
  for (let n = -Math.ceil(requests / 10); n < requests; n += 1) {
    const startedAt = performance.now();
    const { status, body } = await stage.user.api.get(
      `/api/archive/${stage.accountId}/mails?${listing.query(Math.abs(n), size)}`,
    );
    if (status !== 200) throw new Error(`${listing.name} answered ${status}`);
    if (n < 0) continue;
    samples.push(performance.now() - startedAt);
    found += body.total as number;
  }
  const budget = listing.budget[size]!;
  return {
    work: `${listing.name}, ${size.toLocaleString('en')} mails`,
    measured: `${latency(samples)} (${Math.round(found / requests).toLocaleString('en')} found)`,
    budget: `p95 ≤ ${budget} ms`,
    met: quantile(samples, 0.95) <= budget,
  };
}

async function measureStats(stage: Stage, size: number): Promise<Figure> {
  const samples: number[] = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    const startedAt = performance.now();
    const { status, body } = await stage.user.api.get(`/api/dashboard/${stage.accountId}/archive-stats`);
    if (status !== 200 || body.total_mails !== size) throw new Error(`archive-stats answered ${status}`);
    samples.push(performance.now() - startedAt);
  }
  return {
    work: `archive-stats, ${size.toLocaleString('en')} mails`,
    measured: latency(samples),
    budget: 'p95 ≤ 20 ms',
    met: quantile(samples, 0.95) <= 20,
  };
}
