import { Injectable, OnModuleInit } from '@nestjs/common';
import { AccessChanges } from './access-changes';
import { RevocableCache } from './revocable-cache';
import { LiveSession, SessionsRepository } from './sessions.repository';

/** Caches live sessions by their id. */
@Injectable()
export class SessionCache implements OnModuleInit {
  private readonly cache: RevocableCache<LiveSession>;

  constructor(
    sessions: SessionsRepository,
    private readonly accessChanges: AccessChanges,
  ) {
    this.cache = new RevocableCache({
      read: (sessionId) => sessions.findLive(sessionId),
      concerns: ({ sessionId, userId }, change) =>
        'userId' in change
          ? change.userId === userId
          : 'sessionId' in change && change.sessionId === sessionId,
    });
  }

  onModuleInit(): void {
    this.cache.follow(this.accessChanges);
  }

  /** The cached session, without a read; undefined when `find` would have to read it. */
  findCached(sessionId: string): LiveSession | undefined {
    return this.cache.findCached(sessionId);
  }

  /** null when the session is not alive; at most two seconds behind the database. */
  find(sessionId: string): Promise<LiveSession | null> {
    return this.cache.find(sessionId);
  }
}
