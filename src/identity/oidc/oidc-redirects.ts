import { Injectable } from '@nestjs/common';
import { parseUrl } from '../../platform/egress/parse-url';
import { AppConfig } from '../../platform/config/app-config';

const LONGEST = 2_000;
/** Limit of the rounds of decoding: more than any proxy or page makes. */
const DECODINGS = 4;
/** An arbitrary origin: it only matters whether a path leaves it. */
const SOMEWHERE = 'https://application.invalid';

/**
 * The page to return to after signing in: a path of the application's own origin, with query and fragment. Anything that
 * might lead elsewhere, now or after another round of decoding on its way, becomes `/`.
 * @param wanted from the query
 */
export function returnPathOf(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > LONGEST) return '/';
  let text = wanted;
  for (let round = 0; round <= DECODINGS; round += 1) {
    if (!isOwnPath(text)) return '/';
    const decoded = decodeOnce(text);
    if (decoded === null) return '/';
    if (decoded === text) return wanted;
    text = decoded;
  }
  return '/';
}

function isOwnPath(text: string): boolean {
  // Browsers read `\` as `/` and skip tabs and line breaks.
  if (!/^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)) return false;
  const url = parseUrl(text, SOMEWHERE);
  if (url?.origin !== SOMEWHERE || url.pathname.startsWith('//')) return false;
  // The API has no pages, and its sign-in routes would loop.
  return !/^\/api(\/|$)/i.test(url.pathname);
}

function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The pages of the application a browser is redirected to, with codes of ours and never with texts of the provider. */
@Injectable()
export class OidcRedirects {
  constructor(private readonly config: AppConfig) {}

  /** @param path from `returnPathOf` */
  urlAfterSignIn(path: string): string {
    return `${this.config.http.appUrl}${path}`;
  }

  urlAfterFailedSignIn(code: string): string {
    return this.urlOf('/login', { error: code });
  }

  urlAfterLink(): string {
    return this.urlOf('/settings', { oidc: 'linked' });
  }

  urlAfterFailedLink(code: string): string {
    return this.urlOf('/settings', { oidc: 'error', code });
  }

  private urlOf(path: string, query: Record<string, string>): string {
    return `${this.config.http.appUrl}${path}?${new URLSearchParams(query).toString()}`;
  }
}
