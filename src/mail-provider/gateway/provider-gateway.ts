import { Injectable, Logger } from '@nestjs/common';
import { LinkedSignal, linkedSignal, sleep } from '../../common/concurrency/abortable';
import { backgroundTurn } from '../../common/concurrency/background-pace';
import { AppConfig } from '../../config/app-config';
import { OutcomeUnknown, ProviderUnavailable } from '../mail-provider.errors';
import type { CallPriority, ProviderAccount } from '../mailbox-provider.port';
import { AccountLimiters } from './account-limiters';
import { AccountPauses } from './account-pauses';
import { Admission, CallAdmission } from './call-admission';
import { FailureKind, ProviderFailure } from './provider-call';
import type { CallAttempt, ProviderCall } from './provider-call';
import { CallOutcome, ProviderMetrics } from './provider-metrics';
import { ProviderTokens } from './provider-tokens';
import { QuotaBucket } from './quota-bucket';
import { decideRetry, GatewayTimings } from './retry-policy';
import { UsageRecorder } from './usage-recorder';

const SLOW_LINE_BYTES_PER_MS = 250;
/** Of answers whose size is not announced, so that they need not ask for every piece. */
const RESERVATION_STEP_BYTES = 256 * 1024;

const OUTCOMES: Readonly<Record<FailureKind, CallOutcome>> = {
  rateLimited: 'rate_limited',
  concurrency: 'rate_limited',
  unavailable: 'unavailable',
  unauthorized: 'unauthorized',
  refused: 'refused',
};

/** Where a failed call stands; passed on when an adapter resends parts of a batch itself. */
export interface RetryState {
  /** Attempts made so far. */
  readonly attempt: number;
  /** Epoch milliseconds; Infinity for background calls. */
  readonly deadline: number;
}

/**
 * The one way out to a mail provider: books quota, bounds the calls in flight, retries if it is worth it,
 * keeps tokens fresh, and counts. Adapters perform single attempts and throw `ProviderFailure`.
 */
@Injectable()
export class ProviderGateway {
  private readonly logger = new Logger(ProviderGateway.name);

  constructor(
    private readonly config: AppConfig,
    private readonly admission: CallAdmission,
    private readonly limiters: AccountLimiters,
    private readonly quota: QuotaBucket,
    private readonly pauses: AccountPauses,
    private readonly tokens: ProviderTokens,
    private readonly usage: UsageRecorder,
    private readonly metrics: ProviderMetrics,
    private readonly timings: GatewayTimings,
  ) {}

  /**
   * Performs a call, as often as its failures are worth it.
   * @throws OutcomeUnknown for calls that are not repeatable; the provider taxonomy of `mail-provider.errors.ts`; the signal's reason when it aborts
   */
  async call<T>(call: ProviderCall, perform: (attempt: CallAttempt) => Promise<T>): Promise<T> {
    const deadline = this.deadlineFor(call.priority);
    let renewed = false;
    for (let attempt = 1; ; attempt++) {
      let begun = false;
      const performing = (means: CallAttempt): Promise<T> => {
        begun = true;
        return perform(means);
      };
      try {
        return await this.attempt(call, attempt, deadline, performing);
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        if (error instanceof RejectedToken && !renewed) {
          renewed = true;
          await this.renewToken(call, error.accessToken, deadline);
          continue;
        }
        if (call.repeatable === false && begun && isAnswerLost(error)) throw new OutcomeUnknown(error.error);
        await this.backOff(call, error, { attempt, deadline });
      }
    }
  }

  deadlineFor(priority: CallPriority): number {
    return priority === 'interactive' ? Date.now() + this.timings.interactiveWaitMs : Infinity;
  }

  /** How many sub-calls of `endpoint` a batch may hold now: no more than may be in flight, or flow in a second. */
  batchSize(account: ProviderAccount, endpoint: string, maximum: number): number {
    const affordable = Math.floor(this.quota.comfortableUnits / Math.max(1, this.cost(endpoint)));
    return Math.max(1, Math.min(maximum, affordable, this.limiters.of(account.id).slots.limit));
  }

  /**
   * Waits before the next attempt, pausing the account where its quota is the reason.
   * @throws the failure's error when another attempt is not worth it, or comes too late for the caller
   */
  async backOff(call: ProviderCall, failure: ProviderFailure, state: RetryState): Promise<void> {
    const now = Date.now();
    const { priority } = call;
    const { timings } = this;
    const decision = decideRetry(failure, state.attempt, {
      now,
      priority,
      deadline: state.deadline,
      timings,
    });
    if (failure.isObjection) this.limiters.of(call.account.id).slots.onRefused(now);
    if (decision.pauseAccount) await this.pauses.pause(call.account.id, decision.delayMs);
    if (!decision.retry) throw failure.toDomainError(now + decision.delayMs);
    this.logger.debug(
      `${call.account.provider} ${call.endpoint}: ${failure.reason}, attempt ${state.attempt}, next in ${decision.delayMs} ms`,
    );
    // A paused account is waited for with everybody else, at admission.
    if (!decision.pauseAccount) await sleep(decision.delayMs, call.signal);
  }

  /** Counts parts of a batch that failed although the batch itself was answered. */
  partFailed(call: ProviderCall, failure: ProviderFailure): void {
    this.metrics.failed(call.account.provider, failure.reason);
  }

