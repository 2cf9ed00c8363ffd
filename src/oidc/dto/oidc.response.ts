import { ApiProperty } from '@nestjs/swagger';

/** Where the provider asks who it is. */
export class LinkIdentityResponse {
  /** To be opened in the browser that asked, within ten minutes; good for one use.
   * @example https://id.example.org/authorize?client_id=mailroom&state=Zm9v */
  @ApiProperty({ format: 'uri' })
  url: string;
}

/** Done. */
export class IdentityUnlinkedResponse {
  /** @example true */
  ok: boolean;
}
