import { DataSource } from 'typeorm';
import { ArchiveResults } from '../../../src/archive/mails/archive-results';
import { mailFilter } from '../../../src/archive/mails/mail-filter';
import { MailListsRepository } from '../../../src/archive/mails/mail-lists.repository';
import { MailTotals } from '../../../src/archive/mails/mail-totals';
import { ThreadsRepository } from '../../../src/archive/mails/threads.repository';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options';
import type { ResultCache } from '../../../src/platform/redis/result-cache';
import { ENTITIES, MIGRATIONS } from '../../../src/schema';
import { generateArchivedMails } from '../../../test/support/archive/generated-mails';
import { BenchEnvironment, setStage, Stage } from '../../bench-environment';
import { Figure, latency, quantile } from '../../report';
import { type Listing, LISTINGS, PAGE_SIZE, type Place, PLACES } from './listings';
import { planDigests, StatementRecorder } from './query-plans';

/** `BENCH_LISTING_SIZES=200000` for other numbers of mails. */
const SIZES = (process.env.BENCH_LISTING_SIZES ?? '20000,1000000').split(',').map(Number);
const REQUESTS = 50;
/** Pages behind the first cost two requests each: one tells where they are. */
const FURTHER_REQUESTS = 10;
/** A page that takes this long is asked for a few times only. */
const SLOW_MS = 300;
const SLOW_REQUESTS = 3;

const ROUTES = ['mails', 'threads'] as const;
type Route = (typeof ROUTES)[number];

/** Lists, searches and figures over the HTTP interface, by filter and page, and the plans of their queries. */
export function benchListing(environment: BenchEnvironment): Promise<Figure[]> {
  return benchSizes(environment, SIZES);
}

/** The same with a million mails only. */
export function benchSearch(environment: BenchEnvironment): Promise<Figure[]> {
  return benchSizes(environment, [1_000_000]);
}

async function benchSizes(environment: BenchEnvironment, sizes: readonly number[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) {
    const stage = await setStage(environment, { messages: 1, latencyMs: 0 });
    const recorder = new StatementRecorder(['query']);
    const dataSource = await connect(environment, recorder);
    try {
      await useApiKey(stage);
      await generateArchivedMails(dataSource, {
        accountId: stage.accountId,
        userId: stage.user.id,
        count: size,
      });
      for (const route of ROUTES) {
        const listings = LISTINGS.filter(({ isOfMails }) => route === 'mails' || !isOfMails);
        for (const listing of listings) figures.push(...(await measure(stage, route, listing, size)));
        for (const listing of listings)
          await printPlans(dataSource, recorder, stage, { route, listing, size });
      }
      figures.push(await measureStats(stage, size));
      for (const sort of ['date', 'relevance']) figures.push(await measureSearch(stage, sort, size));
    } finally {
      await dataSource.destroy();
      await stage.stop();
    }
  }
  return figures;
}

/** Counts each time, so that the plans of counting are there. */
const COUNTING = {
  getOrCompute: async <T>(_key: unknown, _refresh: boolean, compute: () => Promise<{ value: T }>) =>
    (await compute()).value,
} as unknown as ResultCache;

function connect(environment: BenchEnvironment, logger: StatementRecorder): Promise<DataSource> {
  const options = dataSourceOptions(
    environment.services.databaseUrl,
    { entities: ENTITIES, migrations: MIGRATIONS },
    2,
  );
  return new DataSource({ ...options, logging: ['query'], logger }).initialize();
}

/** Takes an API key in place of the access token, which the measurements outlive. */
async function useApiKey({ user }: Stage): Promise<void> {
  const { status, body } = await user.api.post('/api/auth/api-keys', { name: 'bench', scope: 'read' });
  if (status !== 201) throw new Error(`An API key answered ${status}`);
  user.api.token = body.key as string;
}

async function ask(
  stage: Stage,
  route: Route,
  parameters: Readonly<Record<string, string>>,
  page: number,
): Promise<{ ms: number; total: number }> {
  const query = new URLSearchParams({ ...parameters, page: String(page), limit: String(PAGE_SIZE) });
  const startedAt = performance.now();
  const { status, body } = await stage.user.api.get(
    `/api/archive/${stage.accountId}/${route}?${query.toString()}`,
  );
  if (status !== 200) throw new Error(`${route}?${query.toString()} answered ${status}`);
  return { ms: performance.now() - startedAt, total: body.total as number };
}

async function measure(stage: Stage, route: Route, listing: Listing, size: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  const { total } = await ask(stage, route, listing.filters(0, size), 1);
  for (const place of PLACES) {
    if (place.page(total) !== null) figures.push(await measurePlace(stage, { route, listing, place, size }));
  }
  return figures;
}

async function measurePlace(
  stage: Stage,
  { route, listing, place, size }: { route: Route; listing: Listing; place: Place; size: number },
): Promise<Figure> {
  const samples: number[] = [];
  const isFirst = place === PLACES[0];
  let requests = Math.min(listing.requests ?? REQUESTS, isFirst ? REQUESTS : FURTHER_REQUESTS);
  let found = 0;
  for (let n = 0; n < requests; n += 1) {
    const filters = listing.filters(n, size);
    // Only a look at the total says where the middle and the end are.
    const total = isFirst ? 0 : (await ask(stage, route, filters, 1)).total;
    const { ms, total: matches } = await ask(stage, route, filters, place.page(total) ?? 1);
    if (n === 0 && ms > SLOW_MS) requests = Math.min(requests, SLOW_REQUESTS);
    samples.push(ms);
    found += matches;
  }
  const budget = route === 'mails' && isFirst ? listing.budget?.[size] : undefined;
  const average = Math.round(found / requests).toLocaleString('en');
  const figure: Figure = {
    work: `${route}, ${size.toLocaleString('en')}: ${listing.name}, ${place.name}`,
    measured: `${latency(samples)} (${average} found)`,
    budget: budget === undefined ? '' : `p95 ≤ ${budget} ms`,
    met: budget === undefined ? undefined : quantile(samples, 0.95) <= budget,
  };
  console.log(`${figure.work}: ${figure.measured}`);
  return figure;
}

async function printPlans(
  dataSource: DataSource,
  recorder: StatementRecorder,
  stage: Stage,
  { route, listing, size }: { route: Route; listing: Listing; size: number },
): Promise<void> {
  const filter = mailFilter(listing.filters(1, size));
  const totals = new MailTotals(new ArchiveResults(COUNTING));
  const lists =
    route === 'mails'
      ? new MailListsRepository(dataSource, totals)
      : new ThreadsRepository(dataSource, totals);
  const range = { limit: PAGE_SIZE, offset: 0 };
  const statements = await recorder.during(() => lists.findPage(stage.accountId, filter, range));
  console.log(`plan of ${route}, ${size.toLocaleString('en')}: ${listing.name}`);
  for (const digest of await planDigests(dataSource, statements)) console.log(`  ${digest}`);
}

/** The search of mailbox and archive, which has excerpts. The mailbox is empty. */
async function measureSearch(stage: Stage, sort: string, size: number): Promise<Figure> {
  const samples: number[] = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    const query = new URLSearchParams({ q: `w${300 + n} "w${40 + n}"`, sort, limit: String(PAGE_SIZE) });
    const startedAt = performance.now();
    const { status } = await stage.user.api.get(`/api/search?${query.toString()}`);
    if (status !== 200) throw new Error(`the search answered ${status}`);
    samples.push(performance.now() - startedAt);
  }
  return {
    work: `search of mailbox and archive, ${size.toLocaleString('en')}: two words, by ${sort}`,
    measured: latency(samples),
    budget: '',
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
