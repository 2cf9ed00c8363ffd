import { Injectable, Logger } from '@nestjs/common';
import { LinkedSignal, linkedSignal, sleep } from '../../platform/concurrency/abortable';
import { waitForBackgroundTurn } from '../../platform/concurrency/background-pace';
import { isDependencyUnavailable } from '../../platform/logging/system-errors';
import { AppConfig } from '../../platform/config/app-config';
import { OutcomeUnknown, ProviderUnavailable } from '../port/mail-provider.errors';
import type { CallPriority, ProviderAccount } from '../port/mailbox-provider.port';
import type { TransferredBytes } from '../port/provider-usage.port';
import { limitsOf, unitCost } from '../port/provider-limits';
import { AccountLimiters } from './account-limiters';
import { AccountPauses } from './account-pauses';
import { Admission, CallAdmission } from './call-admission';
import { FailureKind, ProviderFailure } from './provider-call';
import type { CallAttempt, ProviderCall } from './provider-call';
import { CallOutcome, ProviderMetrics } from './provider-metrics';
import { AttemptSecret, ProviderSecrets, SecretWait } from './provider-secrets';
import { QuotaBucket } from './quota-bucket';
import { decideRetry, GatewayTimings } from './retry-policy';
import { UsageRecorder } from './usage-recorder';

const SLOW_LINE_BYTES_PER_MS = 250;
/** Bytes reserved at once for an answer of unannounced size, so that its reader need not ask for every piece. */
const RESERVATION_STEP_BYTES = 256 * 1024;

const OUTCOMES: Readonly<Record<FailureKind, CallOutcome>> = {
  rateLimited: 'rate_limited',
  concurrency: 'rate_limited',
  unavailable: 'unavailable',
  unauthorized: 'unauthorized',
  refused: 'refused',
};

/** Progress of a call that failed. An adapter that resends parts of a batch itself passes it on. */
export interface RetryState {
  /** Attempts made so far. */
  readonly attempt: number;
  /** Epoch milliseconds; Infinity for background calls. */
  readonly deadline: number;
}

