import type { Schemas } from '@mailroom/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { call } from './client';
import { beginSession } from './session';

/** The person has cancelled the request of the device, let it expire, or chosen a device that has a passkey already. */
export class PasskeyNotMade extends Error {
  constructor(
    readonly reason: 'cancelled' | 'known',
    cause: unknown,
  ) {
    super(`The device made no passkey: ${reason}`, { cause });
  }
}

/** Whether this browser knows passkeys, on this page. */
export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';

/** Makes a passkey on a device that the person chooses, and adds it to their account. */
export async function addPasskey(
  name: string,
  proof: Schemas['BeginAddingPasskeyDto'],
): Promise<Schemas['PasskeyResponse']> {
  const [options, { startRegistration }] = await Promise.all([
    call('passkeys.beginAdding', { body: proof }),
    import('@simplewebauthn/browser'),
  ]);
  const credential = await onDevice(() =>
    startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] }),
  );
  return call('passkeys.add', {
    body: { name, credential: credential as Schemas['NewPasskeyCredentialDto'] },
  });
}

/** Signs in with a passkey that the person chooses. */
export async function signInWithPasskey(client: QueryClient): Promise<void> {
  await call('passkeys.signIn', { body: { credential: await askForPasskey() } });
  await beginSession(client);
}

async function askForPasskey(): Promise<Schemas['PasskeyCredentialDto']> {
  const [options, { startAuthentication }] = await Promise.all([
    call('passkeys.beginSignIn', {}),
    import('@simplewebauthn/browser'),
  ]);
  const credential = await onDevice(() =>
    startAuthentication({ optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'] }),
  );
  return credential as Schemas['PasskeyCredentialDto'];
}

/** Names of the errors of browsers, as WebAuthn Level 3 has them in sections 5.1.3 and 5.1.4. */
async function onDevice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyNotMade('cancelled', error);
    if (name === 'InvalidStateError') throw new PasskeyNotMade('known', error);
    throw error;
  }
}
