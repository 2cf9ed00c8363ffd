import { errors } from 'openid-client';
import { DomainError } from '../../../common/http/domain-error';
import { OidcRefused, OidcUnavailable } from '../oidc.errors';

const PASSING = new Set(['temporarily_unavailable', 'server_error']);

/** Node's codes of connections that failed: `ECONNREFUSED`, `EAI_AGAIN`, `CERT_HAS_EXPIRED`, `HPE_INVALID_CONSTANT`. */
const CONNECTION_FAILURE =
  /^(E[A-Z]+|EAI_[A-Z]+|CERT_\w+|\w*SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|ERR_TLS_\w+|HPE_\w+|ERR_SSL_\w+)$/;

/**
 * What a failure of the OpenID library comes down to. Its errors carry tokens and the provider's texts: neither goes
 * any further than their names and codes.
 */
export function outcomeOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const { name, message } = error as Error;
  if (error instanceof errors.OPError) {
    const status = error.response?.statusCode ?? 0;
    if (status >= 500 || PASSING.has(error.error ?? ''))
      return new OidcUnavailable(new Error(`${name} ${status}`));
    if (error.error === 'access_denied') return new OidcRefused('oidc-denied');
    return new OidcRefused('oidc-failed', {
      cause: new Error(`${name}: ${/^\w{1,40}/.exec(error.error ?? '')?.[0]}`),
    });
  }
  if (error instanceof errors.RPError) {
    if (message.startsWith('outgoing request timed out')) return new OidcUnavailable(new Error('timed out'));
    return new OidcRefused('oidc-token-invalid', { cause: new Error(name) });
  }
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && CONNECTION_FAILURE.test(code)) return new OidcUnavailable(new Error(code));
  // What does not answer in JSON is not the provider, but what stands in front of it.
  if (name === 'SyntaxError') return new OidcUnavailable(new Error(name));
  return new OidcRefused('oidc-failed', { cause: new Error(name) });
}
