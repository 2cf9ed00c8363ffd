import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config';

/** The application's pages a browser is sent to; only codes of ours go along, never the provider's texts. */
@Injectable()
export class OidcLandings {
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
