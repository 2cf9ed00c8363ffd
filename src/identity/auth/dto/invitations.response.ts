import { ApiProperty } from '@nestjs/swagger';
import type { InvitedUser } from '../invitations.service';

/** Whom an invitation is for. */
export class InvitationResponse {
  /** @example ada@example.org */
  email: string;

  /** @example "Ada Lovelace" */
  name: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-03-08T08:00:00.000Z' })
  expires_at: string;
}

export function toInvitationResponse({ user, expiresAt }: InvitedUser): InvitationResponse {
  return { email: user.email, name: user.name, expires_at: expiresAt.toISOString() };
}
