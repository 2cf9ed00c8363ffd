import type { BenchEnvironment } from '../bench-environment';
import type { Figure } from '../report';
import { benchArchive } from './archive.bench';
import { benchFile } from './import.bench';

/** The way of a message into the archive, from the provider and from an mbox file of 158 MB. */
export async function benchPipeline(environment: BenchEnvironment): Promise<Figure[]> {
  return [
    ...(await benchArchive(environment)),
    ...(await benchFile(environment, 'mbox import', 5_000, 31 * 1024)),
  ];
}
