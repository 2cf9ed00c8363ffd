import sanitizeHtml from 'sanitize-html';
import { MARK_SCHEME } from '../rendering/inline-images';
import { ALLOWED_ATTRIBUTES } from './attributes';
import { ALLOWED_ELEMENTS, DROPPED_WITH_CONTENT, VOID_ELEMENTS } from './elements';

/**
 * The last gate: only allowed elements, attributes and schemes pass it, whatever the rewriting let through by mistake. It
 * reads the markup with a separate parser and writes it anew.
 *
 * @param html well-formed and of bounded depth, as the parser's time grows with both
 */
export function keepAllowed(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [...ALLOWED_ELEMENTS],
    allowedAttributes: { '*': [...ALLOWED_ATTRIBUTES] },
    selfClosing: [...VOID_ELEMENTS],
    nonTextTags: [...DROPPED_WITH_CONTENT],
    allowedSchemes: [],
    allowedSchemesByTag: { a: ['http', 'https', 'mailto', 'tel'], img: [MARK_SCHEME] },
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    // Styles have been parsed and written anew already, by stricter rules than the library's.
    parseStyleAttributes: false,
    disallowedTagsMode: 'discard',
  });
}
