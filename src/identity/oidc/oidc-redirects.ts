import { Injectable } from '@nestjs/common';
import { parseUrl } from '../../platform/egress/parse-url';
import { AppConfig } from '../../platform/config/app-config';

const LONGEST = 2_000;
/** More rounds of decoding than any proxy or page makes. */
const DECODINGS = 4;
/** Any origin will do: only whether a path leaves it matters. */
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
    const decoded = decodedOnce(text);
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

function decodedOnce(text: string): string | null {
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
