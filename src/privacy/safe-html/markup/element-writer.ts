import { trackingPixel } from '../../tracking/detection/tracking-pixel';
import { safeDeclarations, type CssImages } from '../css/css-declarations';
import { PLAIN_NAME, type CssScope } from '../css/css-stylesheet';
import { cssTokens } from '../css/css-tokens';
import type { DocumentTexts } from '../rendering/document-texts';
import type { RenderFindings } from '../rendering/render-findings';
import type { InlineImages } from '../rendering/inline-images';
import { parseUrl } from '../../../platform/egress/parse-url';
import { cleanAddress, hasRemoteCandidate, isRemote } from './addresses';
import { colourOf, plainAttributes } from './attributes';
import { cssImages } from '../rendering/inline-images';
import { escapeHtml } from './escape';
import { LinkText } from './link-text';
import { safeLink } from './links';

/** Context in which the markup of one part is rewritten. */
export interface MarkupContext {
  readonly scope: CssScope;
  readonly images: InlineImages;
  readonly findings: RenderFindings;
  readonly texts: DocumentTexts;
}

/** An element that is open in the result. */
export interface WrittenElement {
  /** Name of the element in the message. */
  readonly tag: string;
  /** Name of the element in the result. */
  readonly name: string;
  readonly startTag: string;
  readonly isHidden: boolean;
  /** The text so far of a link that leads somewhere. */
  readonly linkText: LinkText | null;
}

type Attributes = ReadonlyMap<string, string>;

const HIDDEN_STYLE = /(?:^|;)(?:display:none|visibility:hidden)/;
/** Attributes that make an element load an address; those of `img` are read with the image. */
const LOADING: Readonly<Record<string, readonly string[]>> = {
  script: ['src'],
  iframe: ['src'],
  frame: ['src'],
  embed: ['src'],
  object: ['data'],
  link: ['href'],
  input: ['src'],
  video: ['src', 'poster'],
  audio: ['src'],
  source: ['src'],
  track: ['src'],
  bgsound: ['src'],
};
const MAX_CLASSES = 50;
/** Most tokens of one style attribute. */
const MAX_STYLE_TOKENS = 10_000;
/** Sizes of pictures that only keep a distance, and are removed without a replacement. */
const SPACER = /^[0-3](?:px)?$/;

/** Writes the tags of single elements. */
export class ElementWriter {
  private readonly cssImages: CssImages;

  constructor(private readonly context: MarkupContext) {
    this.cssImages = cssImages(context);
  }

  /**
   * A rewritten start tag.
   * @param around `isHidden`: whether it stands in content that is not shown; `label`: beginning of the text of a link
   */
  begin(tag: string, attributes: Attributes, around: { isHidden: boolean; label: string }): WrittenElement {
    const name = tag === 'body' ? 'div' : tag;
    const style = this.style(attributes, tag);
    const href = tag === 'a' ? this.target(attributes, around.label) : null;
    const target = href === null ? null : parseUrl(href);
    return {
      tag,
      name,
      startTag: this.startTag(name, attributes, {
        style,
        extraClass: tag === 'body' ? this.context.scope.body : null,
        href,
      }),
      isHidden: around.isHidden || HIDDEN_STYLE.test(style),
      linkText: target && new LinkText(target),
    };
  }

  /** Markup of an element without content. */
  writeEmpty(name: string, attributes: Attributes): string {
    return this.startTag(name, attributes, { style: this.style(attributes, name), extraClass: null });
  }

  /** Markup of an image: the image itself, a box that describes a remote one, or none for a tracker. */
  writeImage(attributes: Attributes, isInHidden: boolean): string {
    const src = cleanAddress(attributes.get('src') ?? '');
    const style = this.style(attributes, 'img');
    const isHidden = isInHidden || HIDDEN_STYLE.test(style) || attributes.has('hidden');
    const isFetched = isRemote(src) || (src === '' && hasRemoteCandidate(attributes.get('srcset') ?? ''));
    if (isFetched) return this.writeRemoteImage(attributes, src, { isHidden, style });
    const mark = this.context.images.mark(src);
    if (mark === null) return isHidden ? '' : this.writePlaceholder(attributes);
    return this.startTag('img', attributes, { style, extraClass: null, src: mark });
  }

