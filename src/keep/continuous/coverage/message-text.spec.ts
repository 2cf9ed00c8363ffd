import { MessageUnreadable } from '../../../providers/port/mail-provider.errors';
import { textOf } from './message-text';

describe('the text about a message that its server does not deliver whole', () => {
  // Also its header may never have been read: nothing is known of its bytes then.
  it('should claim nothing about its bytes', () => {
    const text = textOf({
      class: 'failed',
      exclusion: null,
      reason: 'message-incomplete',
      verifiedOn: null,
      nextTryAt: null,
    });
    expect(text).toBe('The mail server lists it but does not hand it out whole. It is not fetched again.');
    expect(new MessageUnreadable('message-incomplete').detail).not.toMatch(/byte|announce/);
  });
});
