import type { ApiAnswer, ApiRequest } from './http/api-message';
import type { SandboxState } from './sandbox-state';
import { CLIENT_ID, CLIENT_SECRET, InvalidGrant } from './grants';

/** Answers the OAuth endpoints; undefined for any other path. */
export function answerOAuth(request: ApiRequest, state: SandboxState): ApiAnswer | undefined {
  switch (`${request.method} ${request.path}`) {
    case 'GET /o/oauth2/v2/auth':
      return authorize(request, state);
    case 'POST /token':
      return token(request, state);
    case 'POST /revoke':
    case 'GET /revoke':
      return revoke(request, state);
    default:
      return undefined;
  }
}

/** Consents at once in the name of `login_hint`, or refuses for `deny@…`. */
function authorize({ query }: ApiRequest, state: SandboxState): ApiAnswer {
  state.stats.count('oauth.auth', 0);
  const redirectUri = query.get('redirect_uri') ?? '';
  const scope = query.get('scope') ?? '';
  const problem =
    query.get('client_id') !== CLIENT_ID
      ? 'invalid_client: The OAuth client was not found.'
      : !/^https?:\/\//.test(redirectUri) || !isUrl(redirectUri)
        ? 'redirect_uri_mismatch'
        : query.get('response_type') !== 'code'
          ? 'invalid_request: response_type must be code'
          : scope === ''
            ? 'invalid_request: Missing required parameter: scope'
            : undefined;
  if (problem !== undefined)
    return { status: 400, text: `<!DOCTYPE html><title>Error 400</title><p>Error 400: ${problem}</p>` };
  const challenge = query.get('code_challenge') ?? undefined;
  const target = new URL(redirectUri);
  const given = query.get('state');
  if (given !== null) target.searchParams.set('state', given);
  const email = query.get('login_hint') ?? state.defaultEmail;
  if (challenge !== undefined && query.get('code_challenge_method') !== 'S256') {
    target.searchParams.set('error', 'invalid_request');
  } else if (email.toLowerCase().startsWith('deny@')) {
    target.searchParams.set('error', 'access_denied');
  } else {
    const prompt = (query.get('prompt') ?? '').split(' ');
    const code = state.grants.issueCode({
      email: email.toLowerCase(),
      scope,
      redirectUri,
      codeChallenge: challenge,
      offline: query.get('access_type') === 'offline' && prompt.includes('consent'),
    });
    target.searchParams.set('code', code);
    target.searchParams.set('scope', scope);
    target.searchParams.set('authuser', '0');
    target.searchParams.set('prompt', query.get('prompt') ?? 'none');
  }
  return { status: 302, headers: { Location: target.toString() }, text: '' };
}

function token(request: ApiRequest, state: SandboxState): ApiAnswer {
  const form = new URLSearchParams(request.body.toString('utf8'));
  const grantType = form.get('grant_type') ?? '';
  state.stats.count(grantType === 'refresh_token' ? 'oauth.refresh' : 'oauth.token', 0);
  if (!clientIsKnown(request, form))
    return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  try {
    switch (grantType) {
      case 'authorization_code':
        return {
          status: 200,
          json: state.grants.exchangeCode(
            form.get('code') ?? '',
            form.get('redirect_uri') ?? '',
            form.get('code_verifier') ?? undefined,
          ),
        };
      case 'refresh_token':
        state.stats.tokenRefreshes++;
        return { status: 200, json: state.grants.refresh(form.get('refresh_token') ?? '') };
      default:
        return oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
    }
  } catch (error) {
    return grantError(error, 'invalid_grant');
  }
}

function revoke(request: ApiRequest, state: SandboxState): ApiAnswer {
  state.stats.count('oauth.revoke', 0);
  const form = new URLSearchParams(request.body.toString('utf8'));
  try {
    state.grants.revoke(request.query.get('token') ?? form.get('token') ?? '');
    return { status: 200, json: {} };
  } catch (error) {
    return grantError(error, 'invalid_token');
  }
}

function grantError(error: unknown, code: string): ApiAnswer {
  if (!(error instanceof InvalidGrant)) throw error;
  return oauthError(400, code, error.message);
}

export function oauthError(status: number, error: string, description: string): ApiAnswer {
  return { status, json: { error, error_description: description } };
}

/** Client credentials come in the form or in a Basic header (RFC 6749 §2.3.1). */
function clientIsKnown(request: ApiRequest, form: URLSearchParams): boolean {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (basic === undefined)
    return form.get('client_id') === CLIENT_ID && form.get('client_secret') === CLIENT_SECRET;
  const [id = '', secret = ''] = Buffer.from(basic, 'base64')
    .toString('utf8')
    .split(':')
    .map(decodeURIComponent);
  return id === CLIENT_ID && secret === CLIENT_SECRET;
}

/** `URL.canParse` is wrong for letters beyond ASCII in Node 20. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
