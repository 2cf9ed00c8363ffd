import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import { asyncContext, type Turns, withContext } from '../context/async-context';
import { setTimeout } from './timers';

/**
 * Requests within `ACTIVE_MS` from which people count as using the service. A page that only waits for a job asks less
 * often.
 */
const REQUESTS = 5;
const ACTIVE_MS = 300;
/** Interval of the looks at the event loop while a step waits, in milliseconds. */
const LOOK_MS = 2;
/** Delay of a look, in milliseconds, up to which the event loop has time. */
const ON_TIME_MS = 5;
/** Time in milliseconds after which a waiting step begins although requests are late: no job stands still. */
const PATIENCE_MS = 200;
/** Number of overdue steps that begin at one look: together they must not hold requests up. */
const MOST_OVERDUE = 2;

interface WaitingStep {
  readonly since: number;
  readonly goOn: () => void;
}

/**
 * Lets background work yield to requests: between its small steps it takes a turn. While people use the service, one step
 * begins at a time, and only when the event loop is on time; else it begins at once. See ADR 53.
 */
@Injectable()
export class BackgroundPace implements Turns {
  private readonly waiting: WaitingStep[] = [];
  /** Times when the last requests began, oldest first. */
  private readonly requests: number[] = [];
  private lookDueAt = 0;
  private isLooking = false;
  private readonly yields: boolean;

  constructor(config: AppConfig) {
    this.yields = config.jobs.yield;
  }

  /** A person or a program waits for an answer. */
  recordRequest(): void {
    this.requests.push(performance.now());
    if (this.requests.length > REQUESTS) this.requests.shift();
  }

  /** Runs background work: the steps in it take turns. */
  run<T>(work: () => T): T {
    return this.yields ? withContext({ background: this }, work) : work();
  }

  /** Resolves when the next step may begin; undefined: at once. */
  waitForTurn(): Promise<void> | undefined {
    const now = performance.now();
    if (this.waiting.length === 0 && !this.isUsed(now)) return undefined;
    return new Promise((goOn) => {
      this.waiting.push({ since: now, goOn });
      if (!this.isLooking) this.scheduleLook(now);
    });
  }

  private isUsed(now: number): boolean {
    return this.requests.length === REQUESTS && now - this.requests[0]! <= ACTIVE_MS;
  }

  private scheduleLook(now: number): void {
    this.isLooking = true;
    this.lookDueAt = now + LOOK_MS;
    setTimeout(() => this.startDueSteps(), LOOK_MS);
  }

  private startDueSteps(): void {
    const now = performance.now();
    let free = now - this.lookDueAt <= ON_TIME_MS ? 1 : 0;
    for (let overdue = 0; overdue < MOST_OVERDUE; overdue++) {
      const next = this.waiting[0];
      if (!next || (free <= 0 && now - next.since < PATIENCE_MS)) break;
      free--;
      this.waiting.shift();
      next.goOn();
    }
    this.isLooking = this.waiting.length > 0;
    if (this.isLooking) this.scheduleLook(now);
  }
}

/** The turn of the background work this is called in; undefined in requests, and when there is no need to wait. */
export const waitForBackgroundTurn = (): Promise<void> | undefined =>
  asyncContext.getStore()?.background?.waitForTurn();