  /** Counts the content that elements other than images would have loaded. */
  countRemote(tag: string, attributes: Attributes): void {
    const loading = Object.hasOwn(LOADING, tag) ? (LOADING[tag] as readonly string[]) : [];
    for (const attribute of loading) {
      const address = attributes.get(attribute) ?? '';
      if (isRemote(address)) this.context.findings.block(address);
    }
  }

  private writeRemoteImage(
    attributes: Attributes,
    src: string,
    { isHidden, style }: { isHidden: boolean; style: string },
  ): string {
    const facts = {
      src,
      width: attributes.get('width') ?? null,
      height: attributes.get('height') ?? null,
      style: attributes.get('style') ?? null,
      alt: attributes.get('alt') ?? null,
      hidden: isHidden,
    };
    const removed = this.context.findings.block(src, () => trackingPixel(facts) !== null);
    if (removed || isHidden) return '';
    const mark = this.context.images.markRemote(src);
    if (mark === null) return this.writePlaceholder(attributes);
    this.context.findings.unblock();
    return this.startTag('img', attributes, { style, extraClass: null, src: mark });
  }

  private writePlaceholder(attributes: Attributes): string {
    const alt = (attributes.get('alt') ?? '').trim().slice(0, 500);
    const sizes = [attributes.get('width') ?? '', attributes.get('height') ?? ''];
    if (alt === '' && sizes.some((size) => SPACER.test(size.trim()))) return '';
    return `<span class="mailroom-image" role="img">${escapeHtml(alt)}</span>`;
  }

  private startTag(
    name: string,
    attributes: Attributes,
    own: { style: string; extraClass: string | null; src?: string; href?: string | null },
  ): string {
    const classes = [...(own.extraClass === null ? [] : [own.extraClass]), ...this.classes(attributes)];
    const id = attributes.get('id')?.trim() ?? '';
    const written: (readonly [string, string])[] = [...plainAttributes(name, attributes)];
    if (own.src !== undefined) written.push(['src', own.src]);
    if (own.href) written.push(...linkAttributes(own.href));
    if (classes.length > 0) written.push(['class', classes.join(' ')]);
    if (PLAIN_NAME.test(id)) written.push(['id', this.context.scope.prefix + id]);
    if (own.style !== '') written.push(['style', own.style]);
    return `<${[name, ...written.map(([attribute, value]) => `${attribute}="${escapeHtml(value)}"`)].join(' ')}>`;
  }

  private target(attributes: Attributes, label: string): string | null {
    const href = attributes.get('href');
    return href === undefined ? null : safeLink(href, label, this.context.findings);
  }

  private classes(attributes: Attributes): string[] {
    return (attributes.get('class') ?? '')
      .slice(0, 2_000)
      .split(/\s+/, MAX_CLASSES)
      .filter((name) => PLAIN_NAME.test(name))
      .map((name) => this.context.scope.prefix + name);
  }

  private style(attributes: Attributes, tag: string): string {
    const safe = [
      safeDeclarations(cssTokens(attributes.get('style') ?? '', MAX_STYLE_TOKENS), this.cssImages),
    ];
    const background = attributes.get('background');
    const image = background === undefined ? null : this.cssImages(background);
    if (image !== null) safe.push(`background-image:url("${image}")`);
    if (tag === 'body') {
      const [colour, fill] = [colourOf(attributes.get('text')), colourOf(attributes.get('bgcolor'))];
      // The message's own style wins over its attributes.
      if (colour !== null) safe.unshift(`color:${colour}`);
      if (fill !== null) safe.unshift(`background-color:${fill}`);
    }
    return safe.filter((declarations) => declarations !== '').join(';');
  }
}

const linkAttributes = (href: string): (readonly [string, string])[] => [
  ['href', href],
  ['rel', 'noopener noreferrer nofollow'],
  ['target', '_blank'],
];
