import { Injectable, OnModuleInit } from '@nestjs/common';
import { AccessChanges } from '../access/access-changes';
import { LiveCopies } from '../access/live-copies';
import { LiveSession, SessionsRepository } from './sessions.repository';

/** Live sessions as this process last read them. */
@Injectable()
export class LiveSessions implements OnModuleInit {
  private readonly copies: LiveCopies<LiveSession>;

  constructor(
    sessions: SessionsRepository,
    private readonly accessChanges: AccessChanges,
  ) {
    this.copies = new LiveCopies({
      read: (sessionId) => sessions.findLive(sessionId),
      concerns: ({ sessionId, userId }, change) =>
        'userId' in change
          ? change.userId === userId
          : 'sessionId' in change && change.sessionId === sessionId,
    });
  }

  onModuleInit(): void {
    this.copies.follow(this.accessChanges);
  }

  /** null when the session is not alive; at most two seconds behind the database. */
  find(sessionId: string): Promise<LiveSession | null> {
    return this.copies.find(sessionId);
  }
}
