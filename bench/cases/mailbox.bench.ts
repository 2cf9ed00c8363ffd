import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source-options';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import type { ApiAnswer, ApiClient } from '../../test/support/api-client';
import type { TestUser } from '../../test/support/test-user';
import { BenchEnvironment, registerUser, setStage, Stage } from '../bench-environment';
import { Figure, latency, quantile } from '../report';

const SIZES = [5_000, 100_000];
const REQUESTS = 15;
const UNITS_PER_SECOND = 250;
const QUOTA_MESSAGES = 20_000;
const QUOTA_SECONDS = 60;

interface Endpoint {
  readonly name: string;
  readonly ask: (api: ApiClient, accountId: string) => Promise<ApiAnswer>;
  /** Provider calls a warm request may make; undefined where the provider itself has to count. */
  readonly calls?: number;
  /** p95 of warm requests in milliseconds, over the largest mailbox too. */
  readonly warmMs?: number;
  /** Whether a cached answer is a thing of its own. */
  readonly cached?: (api: ApiClient, accountId: string) => Promise<ApiAnswer>;
}

const get =
  (path: (accountId: string) => string) =>
  (api: ApiClient, accountId: string): Promise<ApiAnswer> =>
    api.get(path(accountId));

const ENDPOINTS: readonly Endpoint[] = [
  { name: 'dashboard stats', ask: get((id) => `/api/dashboard/${id}/stats`), calls: 3, warmMs: 150 },
  { name: 'heatmap', ask: get((id) => `/api/analytics/${id}/heatmap?refresh=1`), calls: 3, warmMs: 150 },
  {
    name: 'sender scores',
    ask: get((id) => `/api/analytics/${id}/sender-scores?refresh=1`),
    cached: get((id) => `/api/analytics/${id}/sender-scores`),
    calls: 3,
    warmMs: 300,
  },
  {
    name: 'cleanup suggestions',
    ask: get((id) => `/api/analytics/${id}/cleanup-suggestions?refresh=1`),
    calls: 3,
  },
  {
    name: 'inbox-zero',
    ask: get((id) => `/api/analytics/${id}/inbox-zero?refresh=1`),
    calls: 3,
    warmMs: 150,
  },
  { name: 'newsletters', ask: get((id) => `/api/unsubscribe/${id}/newsletters`), calls: 3, warmMs: 300 },
  { name: 'live attachments', ask: get((id) => `/api/attachments/${id}/live`), calls: 3, warmMs: 150 },
  {
    name: 'rule preview',
    ask: (api, id) =>
      api.post(`/api/rules/${id}/preview`, {
        conditions: [{ field: 'label', operator: 'equals', value: 'UNREAD' }],
      }),
  },
  { name: 'quota', ask: get((id) => `/api/quota/${id}`), calls: 0, warmMs: 150 },
];

/**
 * What people look at in a live mailbox: the first look of each kind, the same over a complete index, and how fast
 * the index is built.
 */
export async function benchMailbox(environment: BenchEnvironment): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of SIZES) {
    figures.push(...(await firstLooks(environment, size)), ...(await laterLooks(environment, size)));
  }
  figures.push(await indexingUnderQuota(environment));
  return figures;
}

const of = (size: number): string => `${size.toLocaleString('en')} messages`;

/** Each endpoint over a mailbox nobody has looked at; without workers, so that nothing else asks the provider. */
async function firstLooks(environment: BenchEnvironment, size: number): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: size }, { ROLE: 'api' });
  try {
    const figures: Figure[] = [];
    for (const [index, endpoint] of ENDPOINTS.entries()) {
      const user = await registerUser(stage.service.url);
      const accountId = await user.connect(`cold${index}-${size}@sandbox.mailroom.test`);
      const { ms, calls, units } = await measured(stage, () => endpoint.ask(user.api, accountId));
      figures.push({
        work: `${endpoint.name}, first look, ${of(size)}`,
        measured: `${ms.toFixed(0)} ms, ${calls} calls, ${units} units`,
        budget: '–',
      });
      await leave(user, accountId);
    }
    return figures;
  } finally {
    await stage.stop();
  }
}

/** Builds the whole index, then each endpoint with changes to be followed every time. */
async function laterLooks(environment: BenchEnvironment, size: number): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: size });
  const dataSource = await database(environment);
  try {
    const figures = [await indexing(stage, size)];
    for (const endpoint of ENDPOINTS) {
      figures.push(await later(stage, dataSource, endpoint, size));
      if (endpoint.cached) figures.push(await cached(stage, endpoint.name, endpoint.cached, size));
    }
    return figures;
  } finally {
    await dataSource.destroy();
    await stage.stop();
  }
}

