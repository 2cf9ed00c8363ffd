import { Injectable } from '@nestjs/common';
import { parseUrl } from '../common/egress/parse-url';
import { AppConfig } from '../config/app-config';

const LONGEST = 2_000;
/** Deeper than any proxy or page decodes. */
const DECODINGS = 4;
/** Any address does: only whether a path leads away from it counts. */
const SOMEWHERE = 'https://application.invalid';

/**
 * Where in the application a person goes on after signing in: a path of the application's own origin, with query and
 * fragment. Anything that might lead elsewhere, now or after being decoded once more on its way, becomes `/`.
 * @param wanted as it came in the query
 */
export function returnPathOf(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > LONGEST) return '/';
  let text = wanted;
  for (let round = 0; round <= DECODINGS; round += 1) {
    if (!isOwnPath(text)) return '/';
    const decoded = decodedOnce(text);
    if (decoded === null) return '/';
    if (decoded === text) return wanted;
    text = decoded;
  }
  return '/';
}

function isOwnPath(text: string): boolean {
  // Browsers take `\` for `/` and pass over tabs and line breaks.
  if (!/^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)) return false;
  const url = parseUrl(text, SOMEWHERE);
  if (url?.origin !== SOMEWHERE || url.pathname.startsWith('//')) return false;
  // The API is no page; its sign-in routes would go round in circles.
  return !/^\/api(\/|$)/i.test(url.pathname);
}

function decodedOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The application's pages a browser is sent to; only codes of ours go along, never the provider's texts. */
@Injectable()
export class OidcRedirects {
  constructor(private readonly config: AppConfig) {}

  /** @param path from `returnPathOf` */
  signedIn(path: string): string {
    return `${this.config.http.appUrl}${path}`;
  }

  notSignedIn(code: string): string {
    return this.page('/login', { error: code });
  }

  linked(): string {
    return this.page('/settings', { oidc: 'linked' });
  }

  notLinked(code: string): string {
    return this.page('/settings', { oidc: 'error', code });
  }

  private page(path: string, query: Record<string, string>): string {
    return `${this.config.http.appUrl}${path}?${new URLSearchParams(query).toString()}`;
  }
}
