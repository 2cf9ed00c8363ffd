import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type PstLetter, PstWriter } from '../../test/support/archive/outlook/pst-writer';
import { BenchEnvironment, setStage } from '../bench-environment';
import type { Figure } from '../report';
import { type Generated, importFile, scaled } from './import.bench';

/** Messages a second. */
const GOAL = 300;
const IN_A_FOLDER = 400;
const LINE = 'A line of text as mails have it, neither long nor short, From time to time.\r\n';
/** Every so many messages one has a file of this size. */
const WITH_FILE = 20;
const FILE_BYTES = 300 * 1024;

function letterOf(number: number): PstLetter {
  const html = `<html><body>${`<p>${number}: ${LINE}</p>`.repeat(30)}</body></html>`;
  return {
    subject: `Message ${number} about topic ${number % 977}`,
    headers: [
      `From: Sender ${number % 500} <sender${number % 500}@example.com>`,
      'To: Me <me@example.com>',
      `Subject: Message ${number} about topic ${number % 977}`,
      `Message-ID: <${number}.pst@example.com>`,
      `Date: ${new Date(Date.UTC(2015, 0, 1) + number * 60_000).toUTCString()}`,
      '',
      '',
    ].join('\r\n'),
    body: LINE.repeat(12),
    html: Buffer.from(html),
    ...(number % WITH_FILE === 0 ? { attachment: fileOf(number) } : {}),
  };
}

const fileOf = (number: number): { name: string; data: Buffer } => ({
  name: 'figures.bin',
  data: Buffer.alloc(FILE_BYTES, `${number} ${'0123456789abcdef'.repeat(200)}`),
});

async function generate(path: string, messages: number): Promise<Generated> {
  const writer = new PstWriter(path, 'unicode');
  for (let first = 0; first < messages; first += IN_A_FOLDER) {
    const count = Math.min(IN_A_FOLDER, messages - first);
    const letters = Array.from({ length: count }, (_, place) => letterOf(first + place));
    writer.addFolder({ name: `Folder ${first / IN_A_FOLDER}`, letters });
  }
  writer.end();
  return { path, bytes: (await stat(path)).size, messages };
}

/** The largest resident set of the processes that read data files, MiB, as long as it is watched. */
function watchReader(): { stop(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('pff-reader.py')) continue;
        const status = readFileSync(`/proc/${id}/status`, 'utf8');
        peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // The process has just ended.
      }
    }
  }, 200);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

async function benchFile(environment: BenchEnvironment, messages: number): Promise<Figure> {
  const stage = await setStage(environment, { messages: 1 });
  const folder = mkdtempSync(join(environment.directory, 'pst-'));
  const reader = watchReader();
  try {
    const file = await generate(join(folder, 'bench.pst'), scaled(messages));
    const figure = await importFile(stage, file, 'import of a PST', GOAL);
    return { ...figure, measured: `${figure.measured}; reader at most ${reader.stop().toFixed(0)} MiB` };
  } finally {
    reader.stop();
    rmSync(folder, { recursive: true });
    await stage.stop();
  }
}

/** A PST of 4,000 messages, and one of 20,000, whose import is to need no more memory. */
export const benchPst = async (environment: BenchEnvironment): Promise<Figure[]> => [
  await benchFile(environment, 4_000),
  await benchFile(environment, 20_000),
];
