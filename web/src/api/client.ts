import {
  createMailroom,
  type Answer,
  type Arguments,
  type CallOptions,
  type OperationId,
} from '@mailroom/sdk';
import { noteStart } from './started-jobs';

/** Short refusals are waited out unseen; of longer ones the person sees a countdown. */
const RETRIES = { tries: 2, maxWaitSeconds: 3 };

const RENEWAL = `${window.location.origin}/api/auth/refresh`;

/** The service this page comes from, with the session in its cookies. */
export const mailroom = createMailroom({
  baseUrl: window.location.origin,
  credentials: { cookies: true },
  retries: RETRIES,
  // Looked up with each call, so that tests can answer. A page that is left must still take the cookies of a renewed session.
  fetch: (request) => window.fetch(request, { keepalive: request.url === RENEWAL }),
});

type AnyMethod = (args: unknown, options?: CallOptions) => Promise<unknown>;

/** Calls an operation by its id. @throws MailroomError, and what `fetch` throws without a connection */
export async function call<Id extends OperationId>(
  id: Id,
  args: Arguments<Id>,
  options?: CallOptions,
): Promise<Answer<Id>> {
  const [group, name] = id.split('.') as [string, string];
  // Which arguments and answer an id has is said by its types.
  const method = (mailroom as unknown as Record<string, Record<string, AnyMethod>>)[group]?.[name];
  if (!method) throw new TypeError(`There is no operation ${id}`);
  const answer = (await method(args, options)) as Answer<Id>;
  // Queries can be aborted. Their answers name jobs that were started elsewhere as well.
  if (!options?.signal) noteStart(answer);
  return answer;
}
