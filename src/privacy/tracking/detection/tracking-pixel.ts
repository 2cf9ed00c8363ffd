import { SENDER_PLATFORMS } from '../platforms/sender-platforms';
import { WHITE_LABEL_PATHS } from '../platforms/white-label-paths';
import { declarationsOf, type Extent, extentOf, isHiding } from './inline-style';
import { pathAndQuery, PathPattern, PlaceList } from './place-list';
import { hostOf, remoteUrl } from './remote-url';
import {
  CONTENT_HOSTS,
  CONTENT_TYPES,
  CONTENT_WORDS,
  COUNTING_SEGMENTS,
  DECORATION_WORDS,
  OPEN_SEGMENTS,
  SPACER_WORDS,
} from './static-images';
import { tokensOf, type UrlTokens } from './unique-token';

/** An image of a message. Attributes are decoded, and null where missing. */
export interface ImageFacts {
  readonly src: string;
  readonly width: string | null;
  readonly height: string | null;
  readonly style: string | null;
  readonly alt: string | null;
  /** Whether the `hidden` attribute or an element around it hides the image. */
  readonly hidden: boolean;
  /** Evidence that only the whole message gives. */
  readonly context?: ImageContext;
}

export interface ImageContext {
  /** Whether neither text nor a content image follows: platforms put their pixels there. */
  readonly atEnd: boolean;
  /** Number of times that the message has this URL: a pixel occurs once, a spacer often. */
  readonly occurrences: number;
  /** Whether style sheets name its class, so that it may be shown on other screens. */
  readonly responsive: boolean;
}

/** An image that is a tracker. */
export interface FoundPixel {
  readonly url: URL;
  readonly domain: string;
  /** Name of the platform, or the host where that is not known. */
  readonly vendor: string;
}

const PLATFORMS = new PlaceList(
  SENDER_PLATFORMS.flatMap(({ vendor, places }) => places.map((place) => [place, vendor] as const)),
);
const WHITE_LABELS = WHITE_LABEL_PATHS.map((known) => ({ ...known, pattern: new PathPattern(known.path) }));
const CONTENT = new PlaceList(CONTENT_HOSTS.map((place) => [place, true] as const));

/** Weight of the evidence from which an image without a known address is a tracker. */
const ENOUGH = 2;
const BOTH_TINY = 3;
const ONE_TINY = 1;
const TWO_PIXELS = 1;
const HIDDEN = 2;
const SPACER = -3;
const PLAIN_SPACER = -2;
const CONTENT_NAME = -2;
const HAS_ALT = -1;
const RESPONSIVE = -3;
const REPEATED = -2;
const MANY = 3;
const MAX_SEGMENTS = 50;

/**
 * Whether an image reports to its owner that the message was opened. Nothing is ever fetched.
 *
 * Hosts and endpoints of sender platforms are certain, and so are their endpoints under hosts of their customers. For any
 * other remote image the evidence is weighed: 1×1 or hidden speaks for it, as do an identifier in the URL and a
 * place at the end; the name of a spacer, a size that is stretched, an alternative text or a class that style sheets
 * show on other screens speak against it.
 *
 * @returns the domain (host in lower case), or null
 */
export function trackingPixel(image: ImageFacts): string | null {
  return findPixel(image)?.domain ?? null;
}

/** Like `trackingPixel`, with the URL and the platform that it belongs to. */
export function findPixel(image: ImageFacts): FoundPixel | null {
  const url = remoteUrl(image.src);
  if (!url) return null;
  const known = knownTracker(url);
  if (known) return known;
  const domain = hostOf(url);
  if (CONTENT.find(domain, url)) return null;
  return weigh(image, url) >= ENOUGH ? { url, domain, vendor: domain } : null;
}

/** A URL that is known to belong to a platform, whatever loads it: an image, a background, a style sheet. */
export function knownTracker(url: URL): FoundPixel | null {
  const domain = hostOf(url);
  const platform = PLATFORMS.find(domain, url);
  if (platform) return { url, domain, vendor: platform };
  const path = pathAndQuery(url);
  const label = domain.slice(0, domain.indexOf('.'));
  const whiteLabel = WHITE_LABELS.find(
    ({ pattern, host }) => (!host || host.test(label)) && pattern.matches(path, host !== undefined),
  );
  if (!whiteLabel) return null;
  const tokens = tokensOf(url);
  if (whiteLabel.needsToken && tokens.query === 0 && !tokens.path) return null;
  return { url, domain, vendor: whiteLabel.vendor === 'unknown' ? domain : whiteLabel.vendor };
}

