import { ApiProperty } from '@nestjs/swagger';

/** The provider's consent page. */
export class ConnectResponse {
  /** Open it in the user's browser within ten minutes; it works once.
   * @example https://accounts.google.com/o/oauth2/v2/auth?client_id=1234&state=Zm9v */
  @ApiProperty({ format: 'uri' })
  url: string;
}
