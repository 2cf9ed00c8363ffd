import { ApiProperty } from '@nestjs/swagger';
import type { ResettingUser } from '../password-resets.service';

/** The user of a link for another password. */
export class PasswordResetResponse {
  /** @example ada@example.org */
  email: string;

  @ApiProperty({ format: 'date-time', example: '2026-03-02T08:00:00.000Z' })
  expires_at: string;
}

export function toPasswordResetResponse({ user, expiresAt }: ResettingUser): PasswordResetResponse {
  return { email: user.email, expires_at: expiresAt.toISOString() };
}
