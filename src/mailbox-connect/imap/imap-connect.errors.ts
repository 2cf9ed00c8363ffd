import { DomainError } from '../../common/http/domain-error';
import type { ImapConnectProblem } from '../../mail-provider/imap/imap-login-failure';
import type { ImapPreset } from '../../mail-provider/imap/imap-presets';

/** Why a mailbox is not connected: 400 for what the user can mend, with the field; 503 for the rest. */
export interface ConnectProblem extends Omit<ImapConnectProblem, 'code'> {
  readonly code: ImapConnectProblem['code'] | 'imap-use-google' | 'imap-oauth-only';
}

export class ImapConnectFailed extends DomainError {
  constructor(readonly problem: ConnectProblem) {
    const { code, detail, field, serverText } = problem;
    super({
      code,
      status: field === null ? 503 : 400,
      detail,
      level: 'info',
      ...(field === null ? { headers: { 'Retry-After': '30' } } : { errors: [{ field, message: detail }] }),
      ...(serverText === null ? {} : { serverText }),
    });
  }
}

/** Providers whose mailboxes are not connected with a password. */
export function refusalOf(preset: ImapPreset): ConnectProblem {
  if (preset.hint === 'connect-with-google') {
    const detail = 'Connect Gmail with Google: by IMAP its labels would be lost.';
    return { code: 'imap-use-google', detail, field: 'host', serverText: null };
  }
  const detail = `${preset.name} takes no passwords by IMAP, only a sign-in this service does not have yet.`;
  return { code: 'imap-oauth-only', detail, field: 'host', serverText: null };
}

/** 404: the account is not one of an IMAP server. */
export class ImapNotConnected extends DomainError {
  constructor() {
    super({
      code: 'imap-account-not-found',
      status: 404,
      detail: 'The mailbox is not connected by IMAP.',
    });
  }
}
