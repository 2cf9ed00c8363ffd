import type { TestApp } from '../app';
import type { TestUser } from '../test-user';

/** Requests the consent page of a provider for a user. @param query further parameters, e.g. `&accountId=…` */
export async function requestConsent(user: TestUser, provider: string, query = ''): Promise<string> {
  const { status, body } = await user.api.get<{ url: string }>(
    `/api/auth/mailbox/connect?provider=${provider}${query}`,
  );
  if (status !== 200) throw new Error(`connect answered ${status}: ${JSON.stringify(body)}`);
  return body.url;
}

/**
 * Returns from the consent page to the service, as the browser that left it does.
 * @param answer the parameters that the issuer has added to the service's address
 * @returns the page on which the service lands the browser
 */
export async function returnToService(
  { url }: TestApp,
  user: TestUser,
  answer: Readonly<Record<string, string>>,
): Promise<URL> {
  const response = await fetch(`${url}/api/auth/mailbox/callback?${new URLSearchParams(answer).toString()}`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${user.api.token}` },
  });
  const landing = response.headers.get('location');
  if (response.status !== 302 || landing === null)
    throw new Error(`The callback answered ${response.status} without a redirect`);
  return new URL(landing);
}
