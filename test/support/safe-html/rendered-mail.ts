import { renderMail, type SafeMail } from '../../../src/privacy/safe-html/rendering/render-mail';

/** A mail as safe HTML: `html` is the document, `body` what is in its body. */
export type Rendered = Omit<SafeMail, 'html'> & { html: string; body: string };

export function rendered(raw: Buffer): Rendered {
  const { html: bytes, ...rest } = renderMail(raw, 'subject');
  const html = Buffer.from(bytes).toString('utf8');
  return { ...rest, html, body: /<body>(.*)<\/body>/s.exec(html)?.[1] ?? '' };
}

export const mail = (body: string | Buffer, type = 'text/html; charset=utf-8'): Buffer =>
  Buffer.concat([
    Buffer.from(`MIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n`),
    Buffer.from(body as string),
  ]);
export const render = (html: string): Rendered => rendered(mail(html));
