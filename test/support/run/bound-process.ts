import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';

/**
 * Starts a program that the kernel kills when this process ends, however it ends (setpriv(1)): a worker that is killed
 * leaves nothing behind.
 */
export function spawnBound(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn('setpriv', ['--pdeathsig=KILL', '--', program, ...args], options);
}
