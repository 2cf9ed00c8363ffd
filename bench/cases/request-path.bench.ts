import autocannon from 'autocannon';
import { BenchEnvironment, messageIds, setStage, type Stage } from '../bench-environment';
import { processorMs } from '../cpu-times';
import { BareProcess } from '../floor/bare-process';
import { compare, type Reference, REFERENCES } from '../references';
import type { Figure } from '../report';

const CONNECTIONS = 16;
const WARM_SECONDS = 2;
const SECONDS = 6;
const ROUNDS = 3;
const ROWS = 20;

interface Target {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly headers?: Record<string, string>;
  /** Requests a second to reach. */
  readonly goal?: number;
  readonly reference?: Reference;
}

interface Measured {
  readonly perSecond: number;
  /** Processor time of the process for one request. */
  readonly cpuMs: number;
}

/** Cheap routes under 16 connections, beside a bare Nest and a bare Node server on the same machine. */
export async function benchRequestPath(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: 100 });
  const bare = await Promise.all([BareProcess.start('nest'), BareProcess.start('node')]);
  try {
    await addRows(stage);
    const { pid, url } = stage.service;
    const headers = { authorization: `Bearer ${stage.user.api.token}` };
    const targets: Target[] = [
      { name: 'bare node:http', url: bare[1].url, pid: bare[1].pid },
      { name: 'bare Nest + Express', url: bare[0].url, pid: bare[0].pid },
      {
        name: 'GET /health/live',
        url: `${url}/health/live`,
        pid,
        goal: 2_500,
        reference: REFERENCES.live,
      },
      {
        name: `GET /api/saved-searches (${ROWS} rows)`,
        url: `${url}/api/saved-searches`,
        pid,
        headers,
        goal: 2_000,
        reference: REFERENCES.savedSearches,
      },
      {
        name: `GET /api/jobs (${ROWS} rows)`,
        url: `${url}/api/jobs?limit=${ROWS}`,
        pid,
        headers,
        goal: 1_500,
        reference: REFERENCES.jobs,
      },
      {
        name: 'GET /api/auth/me',
        url: `${url}/api/auth/me`,
        pid,
        headers,
        goal: 1_500,
        reference: REFERENCES.me,
      },
    ];
    const best = new Map<Target, Measured>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const target of targets) {
        const measured = await measure(target, round === 0 ? WARM_SECONDS : 0);
        if ((best.get(target)?.perSecond ?? 0) < measured.perSecond) best.set(target, measured);
      }
    }
    const floor = { name: 'bare Nest', value: best.get(targets[1]!)!.perSecond };
    return targets.map((target) => {
      const { perSecond, cpuMs } = best.get(target)!;
      return {
        work: `${target.name}, ${CONNECTIONS} connections`,
        measured: `${perSecond.toFixed(0)} req/s, ${cpuMs.toFixed(2)} ms of processor each`,
        compared: compare({ better: 'more', other: floor, ...target.reference }, perSecond),
        budget: target.goal ? `≥ ${target.goal} req/s` : '',
        met: target.goal === undefined ? undefined : perSecond >= target.goal,
      };
    });
  } finally {
    for (const server of bare) server.stop();
    await stage.stop();
  }
}

async function addRows(stage: Stage): Promise<void> {
  const { api } = stage.user;
  const [id] = await messageIds(stage, 1);
  for (let row = 0; row < ROWS; row += 1) {
    await api.post('/api/saved-searches', {
      name: `Search ${row}`,
      query: `from:(news${row}) older_than:30d`,
    });
    const { body } = await api.post(`/api/mailbox/${stage.accountId}/messages/bulk`, {
      action: row % 2 ? 'mark_read' : 'mark_unread',
      messageIds: [id],
    });
    await stage.user.jobEnd(body.jobId as string);
  }
}

async function measure({ url, pid, headers, name }: Target, warmSeconds: number): Promise<Measured> {
  if (warmSeconds > 0) await autocannon({ url, headers, connections: CONNECTIONS, duration: warmSeconds });
  const before = processorMs(pid);
  const { requests, non2xx, errors } = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} wrong answers, ${errors} errors`);
  return { perSecond: requests.average, cpuMs: (processorMs(pid) - before) / requests.total };
}
