import type { Request, Response } from 'express';
import { DOCUMENT_POLICY } from './rendering/document';
import type { SafeMail } from './rendering/render-mail';
import { toSafeHtmlResponse } from './safe-html.response';

/** What the message may do even if the sanitiser has a hole: be looked at, in a frame of the application. */
function framePolicy(appOrigin: string): string {
  return [
    DOCUMENT_POLICY,
    `frame-ancestors ${appOrigin}`,
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}

/** Answers with the document, or with JSON when the client prefers it. @param appOrigin may frame the document */
export function sendSafeMail(request: Request, response: Response, mail: SafeMail, appOrigin: string): void {
  response.vary('Accept');
  response.setHeader('X-Trackers-Removed', mail.trackers.length);
  response.setHeader('X-Remote-Content-Blocked', mail.remoteContentBlocked);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Security-Policy', framePolicy(appOrigin));
  // `frame-ancestors` says who may frame it; SAMEORIGIN would contradict it where the application has another origin.
  response.removeHeader('X-Frame-Options');
  // Browsers refuse to open a sandboxed document in a tab of its own together with this header (HTML, "cross-origin
  // opener policy"); in its sandbox it has no origin anyway.
  response.removeHeader('Cross-Origin-Opener-Policy');
  if (request.accepts(['text/html', 'application/json']) === 'application/json') {
    response.json(toSafeHtmlResponse(mail));
    return;
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  // Said here, for `HEAD` too: Node counts only what it sends.
  response.setHeader('Content-Length', mail.html.byteLength);
  response.end(Buffer.from(mail.html.buffer, mail.html.byteOffset, mail.html.byteLength));
}
