import { Session } from 'node:inspector';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { writeFileSync } from 'node:fs';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import type { ProbeAnswer, ProbeQuestion, ProcessFigures } from './probe.types';
import type { RequestTimesProbe } from './request-times';

const DELAY_RESOLUTION_MS = 5;
const NANOSECONDS = 1e6;

/** Answers questions of the process that started this one, from inside: loaded with `--require` before the service. */
class ProcessProbe {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  private profiler: Session | null = null;
  private requests: RequestTimesProbe | null = null;
  private collectGarbage: (() => void) | null = null;

  start(): void {
    this.delay.enable();
    process.on('message', (question: ProbeQuestion) => {
      if (question.probe === undefined) return;
      this.answer(question).then(
        (value) => this.send({ probe: question.probe, value }),
        (error: unknown) => this.send({ probe: question.probe, error: String(error) }),
      );
    });
    // Nobody is left to stop the service.
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    // Listening must not keep the service from ending.
    process.channel?.unref();
  }

  private send(answer: ProbeAnswer): void {
    process.send?.(answer);
  }

  private async answer(question: ProbeQuestion): Promise<unknown> {
    switch (question.ask) {
      case 'figures':
        return this.figures(question.collect ?? false);
      case 'resetDelay':
        return this.delay.reset();
      case 'resetRequests':
        return (await this.timedRequests()).reset();
      case 'slowestRequests':
        return (await this.timedRequests()).slowest();
      case 'startProfile':
        return this.startProfile();
      case 'stopProfile':
        return this.stopProfile(question.path);
      case 'heapSnapshot':
        this.garbage();
        return writeHeapSnapshot(question.path);
    }
  }

  /** Loads the drivers, which services that are not asked for it need not do any sooner. */
  private async timedRequests(): Promise<RequestTimesProbe> {
    const { RequestTimesProbe } = await import('./request-times.js');
    this.requests ??= new RequestTimesProbe();
    return this.requests;
  }

  private figures(collect: boolean): ProcessFigures {
    // The resident set as it is without our help.
    const { rss } = process.memoryUsage();
    if (collect) this.garbage();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const ms = (nanoseconds: number): number => nanoseconds / NANOSECONDS;
    return {
      rss,
      heapUsed,
      external,
      arrayBuffers,
      cpuMs: (user + system) / 1_000,
      delay: {
        p50: ms(this.delay.percentile(50)),
        p99: ms(this.delay.percentile(99)),
        max: ms(this.delay.max),
      },
    };
  }

  private garbage(): void {
    if (this.collectGarbage === null) {
      setFlagsFromString('--expose-gc');
      this.collectGarbage = runInNewContext('gc') as () => void;
    }
    this.collectGarbage();
  }

  private async startProfile(): Promise<void> {
    this.profiler = new Session();
    this.profiler.connect();
    await this.post('Profiler.enable');
    await this.post('Profiler.start');
  }

  private async stopProfile(path: string): Promise<void> {
    const { profile } = (await this.post('Profiler.stop')) as { profile: unknown };
    this.profiler?.disconnect();
    this.profiler = null;
    writeFileSync(path, JSON.stringify(profile));
  }

  private post(method: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.profiler === null) return reject(new Error('No profile was started'));
      this.profiler.post(method, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}

// Worker threads load what their process was started with as well.
if (isMainThread && process.send) new ProcessProbe().start();
