import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { startSandbox } from '../../sandbox/src/sandbox-server';
import { providerEnvironment } from '../../test/support/environment';
import type { Attack } from '../../test/support/tenancy/attack';
import { allAttacks } from '../../test/support/tenancy/attacks';
import { startDns, tenancyEnvironment } from '../../test/support/tenancy/tenancy-host';
import { Comparison, MAX_FACTOR, NOISE_MS, TenancyTrial } from '../../test/support/tenancy/tenancy-trial';
import { BenchEnvironment, registerUser } from '../bench-environment';
import { Figure, printTable } from '../report';
import { ServiceProcess } from '../service-process';

/** `BENCH_TENANCY='IMAP|queue'` for the attacks whose names match. */
const WANTED = new RegExp(process.env.BENCH_TENANCY ?? '.');

/** A user's times alone and while another user attacks; each attack on a service of its own. */
export async function benchTenancy(environment: BenchEnvironment): Promise<Figure[]> {
  const comparisons: Comparison[] = [];
  for (const attack of allAttacks().filter(({ name }) => WANTED.test(name))) {
    console.log(`  ${attack.name}`);
    comparisons.push(...(await trialOf(environment, attack)));
  }
  printTable([COLUMNS, ...comparisons.map(cells)]);
  const attacks = new Set(comparisons.map(({ attack }) => attack));
  return [...attacks].map((name) => figureOf(comparisons.filter(({ attack }) => attack === name)));
}

async function trialOf(environment: BenchEnvironment, attack: Attack): Promise<Comparison[]> {
  // What an attack leaves behind is no part of the next.
  const name = `tenancy_${randomBytes(6).toString('hex')}`;
  const databaseUrl = await newDatabase(environment.services.databaseUrl, name);
  const dns = await startDns();
  const sandbox = await startSandbox({ messages: 1 });
  const service = await ServiceProcess.start({
    ...environment.environment(null),
    ...providerEnvironment(sandbox),
    ...tenancyEnvironment(dns),
    DATABASE_URL: databaseUrl,
    REDIS_PREFIX: name,
    LOG_LEVEL: 'fatal',
  });
  const host = { url: service.url, databaseUrl, sandbox, dns, user: () => registerUser(service.url) };
  try {
    const trial = await TenancyTrial.begin(host);
    try {
      return await trial.under(attack);
    } finally {
      await trial.close();
    }
  } finally {
    await service.kill();
    await sandbox.close();
    dns.close();
  }
}

async function newDatabase(serverUrl: string, name: string): Promise<string> {
  const server = new Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${name}`);
  } finally {
    await server.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

const COLUMNS = ['attack', 'action', 'alone ms', 'under attack ms', 'factor', 'failures'];

function cells({ attack, action, aloneMs, underMs, failures }: Comparison): string[] {
  const factor = (underMs / aloneMs).toFixed(1);
  return [attack, action, aloneMs.toFixed(0), underMs.toFixed(0), factor, failures.join('; ') || 'none'];
}

function figureOf(comparisons: readonly Comparison[]): Figure {
  const broken = comparisons.filter(({ holds }) => !holds).map(({ action }) => action);
  const worst = Math.max(...comparisons.map(({ underMs, aloneMs }) => underMs / aloneMs));
  return {
    work: `tenancy: ${comparisons[0]!.attack}`,
    measured:
      broken.length > 0 ? `does not hold: ${broken.join(', ')}` : `holds, factor ${worst.toFixed(1)} at most`,
    budget: `no failure, at most ${MAX_FACTOR} × and ${NOISE_MS} ms`,
    met: broken.length === 0,
  };
}
