import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { DeviceConsentState, DeviceConsentView } from '../device-consents';

/** The provider's consent page. */
export class ConnectResponse {
  /** Open it in the user's browser within ten minutes; it works once.
   * @example https://accounts.google.com/o/oauth2/v2/auth?client_id=1234&state=Zm9v */
  @ApiProperty({ format: 'uri' })
  url: string;
}

/** A code for the person to enter on the provider's page. */
export class DeviceConsentResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Code to enter.
   * @example FJC3-NVRT */
  user_code: string;
  /** Page on which to enter it.
   * @example https://microsoft.com/devicelogin */
  verification_uri: string;
  /** The page with the code filled in; null when the provider has none. */
  @ApiProperty({ type: String, nullable: true, example: null })
  verification_uri_complete: string | null;
  /** Time until which the code can be entered. */
  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:15:00.000Z' })
  expires_at: string;
  /** Shortest time between two questions for the state, in seconds. */
  @ApiProperty({ type: 'integer', example: 5 })
  interval: number;
}

export const toDeviceConsent = (view: DeviceConsentView): DeviceConsentResponse => ({
  id: view.id,
  user_code: view.userCode,
  verification_uri: view.verificationUri,
  verification_uri_complete: view.verificationUriComplete,
  expires_at: view.expiresAt.toISOString(),
  interval: view.intervalSeconds,
});

/** State of a consent with a code. */
export class DeviceConsentStateResponse {
  @ApiProperty({ enum: ['pending', 'connected', 'failed'], example: 'connected' })
  status: 'pending' | 'connected' | 'failed';
  /** While pending: the shortest time until the next question, in seconds. */
  @ApiPropertyOptional({ type: 'integer', example: 5 })
  interval?: number;
  /** Once connected: the account.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiPropertyOptional({ format: 'uuid' })
  account_id?: string;
  /** Once connected: address of the mailbox.
   * @example ada@outlook.com */
  @ApiPropertyOptional()
  email?: string;
  /** Once failed: the reason, for programs; `consent-denied` and `consent-expired` among others.
   * @example consent-denied */
  @ApiPropertyOptional()
  code?: string;
  /** Once failed: the reason, for people.
   * @example "The mail provider refused the request." */
  @ApiPropertyOptional()
  detail?: string;
}

export function toDeviceConsentState(state: DeviceConsentState): DeviceConsentStateResponse {
  if (state.status === 'pending') return { status: 'pending', interval: state.intervalSeconds };
  if (state.status === 'failed') return state;
  return { status: 'connected', account_id: state.accountId, email: state.email };
}
