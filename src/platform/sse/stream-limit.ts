import { DomainError } from '../http/domain-error';

/** Open streams of one user in one process: more than tabs a person has open, fewer than do harm. */
const MAX_STREAMS_PER_USER = 20;

export class TooManyStreams extends DomainError {
  constructor() {
    super({
      code: 'too-many-streams',
      status: 429,
      detail: `At most ${MAX_STREAMS_PER_USER} event streams can be open at a time; close some first.`,
    });
  }
}

/** Limits the streams that each user has open in this process. */
export class StreamLimit {
  private readonly open = new Map<string, number>();

  /** @returns call it once when the stream is over. @throws TooManyStreams */
  take(userId: string): () => void {
    const before = this.open.get(userId) ?? 0;
    if (before >= MAX_STREAMS_PER_USER) throw new TooManyStreams();
    this.open.set(userId, before + 1);
    return () => this.free(userId);
  }

  private free(userId: string): void {
    const left = (this.open.get(userId) ?? 0) - 1;
    if (left > 0) this.open.set(userId, left);
    else this.open.delete(userId);
  }
}
