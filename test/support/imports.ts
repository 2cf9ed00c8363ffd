import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ApiAnswer } from './api-client';
import type { TestUser } from './test-user';

/** A message in an mbox file: separator, message, empty line. */
export const inMbox = (message: string, from = 'From alice@example.com Thu Nov 24 18:22:48 1986'): string =>
  `${from}\n${message}\n`;

/** Uploads a file as the contract has it, and waits for nothing. */
export async function upload(
  user: TestUser,
  accountId: string,
  file: Buffer | string,
  options: { headers?: Record<string, string>; filename?: string; field?: string } = {},
): Promise<ApiAnswer> {
  const form = new FormData();
  form.append(options.field ?? 'file', new Blob([file]), options.filename ?? 'mail.mbox');
  return sendForm(user, accountId, form, options.headers);
}

export async function sendForm(
  user: TestUser,
  accountId: string,
  form: FormData,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  const response = await fetch(new URL(`/api/import/${accountId}/mbox`, user.api.baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${user.api.token}`, ...headers },
    body: form,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
  };
}

/** Uploads a file and waits for the end of its job. */
export async function importMbox(user: TestUser, accountId: string, file: Buffer | string): Promise<any> {
  const { status, body, bytes } = await upload(user, accountId, file);
  if (status !== 202) throw new Error(`import answered ${status}: ${bytes.toString()}`);
  return user.jobEnd(body.jobId as string);
}

/** Begins an upload and goes away in the middle of the file. @param begun settles once something of it is stored */
export async function abandonedUpload(
  user: TestUser,
  accountId: string,
  bytes: number,
  begun: () => Promise<unknown>,
): Promise<void> {
  const request = httpRequest(new URL(`/api/import/${accountId}/mbox`, user.api.baseUrl), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${user.api.token}`,
      'content-type': 'multipart/form-data; boundary=cut',
      'content-length': String(bytes * 2),
    },
  });
  request.on('error', () => undefined);
  request.write('--cut\r\nContent-Disposition: form-data; name="file"; filename="a.mbox"\r\n\r\n');
  request.write(Buffer.alloc(bytes, 'x'));
  await once(request, 'drain');
  await begun();
  request.destroy();
}
