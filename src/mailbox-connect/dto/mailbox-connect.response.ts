import { ApiProperty } from '@nestjs/swagger';

/** Where the provider asks for consent. */
export class ConnectResponse {
  /** To be opened in the user's browser within ten minutes; good for one use.
   * @example https://accounts.google.com/o/oauth2/v2/auth?client_id=1234&state=Zm9v */
  @ApiProperty({ format: 'uri' })
  url: string;
}
