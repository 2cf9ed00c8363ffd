import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';

/** Mail providers that can be connected by consent. */
const PROVIDERS = ['gmail', 'microsoft', 'google', 'yahoo'] as const;
/** Providers with a consent by code. */
const DEVICE_PROVIDERS = ['microsoft'] as const;

/** The mailbox to connect. */
export class ConnectQuery {
  /**
   * Provider of the mailbox: `gmail` through the Gmail API; `microsoft` (Outlook.com, Microsoft 365), `google` and `yahoo` by
   * IMAP. `GET /api/auth/config` lists those that the operator has set up.
   * @example gmail */
  @IsIn(PROVIDERS)
  provider: (typeof PROVIDERS)[number];

  /** An account of the caller to connect again; the provider's page then suggests its address.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @IsOptional()
  @IsUUID()
  accountId?: string;
}

/** The mailbox to connect with a code. */
export class ConnectDeviceDto {
  /** Provider of the mailbox.
   * @example microsoft */
  @IsIn(DEVICE_PROVIDERS)
  provider: (typeof DEVICE_PROVIDERS)[number];

  /** An account of the caller to connect again.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  accountId?: string | null;
}
