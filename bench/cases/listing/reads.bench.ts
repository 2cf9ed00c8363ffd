import { DataSource } from 'typeorm';
import { generateArchivedMails } from '../../../test/support/archive/generated-mails';
import { Flood } from '../../../test/support/tenancy/flood';
import type { TestUser } from '../../../test/support/test-user';
import { type BenchEnvironment, registerUser, setStage } from '../../bench-environment';
import { type Figure, latency, quantile } from '../../report';

/** `BENCH_READS_MAILS=1000000` for another number of mails of who searches. */
const MAILS = Number(process.env.BENCH_READS_MAILS ?? 100_000);
const NEIGHBOURS_MAILS = 20_000;
const SEARCHES_AT_ONCE = 50;
const PAGES = 60;
/** Others may be kept waiting so many times as long as alone. */
const MAX_FACTOR = 5;

/** Words of nearly every mail, parts of every sender, pages in the middle: of mails and of threads. */
const EXPENSIVE = ['q=w1', 'q=-w2', 'sender=e', 'q=%22w30+w3%22', 'q=w&page=300', 'page=1000'];
const PAGE_QUERIES = ['', 'sender=person200@', 'q=%22w400%22', 'has_attachments=true'];

/** One user's pages, alone and while another one has fifty expensive searches under way. */
export async function benchReads(environment: BenchEnvironment): Promise<Figure[]> {
  // As operators set it; the quarter of the pool is the default.
  const perUser = process.env.DATABASE_CONNECTIONS_PER_USER;
  const stage = await setStage(
    environment,
    { messages: 1, latencyMs: 0 },
    perUser ? { DATABASE_CONNECTIONS_PER_USER: perUser } : {},
  );
  try {
    const neighbour = await registerUser(stage.service.url);
    const neighboursId = await neighbour.connect('neighbour-0@sandbox.mailroom.test');
    const database = await new DataSource({
      type: 'postgres',
      url: environment.services.databaseUrl,
    }).initialize();
    await generateArchivedMails(database, {
      accountId: stage.accountId,
      userId: stage.user.id,
      count: MAILS,
    });
    await generateArchivedMails(database, {
      accountId: neighboursId,
      userId: neighbour.id,
      count: NEIGHBOURS_MAILS,
    });
    await database.destroy();

    const path = `/api/archive/${neighboursId}/mails`;
    await timesOf(neighbour, path);
    const alone = await timesOf(neighbour, path);
    const archive = `/api/archive/${stage.accountId}`;
    const flood = new Flood(
      stage.user,
      SEARCHES_AT_ONCE,
      EXPENSIVE.flatMap((query) => [
        { path: `${archive}/mails?${query}` },
        { path: `${archive}/threads?${query}` },
      ]),
    );
    await flood.inFull(SEARCHES_AT_ONCE);
    const beside = await timesOf(neighbour, path);
    await flood.stop();

    const factor = quantile(beside, 0.5) / quantile(alone, 0.5);
    const answers = [...flood.answers].map(([status, count]) => `${count} × ${status || 'none'}`).join(', ');
    const size = MAILS.toLocaleString('en');
    return [
      { work: 'pages of a user, alone', measured: latency(alone), budget: '' },
      {
        work: `beside ${SEARCHES_AT_ONCE} searches of another one in ${size} mails`,
        measured: `${latency(beside)}, ${factor.toFixed(1)} times as long (searches: ${answers})`,
        budget: `≤ ${MAX_FACTOR} times`,
        met: factor <= MAX_FACTOR,
      },
    ];
  } finally {
    await stage.stop();
  }
}

async function timesOf(user: TestUser, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < PAGES; n += 1) {
    const startedAt = performance.now();
    const { status } = await user.api.get(`${path}?${PAGE_QUERIES[n % PAGE_QUERIES.length]}`);
    if (status !== 200) throw new Error(`A page answered ${status}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}