/** From the first look, which has the rest of the mailbox indexed in the background, to the end of that. */
async function indexing(stage: Stage, size: number): Promise<Figure> {
  await stage.sandbox.resetStats();
  stage.service.resetPeak();
  const startedAt = performance.now();
  const job = await stage.user.jobEnd(await startIndexing(stage), 600_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  if (job.status !== 'completed') throw new Error(`${job.queue_id} ended as ${job.status}: ${job.error}`);
  const { totalCalls, totalUnits } = await stage.sandbox.stats();
  const { peak } = stage.service.memory();
  return {
    work: `index ${of(size)}, quota off`,
    measured:
      `${seconds.toFixed(1)} s (${(size / seconds).toFixed(0)} msg/s), ${totalCalls} calls, ` +
      `${totalUnits} units, peak RSS ${peak.toFixed(0)} MiB`,
    budget: '–',
  };
}

/** @returns the job that indexes the mailbox, which the first look at it starts */
async function startIndexing(stage: Stage): Promise<string> {
  const { status, bytes } = await stage.user.api.get(`/api/dashboard/${stage.accountId}/stats`);
  if (status !== 200) throw new Error(`stats answered ${status}: ${bytes.toString()}`);
  const { body } = await stage.user.api.get<{ queue_id: string; type: string }[]>('/api/jobs');
  const job = body.find(({ type }) => type === 'index_mailbox');
  if (!job) throw new Error('Nothing is indexed in the background');
  return job.queue_id;
}

async function later(
  stage: Stage,
  dataSource: DataSource,
  endpoint: Endpoint,
  size: number,
): Promise<Figure> {
  const samples: number[] = [];
  const calls: number[] = [];
  const units: number[] = [];
  for (let n = -2; n < REQUESTS; n += 1) {
    // Makes the last sync look long ago, so that every request has to ask for changes.
    await dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [stage.accountId],
    );
    const sample = await measured(stage, () => endpoint.ask(stage.user.api, stage.accountId));
    // The first ones fill caches.
    if (n < 0) continue;
    samples.push(sample.ms);
    calls.push(sample.calls);
    units.push(sample.units);
  }
  // The median: the service's own chores call the provider now and then, too.
  const [asked, spent] = [quantile(calls, 0.5), quantile(units, 0.5)];
  const { calls: mostCalls, warmMs } = endpoint;
  const budget = [
    ...(mostCalls === undefined ? [] : [`≤ ${mostCalls} calls`]),
    ...(warmMs === undefined ? [] : [`p95 < ${warmMs} ms`]),
  ];
  return {
    work: `${endpoint.name}, warm, ${of(size)}`,
    measured: `${latency(samples)}, ${asked} calls, ${spent} units`,
    budget: budget.join(', ') || '–',
    ...(budget.length > 0 && {
      met: asked <= (mostCalls ?? Infinity) && quantile(samples, 0.95) < (warmMs ?? Infinity),
    }),
  };
}

async function cached(
  stage: Stage,
  name: string,
  ask: NonNullable<Endpoint['cached']>,
  size: number,
): Promise<Figure> {
  const samples: number[] = [];
  let asked = 0;
  for (let n = 0; n < REQUESTS; n += 1) {
    const { ms, calls } = await measured(stage, () => ask(stage.user.api, stage.accountId));
    samples.push(ms);
    asked = Math.max(asked, calls);
  }
  return {
    work: `${name}, cached, ${of(size)}`,
    measured: `${latency(samples)}, ${asked} calls`,
    budget: '0 calls',
    met: asked === 0,
  };
}

/** How much of the provider's limit the indexing of a large mailbox uses. */
async function indexingUnderQuota(environment: BenchEnvironment): Promise<Figure> {
  const stage = await setStage(
    environment,
    { messages: QUOTA_MESSAGES, quota: { unitsPerSecond: UNITS_PER_SECOND } },
    {
      PROVIDER_UNITS_PER_SECOND: String(UNITS_PER_SECOND),
      PROVIDER_UNITS_PER_MINUTE: String(UNITS_PER_SECOND * 60),
    },
  );
  try {
    const jobId = await startIndexing(stage);
    // A full bucket lets the first seconds run faster.
    await pause(5_000);
    await stage.sandbox.resetStats();
    const startedAt = performance.now();
    await pause(QUOTA_SECONDS * 1_000);
    const { totalUnits, refused } = await stage.sandbox.stats();
    const used = totalUnits / (((performance.now() - startedAt) / 1_000) * UNITS_PER_SECOND);
    const { body: job } = await stage.user.api.get(`/api/jobs/${jobId}`);
    if (job.status !== 'active') throw new Error(`${jobId} is ${job.status}`);
    await cancelJobs(stage.user);
    return {
      work: `index at ${UNITS_PER_SECOND} units/s, ${QUOTA_SECONDS} s`,
      measured: `${(used * 100).toFixed(1)} % of the units, ${refused ?? 0} refusals`,
      budget: '≥ 90 %, no burst of 429s',
      met: used >= 0.9 && (refused ?? 0) < 5,
    };
  } finally {
    await stage.stop();
  }
}

/** One request: its time, and what the provider was asked meanwhile. */
async function measured(
  stage: Stage,
  request: () => Promise<ApiAnswer>,
): Promise<{ ms: number; calls: number; units: number }> {
  await stage.sandbox.resetStats();
  const startedAt = performance.now();
  const { status, bytes } = await request();
  const ms = performance.now() - startedAt;
  if (status !== 200) throw new Error(`Answered ${status}: ${bytes.toString()}`);
  const { totalCalls, totalUnits } = await stage.sandbox.stats();
  return { ms, calls: totalCalls, units: totalUnits };
}

/** Nothing is done for the account in the background any more, by a service started later either. */
async function leave(user: TestUser, accountId: string): Promise<void> {
  await cancelJobs(user);
  const { status } = await user.api.delete(`/api/auth/mailbox/${accountId}`);
  if (status !== 204) throw new Error(`Disconnecting answered ${status}`);
}

async function cancelJobs(user: TestUser): Promise<void> {
  const { body } = await user.api.get<{ queue_id: string; status: string }[]>('/api/jobs');
  for (const { queue_id: jobId, status } of body) {
    if (status === 'pending' || status === 'active') await user.api.delete(`/api/jobs/${jobId}`);
  }
}

function database(environment: BenchEnvironment): Promise<DataSource> {
  const schema = { entities: ENTITIES, migrations: MIGRATIONS };
  return new DataSource(dataSourceOptions(environment.services.databaseUrl, schema, 2)).initialize();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
