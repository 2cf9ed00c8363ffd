import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { allowForExamples, anyText, anyUtf16, fc, holds, mixtureOf } from '../../../test/support/properties';
import { decodeHeaderText, singleLine } from '../../platform/mime/header-text';
import {
  encodedHeader,
  genericRequest,
  limitedText,
  withoutCodeFences,
  withoutMassMentions,
} from './webhook-formats';
import { newWebhookSecret } from './webhook-target';

allowForExamples();

describe('a signed request', () => {
  const data = fc.dictionary(anyUtf16(8), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

  it('should be accepted by every receiver that knows the secret, and by none once a byte has changed', () => {
    holds(
      150,
      fc.property(fc.uuid(), data, fc.nat(), fc.integer({ min: 1, max: 255 }), (id, told, at, bits) => {
        const secret = newWebhookSecret();
        const event = { id, type: 'job.completed', occurredAt: new Date(0), data: told } as const;
        const { headers, body } = genericRequest(event, secret, new Date());
        const receiver = new Webhook(secret);
        expect(receiver.verify(body, { ...headers })).toEqual(JSON.parse(body.toString()));
        const isSigned = (bytes: Buffer): boolean =>
          createHmac('sha256', secret).update(bytes).digest('hex') === headers['X-Webhook-Signature'];
        expect(isSigned(body)).toBe(true);
        const changed = Buffer.from(body);
        changed[at % body.length] = (changed[at % body.length] as number) ^ bits;
        expect(isSigned(changed)).toBe(false);
        expect(() => receiver.verify(changed, { ...headers })).toThrow();
        expect(() => new Webhook(newWebhookSecret()).verify(body, { ...headers })).toThrow();
      }),
    );
  });
});

describe('texts of notifications', () => {
  it('should decode to the same text as headers, in encoded words of at most 75 characters', () => {
    holds(
      300,
      fc.property(fc.oneof(anyText(200), mixtureOf(['=?utf-8?b?eA==?=', ' ', 'é', '😀', 'a'])), (text) => {
        const line = singleLine(text.replace(/\p{Cs}/gu, ''));
        const header = encodedHeader(line);
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeHeaderText(header)).toBe(line);
        if (header !== line)
          for (const word of header.split(' ')) expect(word.length).toBeLessThanOrEqual(75);
      }),
    );
  });

  it('should be cut between characters, no shorter than necessary', () => {
    const escape = (character: string): string => (character === '<' ? '&lt;' : character);
    holds(
      300,
      fc.property(
        fc.oneof(anyText(40), mixtureOf(['<', '<<', 'é', '😀'])),
        fc.integer({ min: 8, max: 40 }),
        fc.boolean(),
        (text, maximum, inBytes) => {
          const measure = inBytes
            ? (written: string) => Buffer.byteLength(written)
            : ({ length }: string) => length;
          const cut = limitedText(text, maximum, escape, measure);
          const whole = [...text].map(escape).join('');
          expect(measure(cut)).toBeLessThanOrEqual(maximum);
          if (measure(whole) <= maximum) expect(cut).toBe(whole);
          else {
            expect(cut.endsWith('…')).toBe(true);
            expect(whole.startsWith(cut.slice(0, -1))).toBe(true);
            // The next character would not have fitted.
            expect(measure(cut)).toBeGreaterThan(maximum - 4 - 4);
          }
        },
      ),
    );
  });

  it('should contain no mass mention and no end of a code block', () => {
    holds(
      200,
      fc.property(mixtureOf(['@', 'everyone', 'here', '`', '```', ' ']), (text) => {
        expect(withoutMassMentions(text)).not.toMatch(/@\w/);
        expect(withoutCodeFences(text)).not.toContain('``');
      }),
    );
  });
});