/** Like `findPixel` for content that is no image, such as a background or a font: its size is no evidence. */
export function findLoad(url: URL): FoundPixel | null {
  const known = knownTracker(url);
  if (known) return known;
  const domain = hostOf(url);
  const isOpen = segmentsOf(url).some((segment) => OPEN_SEGMENTS.includes(segment));
  return isOpen && !CONTENT.find(domain, url) && identifiesReader(url)
    ? { url, domain, vendor: domain }
    : null;
}

/** Whether the URL distinguishes one reader from another, and is not that of a content image. */
function identifiesReader(url: URL): boolean {
  const tokens = tokensOf(url);
  return (tokens.query === 2 || tokens.path) && !isContentName(nameOf(url));
}

const segmentsOf = (url: URL): string[] => url.pathname.toLowerCase().split('/', MAX_SEGMENTS);

/** Whether the first label of the host, or the path, says that the address counts openings. */
function countsOpenings(url: URL): boolean {
  const label = url.hostname.slice(0, url.hostname.indexOf('.'));
  const isOpen =
    COUNTING_SEGMENTS.includes(label) ||
    segmentsOf(url).some((segment) =>
      COUNTING_SEGMENTS.includes(segment.replace(/\.(?:gif|png|php|aspx?)$/, '')),
    );
  return isOpen && identifiesReader(url);
}

function weigh(image: ImageFacts, url: URL): number {
  const style = declarationsOf(image.style ?? '');
  const width = extentOf('width', image.width, style);
  const height = extentOf('height', image.height, style);
  const hidesItself = isHiding(style);
  const hidden = image.hidden || hidesItself;
  const size = weighSize(width, height);
  // The image has a visible size: even if hidden, it is meant to be seen, perhaps on another screen.
  if (size === null) return 0;
  const hasSize = width !== null || height !== null;
  if (size === 0 && !hidden)
    return !hasSize && (image.alt ?? '').trim() === '' && countsOpenings(url) ? ENOUGH : 0;
  const tokens = tokensOf(url);
  const name = nameOf(url);
  const spacer = weighSpacer(name, tokens);
  const identified = tokens.query > 0 ? tokens.query : Number(tokens.path && spacer === 0);
  let weight = size + identified + spacer;
  if (hidden && size < BOTH_TINY) weight += HIDDEN;
  if (isContentName(name) && tokens.query < 2) weight += CONTENT_NAME;
  if ((image.alt ?? '').trim() !== '') weight += HAS_ALT;
  if (image.context) {
    if (image.context.responsive && size < BOTH_TINY) weight += RESPONSIVE;
    if (image.context.occurrences >= MANY) weight += REPEATED;
    // A spacer may stand at the end as well.
    if (image.context.atEnd && (identified > 0 || spacer === 0)) weight += 1;
  }
  return weight;
}

/** Weight of the drawn size; null when the image is large enough to be seen. */
function weighSize(width: Extent, height: Extent): number | null {
  const extents = [width, height].filter((extent) => extent !== null);
  if (extents.some((extent) => extent === 'stretched' || extent > 2)) return null;
  const sizes = extents as number[];
  if (sizes.length === 0) return 0;
  if (sizes.some((size) => size > 1)) return sizes.length === 2 ? TWO_PIXELS : 0;
  // The height is missing: an image of width 0 is not seen either.
  return sizes.length === 2 || sizes[0] === 0 ? BOTH_TINY : ONE_TINY;
}

/** The last segment of the path without its extension, and the extension, in lower case. */
function nameOf(url: URL): { readonly stem: string; readonly type: string } {
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1, url.pathname.length).slice(0, 512);
  const dot = last.lastIndexOf('.');
  return {
    stem: (dot < 0 ? last : last.slice(0, dot)).toLowerCase(),
    type: dot < 0 ? '' : last.slice(dot + 1).toLowerCase(),
  };
}

function weighSpacer({ stem }: { readonly stem: string }, tokens: UrlTokens): number {
  if (DECORATION_WORDS.some((word) => stem.includes(word))) return SPACER;
  const words = stem.split(/[^a-z]+/);
  if (words.some((word) => SPACER_WORDS.includes(word)) || stem.includes('spacer')) return SPACER;
  // Names made of a size are those of spacers, but also of some trackers.
  const isSize = /^(?:pixel|px|img|image)?[-_]?[0-2](?:px)?x[0-2](?:px)?$/.test(stem);
  return isSize && tokens.query === 0 && !tokens.path ? PLAIN_SPACER : 0;
}

function isContentName({ stem, type }: { readonly stem: string; readonly type: string }): boolean {
  return CONTENT_TYPES.includes(type) || stem.split(/[^a-z]+/).some((word) => CONTENT_WORDS.includes(word));
}
