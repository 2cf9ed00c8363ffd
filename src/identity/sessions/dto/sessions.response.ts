import { ApiProperty } from '@nestjs/swagger';
import type { ListedSession } from '../sessions.repository';

/** A sign-in on a device. */
export class DeviceSessionResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;
  /** The name that the browser or program sent at sign-in (`User-Agent`); null: it sent none.
   * @example "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" */
  user_agent: string | null;
  /** Address at sign-in; null: unknown.
   * @example 203.0.113.7 */
  ip_address: string | null;
  /** Time of the sign-in. */
  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;
  /** When its tokens were renewed last, which clients in use do every 15 minutes. */
  @ApiProperty({ format: 'date-time', example: '2026-05-05T11:02:00.000Z' })
  last_used_at: string;
  /** Whether it is the session that asks. */
  current: boolean;
}

export const toDeviceSessionResponse = (
  session: ListedSession,
  currentId: string,
): DeviceSessionResponse => ({
  id: session.id,
  user_agent: session.userAgent,
  ip_address: session.ipAddress,
  created_at: session.createdAt.toISOString(),
  last_used_at: session.lastUsedAt.toISOString(),
  current: session.id === currentId,
});
