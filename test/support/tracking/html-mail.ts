interface Written {
  readonly subject?: string;
  readonly date?: Date;
}

/** An image that a sending platform counts openings by. */
export const PIXEL =
  '<img src="https://shop.us1.list-manage.com/track/open.php?u=1&amp;id=2" width="1" height="1">';
/** A link whose parameters say which campaign led to it. */
export const LINK = '<a href="https://shop.example/?utm_source=news&amp;utm_medium=email">Shop</a>';

/** A message with an HTML body. */
export function htmlMail(html: string, { subject = 'News', date = new Date() }: Written = {}): Buffer {
  return Buffer.from(
    `From: Shop <news@shop.example>\r\nTo: me@sandbox.mailroom.test\r\nSubject: ${subject}\r\n` +
      `Date: ${date.toUTCString()}\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n` +
      `<html><body><p>Hello</p>${html}</body></html>\r\n`,
  );
}