/**
 * Makes every call to a mail provider: it books quota, bounds the calls in flight, retries where that may help, keeps
 * secrets usable, and records usage. Adapters perform single attempts and throw `ProviderFailure`.
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
    private readonly secrets: ProviderSecrets,
    private readonly usage: UsageRecorder,
    private readonly metrics: ProviderMetrics,
    private readonly timings: GatewayTimings,
  ) {}

  /**
   * Performs a call, and repeats it after failures that another attempt may overcome.
   * @throws OutcomeUnknown for calls that are not repeatable; the provider taxonomy of `mail-provider.errors.ts`; the
   *   signal's reason when it aborts
   */
  async call<T>(call: ProviderCall, perform: (attempt: CallAttempt) => Promise<T>): Promise<T> {
    const deadline = this.deadlineFor(call.priority);
    let refused: string | null = null;
    for (let number = 1; ; number++) {
      let begun = false;
      const performAttempt = (attempt: CallAttempt): Promise<T> => {
        begun = true;
        return perform(attempt);
      };
      try {
        return await this.attempt(call, number, deadline, performAttempt);
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        if (error instanceof RejectedSecret) {
          const { value } = error.secret;
          const replaced = await this.tryReplaceSecret(call, error, refused, deadline);
          // A token that could not be renewed is renewed after the next refusal.
          refused = refused === value && !replaced ? null : (refused ?? value);
          if (replaced) continue;
        }
        if (call.repeatable === false && begun && isAnswerLost(error)) throw new OutcomeUnknown(error.error);
        await this.backOff(call, error, { attempt: number, deadline });
      }
    }
  }

  deadlineFor(priority: CallPriority): number {
    return priority === 'interactive' ? Date.now() + this.timings.interactiveWaitMs : Infinity;
  }

  /**
   * Number of sub-calls of `endpoint` that a batch may hold now: at most those that may be in flight, or be made in one
   * second.
   */
  batchSize(account: ProviderAccount, endpoint: string, maximum: number): number {
    const { slots, sequential } = this.limiters.of(account);
    const units = this.quota.comfortableUnits(account.provider);
    const affordable = Math.floor(units / Math.max(1, this.costOf(account, endpoint)));
    return Math.max(1, Math.min(maximum, affordable, sequential ? Infinity : slots.limit));
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
    // When other processes hold the connections, perhaps one that has died, fewer calls of this process do not help.
    if (failure.isObjection && failure.origin !== 'others')
      this.limiters.of(call.account).slots.onRefused(now);
    if (decision.pauseAccount) await this.pauses.pause(call.account.id, decision.delayMs);
    if (!decision.retry) throw failure.toDomainError(now + decision.delayMs);
    this.logger.debug(
      `${call.account.provider} ${call.endpoint}: ${failure.reason}, attempt ${state.attempt}, next in ${decision.delayMs} ms`,
    );
    // The call waits for a paused account at admission, like all other calls.
    if (!decision.pauseAccount) await sleep(decision.delayMs, call.signal);
  }

  /** Counts parts of a batch that failed although the batch itself was answered. */
  countFailedPart(call: ProviderCall, failure: ProviderFailure): void {
    this.metrics.countFailure(call.account.provider, failure.reason);
  }

  private async attempt<T>(
    call: ProviderCall,
    number: number,
    deadline: number,
    perform: (attempt: CallAttempt) => Promise<T>,
  ): Promise<T> {
    const units = call.units ?? this.costOf(call.account, call.endpoint) * (call.calls ?? 1);
    await waitForBackgroundTurn();
    // Comes first: a call of a dead grant or a disconnected account must fail without waiting for quota.
    await this.secrets.getCurrent(call.account, { signal: call.signal, deadline });
    const admission = await this.admit(call, units, deadline);
    const limit = linkedSignal(
      call.signal,
      this.timeoutOf(call),
      () => new Error('The attempt took too long'),
    );
    try {
      const secret = await this.secrets.beginAttempt(call.account, { signal: call.signal });
      const reserve = createReserve(call, admission, limit);
      const planned = call.calls ?? 1;
      const made = { calls: planned, units };
      const correctCallCount = (calls: number): void => {
        made.calls = calls;
        made.units = (units * calls) / planned;
      };
      const countFurtherCalls = (endpoint: string, calls: number): void =>
        this.spend(call.account, endpoint, calls);
      const countBytes = (bytes: TransferredBytes): void =>
        this.usage.recordBytes(call.account.id, call.endpoint, bytes);
      const { signal } = limit;
      const attempt: CallAttempt = {
        number,
        secret: secret.value,
        secretKind: secret.kind,
        signal,
        reserve,
        correctCallCount,
        countFurtherCalls,
        countBytes,
      };
      call.fence?.();
      const result = await this.perform(call, made, () =>
        this.runWithSecret(secret, () =>
          perform(attempt).catch((error: unknown) => {
            throw toFailure(error, call, secret, limit.timedOut);
          }),
        ),
      );
      this.limiters.of(call.account).slots.onAccepted(made.calls, Date.now());
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
      this.metrics.observeWait(call.account.provider, call.priority, (performance.now() - since) / 1_000);
    }
  }

  /** @param made the calls that were made; read when `send` has ended */
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
        this.metrics.countCalls(call.account.provider, call.endpoint, outcome, calls, units);
      }
    }
  }

  private outcomeOf(call: ProviderCall, error: unknown): CallOutcome {
    if (call.signal?.aborted) return 'aborted';
    if (!(error instanceof ProviderFailure)) return 'refused';
    this.metrics.countFailure(call.account.provider, error.reason);
    return OUTCOMES[error.kind];
  }

  /** Runs `work` and reports whether the secret was accepted. A rejected secret is handled after the attempt. */
  private async runWithSecret<T>(secret: AttemptSecret, work: () => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await work();
    } catch (error) {
      if (!(error instanceof RejectedSecret)) await this.secrets.endAttempt(secret, false);
      throw error;
    }
    await this.secrets.endAttempt(secret, true);
    return result;
  }

  /** Counts additional calls of an attempt. Later calls ask Redis after this one, and so wait for the units it takes. */
  private spend(account: ProviderAccount, endpoint: string, calls: number): void {
    const units = this.costOf(account, endpoint) * calls;
    this.usage.record(account.id, endpoint, units, calls);
    this.metrics.countCalls(account.provider, endpoint, 'ok', calls, units);
    this.quota.debit(account, units).catch((error: unknown) => {
      // The calls have been made. Until Redis is back, other calls may exceed the quota.
      const text = `Could not share the quota account ${account.id} has spent: ${String(error)}`;
      if (isDependencyUnavailable(error)) this.logger.warn(text);
      else this.logger.error(text);
    });
  }

  /**
   * Returns whether another secret can be tried at once, after the last one was rejected.
   * @param earlier the secret of this call that was rejected first; null: none
   * @throws the error that ends the call, see `ProviderSecrets.reportRefusedLogin`
   */
  private async tryReplaceSecret(
    call: ProviderCall,
    rejected: RejectedSecret,
    earlier: string | null,
    deadline: number,
  ): Promise<boolean> {
    const { kind, value, login } = rejected.secret;
    const wait = { signal: call.signal, deadline };
    const isRenewed = earlier !== null && earlier !== value;
    if (login && (kind === 'password' || isRenewed))
      await this.secrets.reportRefusedLogin(call.account, login, rejected, wait);
    else await this.secrets.endAttempt(rejected.secret, false);
    if (earlier !== null) return false;
    if (kind === 'token') await this.renewToken(call, value, wait);
    return true;
  }

  private async renewToken(call: ProviderCall, rejected: string, wait: SecretWait): Promise<void> {
    try {
      await this.secrets.renew(call.account, rejected, wait);
    } catch (error) {
      // The next attempt asks for a token again and decides whether to go on.
      if (!(error instanceof ProviderFailure)) throw error;
    }
  }

  private timeoutOf({ account, priority, expectedBytes = 0 }: ProviderCall): number {
    const { attemptMs, longAttemptMs } = this.timings;
    const usual = (longAttemptMs[account.provider] ?? attemptMs)[priority];
    return usual + expectedBytes / SLOW_LINE_BYTES_PER_MS;
  }

  private costOf({ provider }: ProviderAccount, endpoint: string): number {
    return unitCost(limitsOf(this.config, provider), endpoint);
  }
}

