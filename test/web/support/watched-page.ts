import type { ConsoleMessage, Page, Request } from '@playwright/test';

/** How Chromium reports an answer that is no success; that the person is not signed in yet is one. */
const NOT_SIGNED_IN = /status of 401/;

/** What a page may never do: report errors, or ask anybody but the service. */
export class WatchedPage {
  readonly errors: string[] = [];
  readonly foreign: string[] = [];

  /** @param expected console messages that a test provokes */
  constructor(
    page: Page,
    private readonly origin: string,
    private readonly expected: readonly RegExp[] = [],
  ) {
    page.on('console', (message) => this.hear(message));
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('request', (request) => this.see(request));
  }

  private hear(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    const text = message.text();
    if (![NOT_SIGNED_IN, ...this.expected].some((pattern) => pattern.test(text))) this.errors.push(text);
  }

  private see(request: Request): void {
    const url = new URL(request.url());
    if (url.origin === this.origin || url.protocol === 'data:' || url.protocol === 'blob:') return;
    // The provider's consent is a page of its own.
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) return;
    this.foreign.push(request.url());
  }
}
