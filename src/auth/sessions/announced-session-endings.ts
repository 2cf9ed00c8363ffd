import { Injectable } from '@nestjs/common';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { SessionEndings } from '../../common/auth/session-endings.port';
import { AccessChanges } from './access-changes';
import { LiveSessions } from './live-sessions';

@Injectable()
export class AnnouncedSessionEndings extends SessionEndings {
  constructor(
    private readonly accessChanges: AccessChanges,
    private readonly liveSessions: LiveSessions,
  ) {
    super();
  }

  onEnded(user: AuthenticatedUser, listener: () => void): () => void {
    return this.accessChanges.listen((change) => {
      const concerned =
        'sessionId' in change ? change.sessionId === user.sessionId : change.userId === user.id;
      if (concerned) listener();
    });
  }

  async hasEnded(user: AuthenticatedUser): Promise<boolean> {
    return (await this.liveSessions.find(user.sessionId)) === null;
  }
}
