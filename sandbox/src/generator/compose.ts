import type { Composition, Draft } from './draft';
import { composeAwkward } from '../kinds/awkward';
import { composeCharset } from '../kinds/charsets';
import { composeReceipt, composeShipping } from '../kinds/commerce';
import { composeConversation } from '../kinds/conversation';
import { composeNewsletter } from '../kinds/newsletter';
import { composePhotos } from '../kinds/photos';
import { composeSensitive } from '../kinds/sensitive';
import { composeDiscussion, composeNotification, composeSocial, composeSpam } from '../kinds/services';
import type { Kind } from './layout';

const COMPOSERS: Record<Kind, (composition: Composition) => Draft> = {
  conversation: composeConversation,
  newsletter: composeNewsletter,
  receipt: composeReceipt,
  notification: composeNotification,
  shipping: composeShipping,
  social: composeSocial,
  discussion: composeDiscussion,
  photos: composePhotos,
  sensitive: composeSensitive,
  charset: composeCharset,
  awkward: composeAwkward,
  spam: composeSpam,
};

export function compose(composition: Composition): Draft {
  return COMPOSERS[composition.kind](composition);
}
