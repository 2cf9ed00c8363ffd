import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { BenchEnvironment, setStage, Stage } from '../bench-environment';
import { cpuPerItem, cpuTimes } from '../cpu-times';
import { compare, REFERENCES } from '../references';
import { against, type Figure } from '../report';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
/** Messages a second. */
const GOAL = 800;
const LINE = 'A line of text as mails have it, neither long nor short, From time to time.\n';

export interface Generated {
  readonly path: string;
  readonly bytes: number;
  readonly messages: number;
}

/** Messages with text of the size asked for, and a base64 attachment in every other one. The first line is a From_ line. */
export function* messagesOf(messages: number, averageBytes: number): Generator<string[], void, undefined> {
  let seed = 42;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const encoded = Buffer.from(Array.from({ length: averageBytes * 4 }, () => Math.floor(random() * 256)))
    .toString('base64')
    .replace(/(.{76})/g, '$1\n');
  for (let number = 0; number < messages; number++) {
    const date = new Date(Date.UTC(2015, 0, 1) + number * 60_000);
    const size = Math.floor(averageBytes * (0.4 + random() * 1.2));
    const text = LINE.repeat(Math.ceil(Math.min(size, 4_000) / LINE.length));
    const head = [
      `From sender${number % 500}@example.com ${date.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1 $3 $2 $5 $4')}`,
      `From: Sender ${number % 500} <sender${number % 500}@example.com>`,
      'To: Me <me@example.com>',
      `Subject: Message ${number} about topic ${number % 977}`,
      `Message-ID: <${number}.${averageBytes}@example.com>`,
      `Date: ${date.toUTCString()}`,
      'MIME-Version: 1.0',
    ];
    const rest = size - text.length;
    const body =
      rest < 500
        ? ['Content-Type: text/plain; charset=utf-8', '', text]
        : [
            'Content-Type: multipart/mixed; boundary="cut"',
            '',
            '--cut',
            'Content-Type: text/plain; charset=utf-8',
            '',
            text,
            '--cut',
            'Content-Type: application/octet-stream; name="a.bin"',
            'Content-Disposition: attachment; filename="a.bin"',
            'Content-Transfer-Encoding: base64',
            '',
            encoded.slice((number * 77) % 7_700, ((number * 77) % 7_700) + rest),
            '--cut--',
          ];
    yield [...head, ...body, ''];
  }
}

/** A number of messages, times `BENCH_SCALE`: 0.05 tries out in seconds whether everything runs. */
export const scaled = (messages: number): number =>
  Math.max(100, Math.round(messages * Number(process.env.BENCH_SCALE ?? 1)));

/** Writes an mbox file message by message. */
export async function generateMbox(path: string, messages: number, averageBytes: number): Promise<Generated> {
  const out = createWriteStream(path, { highWaterMark: MIB });
  for (const lines of messagesOf(messages, averageBytes))
    if (!out.write([...lines, ''].join('\n'))) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
  return { path, bytes: (await stat(path)).size, messages };
}

/** By hand: `fetch` stops in the middle of a Blob of more than 4 GiB. */
async function upload(stage: Stage, path: string): Promise<string> {
  const boundary = 'bench-boundary';
  const sending = httpRequest(new URL(`/api/import/${stage.accountId}/mbox`, stage.service.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stage.user.api.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  const sent = pipeline(async function* () {
    yield `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.mbox"\r\n\r\n`;
    yield* createReadStream(path, { highWaterMark: MIB });
    yield `\r\n--${boundary}--\r\n`;
  }, sending);
  // A refusal comes before the file is sent, and ends the connection.
  const refused = answered.then(([{ statusCode }]) => {
    if (statusCode !== 202) throw new Error(`the upload answered ${statusCode}`);
  });
  await Promise.all([refused, sent]);
  const [response] = await answered;
  const { jobId } = (await json(response)) as { jobId: string };
  return jobId;
}

/** @param goal messages a second */
export async function importFile(stage: Stage, file: Generated, name: string, goal = GOAL): Promise<Figure> {
  const { service, sandbox } = stage;
  service.resetPeak();
  const before = service.memory().now;
  const uploadedAt = performance.now();
  const jobId = await upload(stage, file.path);
  const uploadSeconds = (performance.now() - uploadedAt) / 1000;
  const cpuBefore = cpuTimes(service.pid, sandbox.pid);
  const startedAt = performance.now();
  const job = await stage.user.jobEnd(jobId, HOUR_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuPerItem(cpuBefore, cpuTimes(service.pid, sandbox.pid), file.messages);
  if (job.status !== 'completed' || job.result.imported !== file.messages) {
    throw new Error(`the import ended as ${JSON.stringify(job)}`);
  }
  const rate = file.messages / seconds;
  const { peak } = service.memory();
  const mib = file.bytes / MIB;
  return {
    work: `${name}: ${file.messages} messages, ${mib.toFixed(0)} MiB`,
    measured:
      `${rate.toFixed(0)} msg/s, ${(mib / seconds).toFixed(0)} MiB/s, upload ${(mib / uploadSeconds).toFixed(0)} MiB/s, ` +
      `peak RSS ${peak.toFixed(0)} MiB (${before.toFixed(0)} before), ${against(rate, goal)}; ${cpu}`,
    compared: compare(REFERENCES.mboxImport, rate),
    budget: `≥ ${goal} msg/s, < 400 MB`,
    met: rate >= goal && peak < 381,
  };
}

export async function benchFile(
  environment: BenchEnvironment,
  name: string,
  messages: number,
  averageBytes: number,
): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: 1 });
  const path = join(environment.directory, 'bench.mbox');
  try {
    return [await importFile(stage, await generateMbox(path, scaled(messages), averageBytes), name)];
  } finally {
    await rm(path, { force: true });
    await stage.stop();
  }
}

/** An mbox file of 150 MB. */
export const benchImport = (environment: BenchEnvironment): Promise<Figure[]> =>
  benchFile(environment, 'mbox import', 4_000, 38 * 1024);

/** An mbox file of 5 GB: memory is not to depend on its size. */
export const benchImportLarge = (environment: BenchEnvironment): Promise<Figure[]> =>
  benchFile(environment, 'mbox import, large', 131_000, 38 * 1024);

/** 200,000 small messages: what a message costs beyond its bytes. */
export const benchImportSmall = (environment: BenchEnvironment): Promise<Figure[]> =>
  benchFile(environment, 'mbox import, small messages', 200_000, 2 * 1024);
