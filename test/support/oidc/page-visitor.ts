/** A person's browser on the pages of a provider: it keeps cookies, follows redirects and submits forms. */
export class PageVisitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly origin: string) {}

  /**
   * Opens a page of the provider, and follows where it leads.
   * @returns the URL at which the provider sends the browser elsewhere, which is not called, or the text of its last page
   */
  async visit(url: URL): Promise<URL | string> {
    let next: { url: URL; form?: URLSearchParams } = { url };
    for (let step = 0; step < 12; step += 1) {
      const response = await this.request(next.url, next.form);
      const location = response.headers.get('location');
      if (location) {
        next = { url: new URL(location, next.url) };
        if (next.url.origin !== this.origin) return next.url;
        continue;
      }
      const text = await response.text();
      if (!response.ok)
        throw new Error(`The provider answered ${response.status}: ${wordsOf(text).slice(0, 300)}`);
      const form = formOf(text);
      if (!form) return text;
      next = { url: new URL(form.action, next.url), form: form.fields };
    }
    throw new Error('The provider sends the browser round in circles');
  }

  private async request(url: URL, body?: URLSearchParams): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie };
    const response = await fetch(url, { redirect: 'manual', headers, ...(body && { method: 'POST', body }) });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';', 1)[0]!.split(/=(.*)/s) as [string, string];
      this.cookies.set(name, value);
    }
    return response;
  }
}

/** Reads the form of a page, with its hidden fields; null when it has none, or asks for input. */
function formOf(page: string): { action: string; fields: URLSearchParams } | null {
  const action = /<form\b[^>]*\baction="([^"]*)"/.exec(page)?.[1];
  if (action === undefined || page.includes('type="text"')) return null;
  const fields = new URLSearchParams();
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g))
    fields.set(name!, value!);
  return { action, fields };
}

/** Returns the text of a page without its tags and styles. */
const wordsOf = (page: string): string =>
  page
    .replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replace(/\s+/g, ' ')
    .trim();
