import archiver from 'archiver';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BenchEnvironment, setStage } from '../bench-environment';
import type { Figure } from '../report';
import { type Generated, importFile, messagesOf, scaled } from './import.bench';

/** Messages a second. */
const GOAL = 500;
const AVERAGE_BYTES = 38 * 1024;
const IN_A_FOLDER = 500;

type Kind = 'zip' | 'tgz';

/** Writes an archive of EML files, in folders of 500. */
async function generate(path: string, kind: Kind, messages: number): Promise<Generated> {
  const archive =
    kind === 'zip'
      ? archiver('zip', { zlib: { level: 6 } })
      : archiver('tar', { gzip: true, gzipOptions: { level: 6 } });
  const written = pipeline(archive, createWriteStream(path));
  let number = 0;
  for (const [, ...lines] of messagesOf(messages, AVERAGE_BYTES)) {
    const folder = Math.floor(number / IN_A_FOLDER);
    // One file at a time, so that the archive is not held in memory.
    const added = new Promise((resolve) => archive.once('entry', resolve));
    archive.append(lines.join('\r\n'), { name: `mail/folder-${folder}/${(number += 1)}.eml` });
    await added;
  }
  await Promise.all([archive.finalize(), written]);
  return { path, bytes: (await stat(path)).size, messages };
}

async function benchKind(environment: BenchEnvironment, kind: Kind, messages: number): Promise<Figure> {
  const stage = await setStage(environment, { messages: 1 });
  const path = join(environment.directory, `bench.${kind}`);
  const name = `import of a ${kind === 'zip' ? 'ZIP' : 'tar.gz'} of EML files`;
  try {
    return await importFile(stage, await generate(path, kind, scaled(messages)), name, GOAL);
  } finally {
    await rm(path, { force: true });
    await stage.stop();
  }
}

/** A ZIP of 4,000 EML files, one of 20,000, whose import is to need no more memory, and a tar.gz. */
export const benchArchives = async (environment: BenchEnvironment): Promise<Figure[]> => [
  await benchKind(environment, 'zip', 4_000),
  await benchKind(environment, 'zip', 20_000),
  await benchKind(environment, 'tgz', 4_000),
];
