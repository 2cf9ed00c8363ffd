import { createHash, randomBytes } from 'node:crypto';
import type { SandboxServer } from './sandbox-server';

export const FULL_SCOPE = 'https://mail.google.com/';
const REDIRECT_URI = 'http://127.0.0.1:9/callback';

export interface SignIn {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Takes a mailbox address through the whole authorisation (code, PKCE, offline), as a browser and a server would. */
export async function signIn(sandbox: SandboxServer, email?: string, scope = FULL_SCOPE): Promise<SignIn> {
  const verifier = randomBytes(32).toString('base64url');
  const authorize = new URL(sandbox.authUrl);
  authorize.search = new URLSearchParams({
    client_id: sandbox.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope,
    access_type: 'offline',
    prompt: 'consent',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(email === undefined ? {} : { login_hint: email }),
  }).toString();
  const redirect = await fetch(authorize, { redirect: 'manual' });
  const code = new URL(redirect.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const answer = await fetch(sandbox.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
      client_id: sandbox.clientId,
      client_secret: sandbox.clientSecret,
    }),
  });
  const tokens = (await answer.json()) as { access_token?: string; refresh_token?: string; error?: string };
  if (tokens.access_token === undefined || tokens.refresh_token === undefined) {
    throw new Error(`The sandbox gave no tokens: ${tokens.error ?? answer.status}`);
  }
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}
