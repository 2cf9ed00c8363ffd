import type { GmailRoute } from '../gmail/gmail-call';
import { historyRoutes } from '../gmail/history';
import { labelRoutes } from '../gmail/labels';
import { messageChangeRoutes } from '../gmail/message-changes';
import { messageUploadRoutes } from '../gmail/message-uploads';
import { messageRoutes } from '../gmail/messages';
import { threadRoutes } from '../gmail/threads';

const ROUTES: readonly GmailRoute[] = [
  ...messageRoutes,
  // Before `messages/:id`: `batchModify` is no id.
  ...messageChangeRoutes,
  ...messageUploadRoutes,
  ...labelRoutes,
  ...threadRoutes,
  ...historyRoutes,
];
const TABLE = ROUTES.map((route) => ({ route, segments: route.pattern.split('/') }));
const API_PATH = /^(\/upload)?\/gmail\/v1\/users\/([^/]+)\/(.+)$/;

export interface RouteMatch {
  readonly route: GmailRoute;
  /** `me` or an address. */
  readonly user: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The endpoint a request is for; undefined when the API has none. */
export function matchRoute(method: string, path: string): RouteMatch | undefined {
  const match = API_PATH.exec(path);
  if (match === null) return undefined;
  const isUpload = match[1] !== undefined;
  const segments = (match[3] as string).split('/').map(decodeSegment);
  for (const { route, segments: pattern } of TABLE) {
    if (route.method !== method || (isUpload && !messageUploadRoutes.includes(route))) continue;
    const params = matchSegments(pattern, segments);
    if (params !== undefined) return { route, user: decodeSegment(match[2] as string), params };
  }
  return undefined;
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at] as string;
    if (expected.startsWith(':')) params[expected.slice(1)] = segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return segment;
  }
}
