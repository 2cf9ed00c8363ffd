import { ApiProperty } from '@nestjs/swagger';

/** The address at which the provider signs the user in. */
export class LinkIdentityResponse {
  /** Open it within ten minutes, in the browser that made this request. It works once.
   * @example https://id.example.org/authorize?client_id=mailroom&state=Zm9v */
  @ApiProperty({ format: 'uri' })
  url: string;
}

/** Done. */
export class IdentityUnlinkedResponse {
  /** @example true */
  ok: boolean;
}
