import { execFileSync } from 'node:child_process';

/** `BENCH_NODE=/path/to/node`: what the service and the bare servers run on, where it is not what runs the benchmarks. */
export const SERVICE_NODE = process.env.BENCH_NODE ?? process.execPath;

/** Such as `v24.1.0`. */
export function nodeVersion(): string {
  return execFileSync(SERVICE_NODE, ['--version'], { encoding: 'utf8' }).trim();
}
