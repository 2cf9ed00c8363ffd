import autocannon from 'autocannon';
import { join } from 'node:path';
import { type BenchEnvironment, setStage, type Stage } from '../bench-environment';
import { processorMs } from '../cpu-times';
import { FAST_PATH_PIECES } from '../fast-path/pieces';
import type { Figure } from '../report';
import { ServiceProcess } from '../service-process';

const CONNECTIONS = 16;
const WARM_SECONDS = 2;
/** Short and many: a machine that slows down meanwhile slows the neighbours alike. */
const SECONDS = 1;
const ROUNDS = 9;
const REPLACE_PIECE = join(__dirname, '../fast-path/replace-piece.js');
/** A piece has to save this part of a request's processor time; below it the noise of a machine begins. */
const WORTH = 0.03;

interface Route {
  readonly path: string;
  readonly isPublic?: boolean;
}

/**
 * The pieces that make requests cheaper than Nest, Express and libraries do: processor time of a request with all of them, and
 * without each. Both services run beside each other and answer in turns; the median of their ratios counts.
 */
export async function benchFastPath(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: 10 });
  try {
    const routes: readonly Route[] = [
      { path: '/health/live', isPublic: true },
      { path: '/api/auth/me' },
      { path: `/api/rules/${stage.accountId}` },
    ];
    const figures: Figure[] = [];
    for (const [id, piece] of Object.entries(FAST_PATH_PIECES)) {
      const without = await ServiceProcess.start(
        environment.environment(stage.sandbox, { REPLACED_PIECE: id }),
        {
          preload: [REPLACE_PIECE],
        },
      );
      try {
        figures.push(await comparePiece(piece.name, stage, without, routes));
      } finally {
        await without.stop();
      }
    }
    return figures;
  } finally {
    await stage.stop();
  }
}

async function comparePiece(
  name: string,
  stage: Stage,
  without: ServiceProcess,
  routes: readonly Route[],
): Promise<Figure> {
  const savings: {
    readonly path: string;
    readonly without: number;
    readonly with: number;
    readonly part: number;
  }[] = [];
  for (const route of routes) {
    const times = { with: [] as number[], without: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const warmSeconds = round === 0 ? WARM_SECONDS : 0;
      times.with.push(await measure(stage.service, stage, route, warmSeconds));
      times.without.push(await measure(without, stage, route, warmSeconds));
    }
    savings.push({
      path: route.path.replace(stage.accountId, ':accountId'),
      without: median(times.without),
      with: median(times.with),
      part: median(times.with.map((time, round) => 1 - time / times.without[round]!)),
    });
  }
  const parts = savings.map(({ part }) => `${(part * 100).toFixed(1)} %`).join(', ');
  return {
    work: `fast path: ${name}`,
    measured: savings
      .map((saved) => `${saved.path} ${saved.without.toFixed(3)} → ${saved.with.toFixed(3)} ms`)
      .join(', '),
    budget: `saves ≥ ${WORTH * 100} % of a request (${parts})`,
    met: Math.max(...savings.map(({ part }) => part)) >= WORTH,
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** @returns milliseconds of the service's processor time for a request */
async function measure(
  service: ServiceProcess,
  stage: Stage,
  route: Route,
  warmSeconds: number,
): Promise<number> {
  const url = `${service.url}${route.path}`;
  const headers = route.isPublic ? {} : { authorization: `Bearer ${stage.user.api.token}` };
  const connections = CONNECTIONS;
  if (warmSeconds > 0) await autocannon({ url, headers, connections, duration: warmSeconds });
  const before = processorMs(service.pid);
  const { requests, non2xx, errors } = await autocannon({ url, headers, connections, duration: SECONDS });
  if (non2xx + errors > 0) throw new Error(`${route.path}: ${non2xx} wrong answers, ${errors} errors`);
  return (processorMs(service.pid) - before) / requests.total;
}