/** The provider did not accept this access token, or this password. */
class RejectedSecret extends ProviderFailure {
  constructor(
    failure: ProviderFailure,
    readonly secret: AttemptSecret,
  ) {
    // The Gmail API that refuses a token again after a refresh has a failure: a dead grant would have failed at the
    // refresh.
    super({ kind: 'unavailable', reason: failure.reason, error: failure.error });
  }
}

/** Error codes of calls that have not reached the provider. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether the call may have taken effect although it failed. A proxy may answer 502 to a call that it has passed on. */
function isAnswerLost(failure: ProviderFailure): boolean {
  return (
    failure.kind === 'unavailable' && !(failure instanceof RejectedSecret) && !NEVER_SENT.has(failure.reason)
  );
}

function toFailure(error: unknown, call: ProviderCall, secret: AttemptSecret, timedOut: boolean): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  if (timedOut) {
    return new ProviderFailure({
      kind: 'unavailable',
      reason: 'timeout',
      error: new ProviderUnavailable(error),
    });
  }
  if (error instanceof ProviderFailure && error.kind === 'unauthorized')
    return new RejectedSecret(error, secret);
  return error;
}

/**
 * Returns a function that grows the admission's bytes. Waiting for them does not count towards the attempt's timeout,
 * and each further byte extends it.
 */
function createReserve(
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
