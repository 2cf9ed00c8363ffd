import { ApiProperty } from '@nestjs/swagger';
/** Whether signing in asks for a code. */
export class TwoFactorStatusResponse {
  enabled: boolean;
  /** Recovery codes that have not been used.
   * @example 10 */
  @ApiProperty({ type: 'integer' })
  recovery_codes_left: number;
}

/** A secret for an authenticator app; not in force before a code of it was shown. */
export class TwoFactorSetupResponse {
  /** 160 bits in base32, to be typed where no QR code can be read.
   * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP */
  secret: string;
  /** The content of the QR code to show.
   * @example otpauth://totp/Mailroom:ada%40example.org?issuer=Mailroom&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30 */
  otpauth_url: string;
  /** Until when it can be enabled. */
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:45:00.000Z' })
  expires_at: string;
}

/** Codes for when the app is lost, shown this once. */
export class RecoveryCodesResponse {
  /** Each signs in once in place of a code of the app.
   * @example ["MFRG-GZDF-MZTW-Q2LK", "NNWG-23TP-OBYX-E43U"] */
  recovery_codes: string[];
}

/** Done. */
export class TwoFactorDisabledResponse {
  /** @example true */
  ok: boolean;
}