  private async attempt<T>(
    call: ProviderCall,
    number: number,
    deadline: number,
    perform: (attempt: CallAttempt) => Promise<T>,
  ): Promise<T> {
    const units = call.units ?? this.cost(call.endpoint) * (call.calls ?? 1);
    await backgroundTurn();
    // First of all: a dead grant or a disconnected account must not wait for quota.
    await this.tokens.current(call.account, { signal: call.signal, deadline });
    const admission = await this.admit(call, units, deadline);
    const limit = linkedSignal(
      call.signal,
      this.attemptTimeout(call),
      () => new Error('The attempt took too long'),
    );
    try {
      const accessToken = await this.tokens.current(call.account, { signal: call.signal });
      const reserve = reservation(call, admission, limit);
      const announced = call.calls ?? 1;
      const made = { calls: announced, units };
      const makeOnly = (calls: number): void => {
        made.calls = calls;
        made.units = (units * calls) / announced;
      };
      const result = await this.perform(call, made, () =>
        perform({ number, accessToken, signal: limit.signal, reserve, makeOnly }).catch((error: unknown) => {
          throw asFailure(error, call, accessToken, limit.timedOut);
        }),
      );
      this.limiters.of(call.account.id).slots.onAccepted(made.calls, Date.now());
      return result;
    } finally {
      limit.release();
      admission.release();
    }
  }

  private async admit(call: ProviderCall, units: number, deadline: number): Promise<Admission> {
    const since = performance.now();
    try {
      return await this.admission.admit(call, units, deadline);
    } finally {
      this.metrics.waited(call.account.provider, call.priority, (performance.now() - since) / 1_000);
    }
  }

  /** @param made the calls that were really made; read at the end */
  private async perform<T>(
    call: ProviderCall,
    made: { readonly calls: number; readonly units: number },
    send: () => Promise<T>,
  ): Promise<T> {
    let outcome: CallOutcome = 'ok';
    try {
      return await send();
    } catch (error) {
      outcome = this.outcomeOf(call, error);
      throw error;
    } finally {
      const { calls, units } = made;
      if (calls > 0) {
        this.usage.record(call.account.id, call.endpoint, units, calls);
        this.metrics.called(call.account.provider, call.endpoint, outcome, calls, units);
      }
    }
  }

  private outcomeOf(call: ProviderCall, error: unknown): CallOutcome {
    if (call.signal?.aborted) return 'aborted';
    if (!(error instanceof ProviderFailure)) return 'refused';
    this.metrics.failed(call.account.provider, error.reason);
    return OUTCOMES[error.kind];
  }

  private async renewToken(call: ProviderCall, rejected: string, deadline: number): Promise<void> {
    try {
      await this.tokens.renew(call.account, rejected, { signal: call.signal, deadline });
    } catch (error) {
      // The next attempt asks for a token again, and finds out how often that is worth trying.
      if (!(error instanceof ProviderFailure)) throw error;
    }
  }

  private attemptTimeout(call: ProviderCall): number {
    return this.timings.attemptMs[call.priority] + (call.expectedBytes ?? 0) / SLOW_LINE_BYTES_PER_MS;
  }

  private cost(endpoint: string): number {
    const cost = this.config.provider.unitCosts[endpoint];
    if (cost === undefined) throw new Error(`No quota units are configured for ${endpoint}`);
    return cost;
  }
}

/** The provider did not accept this access token. */
class RejectedToken extends ProviderFailure {
  constructor(
    failure: ProviderFailure,
    readonly accessToken: string,
  ) {
    // Should it be refused again after a refresh, it is trouble at the provider's side: a dead grant says so at the refresh.
    super({ kind: 'unavailable', reason: failure.reason, error: failure.error });
  }
}

/** Failures to reach the provider at all. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether the call may have had its effect all the same: a gateway in front answers 502 to what it has passed on. */
function isAnswerLost(failure: ProviderFailure): boolean {
  return (
    failure.kind === 'unavailable' && !(failure instanceof RejectedToken) && !NEVER_SENT.has(failure.reason)
  );
}

function asFailure(error: unknown, call: ProviderCall, accessToken: string, timedOut: boolean): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  if (timedOut) {
    return new ProviderFailure({
      kind: 'unavailable',
      reason: 'timeout',
      error: new ProviderUnavailable(error),
    });
  }
  if (error instanceof ProviderFailure && error.kind === 'unauthorized')
    return new RejectedToken(error, accessToken);
  return error;
}

/** Grows the admission's bytes. Waiting for them does not count as the attempt's time, reading them takes some more. */
function reservation(
  call: ProviderCall,
  admission: Admission,
  limit: LinkedSignal,
): (bytes: number) => Promise<void> | undefined {
  let reserved = call.expectedBytes ?? 0;
  return (bytes) => {
    if (bytes <= reserved) return undefined;
    const step = Math.max(bytes - reserved, RESERVATION_STEP_BYTES);
    reserved += step;
    limit.extend(step / SLOW_LINE_BYTES_PER_MS);
    const wait = admission.bytes.grow(step, limit.signal);
    return wait && (call.priority === 'interactive' ? wait : limit.suspend(wait));
  };
}
