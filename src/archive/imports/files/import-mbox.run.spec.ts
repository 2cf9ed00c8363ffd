import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { AppConfig } from '../../../platform/config/app-config';
import type { JobContext } from '../../../platform/jobs/job-definition';
import type { ImportWriter } from '../import-writer';
import { estimatedTotal, ImportMboxRun } from './import-mbox.run';
import { uploadedFile } from './import-source';
import { mailFormats } from './mail-formats';
import type { OutlookRebuilder } from '../outlook/outlook-rebuilder';

const MESSAGES = 2_000;

const anMbox = (messages: number): Buffer =>
  Buffer.from(
    Array.from(
      { length: messages },
      (_, n) =>
        `From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nSubject: ${n}\n\nText ${n} ${'x'.repeat(n % 90)}\n\n`,
    ).join(''),
  );

describe('ImportMboxRun', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-mbox-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Imports into nowhere; every state that the job could be seen in. */
  const importing = async (bytes: Buffer): Promise<{ processed: number; total: number }[]> => {
    const path = join(folder, 'mail.mbox');
    await writeFile(path, bytes);
    const seen: { processed: number; total: number }[] = [];
    const state = { processed: 0, total: 0 };
    const see = (): void => void seen.push({ ...state });
    const job = {
      signal: new AbortController().signal,
      savedCheckpoint: () => undefined,
      report: () => undefined,
      checkpoint: () => Promise.resolve(),
      setTotal: (total: number) => {
        state.total = total;
        see();
      },
      progress: ({ processed = 0 }) => {
        state.processed += processed;
        see();
      },
      fail: () => {
        throw new Error('No message is damaged.');
      },
    } as unknown as JobContext;
    const writer = {
      readClock: () => Promise.resolve('2026-01-01T00:00:00.000Z'),
      stage: (_owner: unknown, messages: readonly unknown[]) => {
        const result = { imported: messages.length, duplicates: 0, sameIdDifferent: 0, bytes: 0 };
        return Promise.resolve({ commit: () => Promise.resolve(result), abandon: () => Promise.resolve() });
      },
    } as unknown as ImportWriter;
    const spool = { pathOf: () => '', hasRoom: () => Promise.resolve(true), delete: () => Promise.resolve() };
    const formats = mailFormats({} as OutlookRebuilder);
    const config = { storage: { maxUploadBytes: 1024 ** 3 } } as AppConfig;
    await new ImportMboxRun({ userId: 'u', accountId: 'a' }, uploadedFile(path), job, {
      writer,
      config,
      spool,
      formats,
    }).run();
    return seen;
  };

  it.each([
    ['as it is', anMbox(MESSAGES)],
    ['compressed', gzipSync(anMbox(MESSAGES))],
  ])('should never exceed its total, nor be near it halfway, for a file %s', async (_how, bytes) => {
    const seen = await importing(bytes);
    expect(seen.filter(({ processed, total }) => processed > total)).toEqual([]);
    const halfWay = seen.filter(({ processed }) => processed > 0 && processed <= MESSAGES / 2);
    expect(halfWay.length).toBeGreaterThan(3);
    expect(halfWay.filter(({ processed, total }) => processed > 0.7 * total)).toEqual([]);
    expect(seen.at(-1)).toEqual({ processed: MESSAGES, total: MESSAGES });
  });
});

describe('estimatedTotal', () => {
  it.each([
    ['a quarter of the file', 250, 1_000, 400],
    ['the whole file', 1_000, 1_000, 100],
    ['an empty file', 0, 0, 100_000_000],
  ])('should follow the actual progress: %s', (_what, bytesDone, size, expected) => {
    expect(estimatedTotal(100, bytesDone, size)).toBe(expected);
  });
});
