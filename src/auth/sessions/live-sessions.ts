import { Injectable, OnModuleInit } from '@nestjs/common';
import { AccessChange, AccessChanges } from './access-changes';
import { LiveSession, SessionsRepository } from './sessions.repository';

/** Longest a process may go by what it read. */
const MAX_AGE_MS = 2_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly session: LiveSession;
  readonly readAt: number;
}

/**
 * Live sessions as this process last read them. An access change drops what it concerns at once, and what is
 * being read while one arrives is not kept: it may be older than the change.
 */
@Injectable()
export class LiveSessions implements OnModuleInit {
  private readonly entries = new Map<string, Entry>();
  /** Reads under way, so that a burst of requests of one session costs one query. */
  private readonly reads = new Map<string, Promise<LiveSession | null>>();
  private changes = 0;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly accessChanges: AccessChanges,
  ) {}

  onModuleInit(): void {
    this.accessChanges.listen((change) => this.forget(change));
  }

  /** null when the session is not alive; at most two seconds behind the database. */
  async find(sessionId: string): Promise<LiveSession | null> {
    const entry = this.entries.get(sessionId);
    if (entry && performance.now() - entry.readAt < MAX_AGE_MS) return entry.session;
    const pending = this.reads.get(sessionId);
    if (pending) return pending;
    const read = this.read(sessionId).finally(() => {
      if (this.reads.get(sessionId) === read) this.reads.delete(sessionId);
    });
    this.reads.set(sessionId, read);
    return read;
  }

  private async read(sessionId: string): Promise<LiveSession | null> {
    const changesBefore = this.changes;
    const readAt = performance.now();
    const session = await this.sessions.findLive(sessionId);
    if (changesBefore !== this.changes) return session;
    this.entries.delete(sessionId);
    if (session) this.keep({ session, readAt });
    return session;
  }

  private keep(entry: Entry): void {
    this.entries.set(entry.session.sessionId, entry);
    if (this.entries.size <= MAX_ENTRIES) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }

  private forget(change: AccessChange): void {
    this.changes += 1;
    // Whoever asks after the change must not be answered by a read from before it.
    this.reads.clear();
    if ('sessionId' in change) {
      this.entries.delete(change.sessionId);
      return;
    }
    for (const [sessionId, { session }] of this.entries) {
      if (session.userId === change.userId) this.entries.delete(sessionId);
    }
  }
}
