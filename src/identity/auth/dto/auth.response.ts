import { ApiProperty } from '@nestjs/swagger';
import { UserResponse } from '../../users/dto/user.response';

/** A session of the user, also set as cookies for browsers. */
export class SessionResponse {
  /** For `Authorization: Bearer`.
   * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl */
  access_token: string;
  @ApiProperty({ enum: ['Bearer'], example: 'Bearer' })
  token_type: 'Bearer';
  /** Seconds until the access token expires.
   * @example 900 */
  @ApiProperty({ type: 'integer' })
  expires_in: number;
  /** Exchange it once, within 30 days, for the next pair of tokens.
   * @example q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E */
  refresh_token: string;
  user: UserResponse;
}
