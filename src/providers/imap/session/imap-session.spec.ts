import type { ImapFlow } from 'imapflow';
import { ImapSession } from './imap-session';

/** A client that notes the literal of each APPEND. */
function clientWith(...capabilities: string[]): { client: ImapFlow; literals: unknown[] } {
  const literals: unknown[] = [];
  const client = {
    usable: true,
    capabilities: new Map(capabilities.map((name) => [name, true])),
    enabled: new Set(),
    exec: (_command: string, attributes: readonly unknown[]) => {
      literals.push(attributes.at(-1));
      return Promise.resolve({ response: { command: 'OK' }, next: () => undefined });
    },
  };
  return { client: client as unknown as ImapFlow, literals };
}

describe('ImapSession', () => {
  const withNul = Buffer.from('Subject: nul\r\n\r\n\0\r\n');
  const plain = Buffer.from('Subject: plain\r\n\r\ntext\r\n');

  it.each([
    ['as literal8 where the server offers BINARY', ['BINARY'], withNul, true],
    ['as a literal where it does not', [], withNul, false],
    ['as a literal without NUL', ['BINARY'], plain, false],
  ])('should append a message with NUL %s', async (_how, capabilities, bytes, isLiteral8) => {
    const { client, literals } = clientWith(...capabilities);
    await new ImapSession(client).append('INBOX', bytes, [], null);
    expect(literals).toEqual([{ type: 'LITERAL', value: bytes, isLiteral8 }]);
  });
});
