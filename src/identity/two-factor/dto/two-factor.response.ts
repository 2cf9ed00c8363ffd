import { ApiProperty } from '@nestjs/swagger';
/** The state of one-time codes. */
export class TwoFactorStatusResponse {
  enabled: boolean;
  /** Recovery codes that have not been used.
   * @example 10 */
  @ApiProperty({ type: 'integer' })
  recovery_codes_left: number;
}

/** A secret for an authenticator app, which its first code enables. */
export class TwoFactorSetupResponse {
  /** 160 bits in base32, for apps that cannot read the QR code.
   * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP */
  secret: string;
  /** The content of the QR code.
   * @example otpauth://totp/Mailroom:ada%40example.org?issuer=Mailroom&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30 */
  otpauth_url: string;
  /** The latest time to enable it. */
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:45:00.000Z' })
  expires_at: string;
}

/** Recovery codes for users who lose their app. They are shown only once. */
export class RecoveryCodesResponse {
  /** Each replaces a code of the app once.
   * @example ["MFRG-GZDF-MZTW-Q2LK", "NNWG-23TP-OBYX-E43U"] */
  recovery_codes: string[];
}

/** Done. */
export class TwoFactorDisabledResponse {
  /** @example true */
  ok: boolean;
}
