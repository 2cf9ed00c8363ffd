import { ApiError } from '../http/api-error';
import type { SandboxQuota } from '../types';

/** The provider's limits are moving averages that forgive short bursts; a tenth stands for that. */
const TOLERANCE = 1.1;
/** Asking again before the instant pushes it back by this much, as the provider does. */
const IMPATIENCE_MS = 100;
const MIN_WAIT_MS = 250;

interface Bucket {
  level: number;
  at: number;
}

interface UserQuota {
  second: Bucket;
  minute: Bucket;
  blockedUntil: number;
  refusals: number;
}

/** Counts units per user against the limits. */
export class QuotaMeter {
  private readonly users = new Map<string, UserQuota>();

  /** Takes the units, or returns the error the provider would answer. */
  charge(email: string, units: number, quota: SandboxQuota | null): ApiError | undefined {
    if (quota === null) return undefined;
    const now = Date.now();
    const user = this.userQuota(email, now, quota);
    if (now < user.blockedUntil) {
      user.blockedUntil += IMPATIENCE_MS;
      return ApiError.retryAfter(new Date(user.blockedUntil));
    }
    const wait = Math.max(
      waitFor(user.second, units, quota.unitsPerSecond, 1000, now),
      waitFor(user.minute, units, quota.unitsPerMinute, 60_000, now),
    );
    if (wait > 0) return this.refuse(user, now + Math.max(wait, MIN_WAIT_MS), quota);
    user.second.level -= units;
    user.minute.level -= units;
    return undefined;
  }

  /** Forgets what was used: limits that change begin anew. */
  reset(): void {
    this.users.clear();
  }

  private refuse(user: UserQuota, until: number, quota: SandboxQuota): ApiError {
    user.refusals++;
    const answer = quota.answer ?? 'alternate';
    if (answer === '429' || (answer === 'alternate' && user.refusals % 2 === 1))
      return ApiError.quotaExceeded(429);
    user.blockedUntil = until;
    return ApiError.retryAfter(new Date(until));
  }

  private userQuota(email: string, now: number, quota: SandboxQuota): UserQuota {
    let user = this.users.get(email);
    if (user === undefined) {
      const createFullBucket = (limit: number | undefined): Bucket => ({
        level: (limit ?? 0) * TOLERANCE,
        at: now,
      });
      user = {
        second: createFullBucket(quota.unitsPerSecond),
        minute: createFullBucket(quota.unitsPerMinute),
        blockedUntil: 0,
        refusals: 0,
      };
      this.users.set(email, user);
    }
    return user;
  }
}

/** Refills the bucket and says how many milliseconds are missing for that many units. */
function waitFor(
  bucket: Bucket,
  units: number,
  limit: number | undefined,
  windowMs: number,
  now: number,
): number {
  if (limit === undefined) return 0;
  const capacity = limit * TOLERANCE;
  bucket.level = Math.min(capacity, bucket.level + ((now - bucket.at) * limit) / windowMs);
  bucket.at = now;
  // A call dearer than the whole bucket passes when the bucket is full, else it never would.
  const missing = Math.min(units, capacity) - bucket.level;
  return missing <= 0 ? 0 : Math.ceil((missing * windowMs) / limit);
}
